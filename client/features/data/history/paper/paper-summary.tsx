import '../../../../ui/list/list.css'
import type { ReactNode } from 'react'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { durationText } from '../../../../lib/duration.ts'
import { count, formatNumber } from '../../../../lib/format.ts'
import { momentWithOffset } from '../../../../lib/time/offset.ts'
import { type ChartLine, ghostOf, isGhost, valueWords } from '../chart/chart-lines.ts'
import { LineName } from '../chart/panel-head.tsx'
import { differenceText } from '../chart/readings.ts'
import { type StateTime, shareText } from '../chart/states.ts'
import { type LegendRow, legendRows } from '../legend.tsx'

interface PaperSummaryProps {
  lines: readonly ChartLine[]
  view: TimeRange
  previous: TimeRange | null
  zone: string
}

interface SummaryRow extends LegendRow {
  /** The previous period; null without a comparison, or without records in it. */
  before: LegendRow | null
}

/** The same numbers as the summary on the screen, with those of the previous period beside them. */
export function PaperSummary({ lines, view, previous, zone }: PaperSummaryProps) {
  const all = legendRows(lines, view, previous)
  const rows = all
    .filter(({ line }) => !isGhost(line))
    .map((row): SummaryRow => {
      const ghost = ghostOf(lines, row.line)
      return { ...row, before: all.find(({ line }) => line === ghost) ?? null }
    })
  const numbers = rows.filter(({ states }) => states === null)
  const states = rows.filter(({ states }) => states !== null)
  const compares = previous !== null
  return (
    <section aria-labelledby="paper-summary">
      <h2 id="paper-summary">Summary</h2>
      {numbers.length > 0 && <Numbers rows={numbers} compares={compares} zone={zone} />}
      {states.length > 0 && <States rows={states} compares={compares} />}
    </section>
  )
}

interface TableProps {
  rows: readonly SummaryRow[]
  compares: boolean
}

function Numbers({ rows, compares, zone }: TableProps & { zone: string }) {
  return (
    <table className="plain-table">
      <caption className="sr-only">Summary of the points</caption>
      <thead>
        <tr>
          <th scope="col">Point</th>
          <Heads names={['Min', 'Max', 'Average']} />
          {compares && <Heads names={['Before', 'Change']} />}
          <Heads names={['Last', 'Records']} />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, statistics, before }) => {
          const { min, minMs, max, maxMs, average, last, samples } = statistics
          const text = (value: number | null | undefined) =>
            value == null ? '–' : valueWords(line.point, value)
          const extreme = (value: number | null, ms: number) => (
            <td className="end">
              {text(value)}
              {value !== null && <small>{momentWithOffset(ms, zone)}</small>}
            </td>
          )
          return (
            <tr key={line.id}>
              <Name line={line} />
              {extreme(min, minMs)}
              {extreme(max, maxMs)}
              <td className="end">{text(average)}</td>
              {compares && (
                <>
                  <td className="end">
                    {text(before?.statistics.average)}
                    <small>of {formatNumber(before?.statistics.samples ?? 0)}</small>
                  </td>
                  <td className="end">{changeOf(line, average, before?.statistics.average ?? null)}</td>
                </>
              )}
              <td className="end">{text(last)}</td>
              <td className="end">{formatNumber(samples)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function States({ rows, compares }: TableProps) {
  return (
    <table className="plain-table">
      <caption className="sr-only">Time in states</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Time in state</th>
          {compares && (
            <>
              <th scope="col">Before</th>
              <th scope="col">Change</th>
            </>
          )}
          <Heads names={['Changes', 'Last', 'Records']} />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, statistics, states, before }) => (
          <tr key={line.id}>
            <Name line={line} />
            <Lines
              texts={(states?.times ?? []).map(
                ({ text, ms, share }) => `${text} ${durationText(ms)} (${shareText(share)})`
              )}
            />
            {compares && (
              <>
                <Lines
                  texts={(before?.states?.times ?? []).map(
                    ({ text, ms, share }) => `${text} ${durationText(ms)} (${shareText(share)})`
                  )}
                />
                <Lines texts={changesOfShares(states?.times ?? [], before?.states?.times ?? [])} />
              </>
            )}
            <td className="end">
              {formatNumber(states?.changes ?? 0)}
              {line.point.kind === 'Boolean' && <small>{count(states?.starts ?? 0, 'start')}</small>}
            </td>
            <td className="end">
              {statistics.last === null ? '–' : valueWords(line.point, statistics.last)}
            </td>
            <td className="end">{formatNumber(statistics.samples)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Name({ line }: { line: ChartLine }) {
  return (
    <th scope="row">
      <LineName line={line} value={null}>
        <small>{[line.device, line.point.units].filter(Boolean).join(' · ')}</small>
      </LineName>
    </th>
  )
}

const Heads = ({ names }: { names: readonly string[] }) =>
  names.map((name) => (
    <th key={name} scope="col" className="end">
      {name}
    </th>
  ))

function Lines({ texts }: { texts: readonly string[] }): ReactNode {
  return (
    <td>
      {texts.length === 0 && '–'}
      {texts.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </td>
  )
}

/** The change of an average; "–" if one of them is not known. */
function changeOf(line: ChartLine, average: number | null, before: number | null): string {
  if (average === null || before === null) return '–'
  const reading = (value: number) => ({ value, low: null, high: null, states: null })
  return differenceText(line, reading(average), reading(before))
}

/** "Running +3 %": the change of each state's share of the time, in percentage points. Nothing if one period is not known. */
export function changesOfShares(times: readonly StateTime[], before: readonly StateTime[]): string[] {
  if (times.length === 0 || before.length === 0) return []
  const values = [...new Set([...times, ...before].map(({ value }) => value))]
  return values.map((value) => {
    const [now, then] = [times, before].map((list) => list.find((time) => time.value === value))
    const points = Math.round(100 * (now?.share ?? 0)) - Math.round(100 * (then?.share ?? 0))
    return `${(now ?? then)?.text} ${points === 0 ? '±0' : `${points > 0 ? '+' : '−'}${Math.abs(points)}`} %`
  })
}
