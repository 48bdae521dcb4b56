import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { CSSProperties, RefObject } from 'react'
import { isState } from '#shared/history/point-type.ts'
import { zoneText } from '../../../../lib/time/offset.ts'
import { formatClock } from '../../../../lib/time/time.ts'
import { LineSwatch } from '../../../../ui/chart/line-swatch.tsx'
import { alarmsAt, type ChartAlarm } from './chart-alarms.ts'
import { type ChartLine, ghostOf, isGhost } from './chart-lines.ts'
import { differenceText, type Readings, readingText, spreadText, timeText } from './readings.ts'
import { colorOfState } from './states.ts'

interface HistoryTooltipProps {
  lines: readonly ChartLine[]
  alarms: readonly ChartAlarm[]
  readings: Readings
  zone: string
  cursorMs: number
  /** Pixels from the left edge of the charts. */
  left: number
  width: number
  /** Pixels from the top of the charts to the pointer. The keyboard does not change them. */
  top: RefObject<number>
}

/** Numbers at the cursor, the highest first, then states and alarms. Screen readers use the chart's announcements. */
export function HistoryTooltip(props: HistoryTooltipProps) {
  const { lines, alarms, readings, zone, cursorMs, left, width, top } = props
  const ownLines = lines.filter((line) => !isGhost(line))
  const rankOf = ({ id }: ChartLine) => readings.of.get(id)?.value ?? Number.NEGATIVE_INFINITY
  const numbers = ownLines.filter(({ point }) => !isState(point)).sort((a, b) => rankOf(b) - rankOf(a) || 0)
  const states = ownLines.filter(({ point }) => isState(point))
  const rows = [...numbers, ...states]
  return (
    <div
      className="lines chart-tooltip"
      style={
        {
          '--tooltip-x': `${left}px`,
          '--tooltip-y': `${top.current}px`,
          '--charts-width': `${width}px`
        } as CSSProperties
      }
      data-side={left > width / 2 ? 'left' : 'right'}
      aria-hidden="true"
    >
      <p className="row spread tooltip-time">
        <strong>{timeText(readings, zone)}</strong>{' '}
        <span className="muted">
          {readings.span && numbers.length > 0 && 'average (min–max), '}
          {zoneText(readings.atMs, zone)}
        </span>
      </p>
      <table>
        <tbody>
          {rows.map((line) => (
            <Row key={line.id} line={line} ghost={ghostOf(lines, line)} readings={readings} />
          ))}
        </tbody>
      </table>
      {alarmsAt(alarms, cursorMs).map(({ uuid, text, fromMs }) => (
        <p className="outcome danger" key={uuid}>
          <TriangleAlert />
          {text}, raised {formatClock(fromMs, cursorMs, zone)}
        </p>
      ))}
    </div>
  )
}

interface RowProps {
  line: ChartLine
  ghost: ChartLine | undefined
  readings: Readings
}

function Row({ line, ghost, readings }: RowProps) {
  const { point, color, name, id } = line
  const reading = readings.of.get(id)
  const previousReading = ghost && readings.of.get(ghost.id)
  const spread = reading && spreadText(line, reading)
  const notes = [
    spread && (isState(point) ? spread : `(${spread})`),
    reading && previousReading && differenceText(line, reading, previousReading)
  ].filter(Boolean)
  const state = isState(point) ? (reading ? colorOfState(point, reading.value) : null) : undefined
  return (
    <tr>
      <td>
        <LineSwatch color={color} state={state} />
      </td>
      <th scope="row">
        <span className="clip">{name}</span>
      </th>
      <td className="tooltip-value">
        <strong>{reading ? readingText(line, reading) : 'no value'}</strong>{' '}
        {reading && !isState(point) && <span className="muted">{point.units}</span>}
      </td>
      <td className="muted">{notes.join(' · ')}</td>
    </tr>
  )
}
