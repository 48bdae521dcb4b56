import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { tellMoment, tellSecond, zoneText } from '../../../lib/time/offset.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { isState } from './chart-lines.ts'
import type { TooltipRow, TooltipText } from './tooltip-rows.ts'

interface HistoryTooltipProps {
  text: TooltipText
  zone: string
  /** Pixels from the left edge of the charts. */
  left: number
  /** Where the pointer is from their top; the keyboard has none. */
  top: RefObject<number>
}

const AWAY = 16
const MINUTE_MS = 60_000

/** What every series was at the cursor. The chart's own live text says the same to those who cannot see it. */
export function HistoryTooltip({ text, zone, left, top }: HistoryTooltipProps) {
  const place = useRef<HTMLDivElement>(null)
  // Placed before it is painted; beside the cursor, on the side where there is room.
  useLayoutEffect(() => {
    const element = place.current
    const around = element?.offsetParent
    if (!element || !around) return
    const { offsetWidth: width, offsetHeight: height } = element
    const right = left + AWAY + width <= around.clientWidth
    const x = right ? left + AWAY : Math.max(left - AWAY - width, 0)
    const y = Math.min(Math.max(top.current - height / 2, 0), Math.max(around.clientHeight - height, 0))
    element.style.setProperty('--x', `${Math.round(x)}px`)
    element.style.setProperty('--y', `${Math.round(y)}px`)
  })
  const { atMs, numbers, states, alarms } = text
  return (
    <div className="chart-tooltip" ref={place} aria-hidden="true">
      <p className="tooltip-time">
        <strong>{atMs % MINUTE_MS < 1000 ? tellMoment(atMs, zone) : tellSecond(atMs, zone)}</strong>{' '}
        <span>{zoneText(atMs, zone)}</span>
      </p>
      <table>
        {[numbers, states].map(
          (rows, index) =>
            rows.length > 0 && (
              <tbody key={index === 0 ? 'numbers' : 'states'}>
                {rows.map((row) => (
                  <Row key={row.line.id} row={row} />
                ))}
              </tbody>
            )
        )}
      </table>
      {alarms.map(({ uuid, text: alarm, fromMs }) => (
        <p className="tooltip-alarm" key={uuid}>
          <TriangleAlert />
          {alarm}, raised {formatClock(fromMs, atMs, zone)}
        </p>
      ))}
    </div>
  )
}

function Row({ row: { line, text, units, spread, difference } }: { row: TooltipRow }) {
  return (
    <tr>
      <td>
        <LineSwatch color={line.color} square={isState(line.point)} />
      </td>
      <th scope="row">{line.name}</th>
      <td className="tooltip-value">
        <strong>{text}</strong>
        {(spread || difference) && <small>{[spread, difference].filter(Boolean).join(' · ')}</small>}
      </td>
      <td className="tooltip-unit">{units}</td>
    </tr>
  )
}
