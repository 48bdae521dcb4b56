import { Fact } from '../../../../ui/fact.tsx'
import './paper.css'
import Link2 from 'lucide-react/icons/link-2'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { count } from '../../../../lib/format.ts'
import { CHART_POINTS_MAX } from '../../../../lib/limits.ts'
import { rangeText } from '../../../../lib/time/date-range.ts'
import { zoneText } from '../../../../lib/time/offset.ts'
import { SelectField } from '../../../../ui/input/field.tsx'
import { toasts } from '../../../../ui/state/toasts.ts'
import { TitleBlock } from '../../../../ui/title-block.tsx'
import type { Customer } from '../../../sites/customers/customer.tsx'
import { type HistoryView, writeHistoryView } from '../../points/history-address.ts'
import { keysOfReport, type Report } from '../../reports/report.ts'
import { useAlarmsOfPeriod } from '../api.ts'
import { isGhost } from '../chart/chart-lines.ts'
import { LazyHistoryChart, useHistoryChartCode } from '../chart/point-chart.tsx'
import type { ChosenPoint } from '../use-histories.ts'
import { type History, useHistory } from '../use-history.ts'
import { paperAddress, paperViewOf } from './paper-address.ts'
import { PaperAlarms } from './paper-alarms.tsx'
import { paperNotes } from './paper-notes.ts'
import { PaperSummary } from './paper-summary.tsx'

/** Height of a chart of numbers in pixels. */
const CHART_HEIGHT = 230

interface PaperViewProps {
  area: Customer
  report: Report | null
}

/** A history or a saved report as pages to hand over. The address names the period, so that it always shows the same. */
export default function PaperView({ area, report }: PaperViewProps) {
  const { customerId, customerPath, knownName } = area
  const history = useHistory(area, report)
  useHistoryChartCode()
  const { view, change, range, zone, histories, previous, asOf } = history
  const namedView = paperViewOf(history)
  const isNamed = view.points.length > 0 && isSameView(view, namedView)
  const nameView = useEffectEvent(() => change(namedView))
  useEffect(() => {
    if (!isNamed && view.points.length > 0) nameView()
  }, [isNamed, view.points.length])

  const points = history.chosen.filter(({ key }) => !view.hidden.includes(key))
  const lines = useMemo(() => {
    const shown = histories.lines.filter(({ key }) => !view.hidden.includes(key))
    // The head of the page names a single device.
    const isOneDevice = new Set(shown.map(({ device }) => device)).size === 1
    return isOneDevice ? shown.map((line) => ({ ...line, device: '' })) : shown
  }, [histories.lines, view.hidden])
  const systems = points.flatMap(({ device }) => device?.systemGuid ?? [])
  const isFound = points.every(
    ({ found }) => found !== undefined && !['waiting', 'loading'].includes(found.state)
  )
  const isLoaded = isNamed && isFound && histories.open === 0
  const mayReadAlarms = area.can('alarms:query')
  const alarms = useAlarmsOfPeriod(customerId, systems, isFound && mayReadAlarms ? range : null)
  const [drawnLines, setDrawnLines] = useState<unknown>(null)
  const hasChart = lines.some(({ samples }) => samples.times.length > 0)
  const areAlarmsKnown =
    !mayReadAlarms || systems.length === 0 || alarms.data !== undefined || alarms.error !== undefined
  const isReady = isLoaded && (drawnLines === lines || !hasChart) && areAlarmsKnown
  const title = report?.reportName ?? 'History'
  const address = paperAddress(customerPath, namedView, report)
  return (
    <div className="paper" aria-busy={!isReady}>
      <TitleBlock
        title={title}
        facts={knownName}
        crumbs={[
          ...area.trail,
          { label: 'History', to: paperAddress(customerPath, { ...namedView, paper: false }, report) },
          { label: 'Print' }
        ]}
        actions={<Tools history={history} address={address} isReady={isReady} />}
      />
      {range && <Facts points={points} range={range} previous={previous} zone={zone} />}
      <div className="paper-place">
        <div className="paper-sheet">
          {!isLoaded && (
            <p role="status">
              {histories.total > 0 ? `Loading ${histories.done + 1} of ${histories.total}` : 'Loading points'}
            </p>
          )}
          {isLoaded && range && (
            <>
              {hasChart && (
                <LazyHistoryChart
                  {...history.chart}
                  lines={lines}
                  hiddenKeys={NONE}
                  view={range}
                  height={CHART_HEIGHT}
                  printed
                  onDrawn={() => setDrawnLines(lines)}
                />
              )}
              {previous && lines.some(isGhost) && (
                <p className="hint">Thin, dashed lines and strips: the period before.</p>
              )}
              <PaperSummary lines={lines} view={range} previous={previous} zone={zone} />
              <PaperAlarms
                load={mayReadAlarms ? alarms : null}
                range={range}
                zone={zone}
                nowMs={asOf}
                deviceNames={
                  new Map(
                    points.flatMap(({ device }) => (device ? [[device.systemGuid, device.deviceName]] : []))
                  )
                }
              />
              <Notes history={history} report={report} points={points} range={range} />
              <p className="paper-address">{new URL(address, window.location.href).href}</p>
            </>
          )}
        </div>
      </div>
    </div>
  )
}

const NONE: readonly never[] = []

const isSameView = (a: HistoryView, b: HistoryView) =>
  String(writeHistoryView(a)) === String(writeHistoryView(b))

function Facts({
  points,
  range,
  previous,
  zone
}: {
  points: readonly ChosenPoint[]
  range: TimeRange
  previous: TimeRange | null
  zone: string
}) {
  const devices = [
    ...new Map(points.flatMap(({ device }) => (device ? [[device.deviceUuid, device]] : []))).values()
  ]
  const projects = [...new Set(devices.flatMap(({ projectName }) => projectName ?? []))]
  const zones = [...new Set([zone, zoneText(range.fromMs, zone), zoneText(range.toMs, zone)])]
  return (
    <dl className="paper-facts">
      <Fact name="Period">{rangeText(range, zone)}</Fact>
      <Fact name="Times in">{zones.join(', ')}</Fact>
      {previous && <Fact name="Compared with">{rangeText(previous, zone)}</Fact>}
      {projects.length > 0 && (
        <Fact name={projects.length === 1 ? 'Project' : 'Projects'}>{projects.join(', ')}</Fact>
      )}
      {devices.length > 0 && (
        <Fact name={devices.length === 1 ? 'Device' : 'Devices'}>
          {devices.map(({ deviceName }) => deviceName).join(', ')}
        </Fact>
      )}
    </dl>
  )
}

const COMPARISONS = [
  { value: '', label: 'Nothing' },
  { value: 'before', label: 'The period before' },
  { value: 'year', label: 'The year before' }
]
const LINKED = { value: 'linked', label: 'The same part before' }

function Tools({
  history: { view, change },
  address,
  isReady
}: {
  history: History
  address: string
  isReady: boolean
}) {
  const { compare } = view
  const isLinked = compare !== null && typeof compare === 'object'

  function share() {
    void copyText(new URL(address, window.location.href).href).then(
      () => toasts.ok('Link copied. It opens exactly this period.'),
      () => toasts.failed('The link could not be copied. Copy the address of this page instead.')
    )
  }

  return (
    <>
      <SelectField
        label="Compare with"
        value={isLinked ? LINKED.value : (compare ?? '')}
        onChange={(value) => {
          if (value !== LINKED.value) change({ compare: (value || null) as HistoryView['compare'] })
        }}
        options={isLinked ? [...COMPARISONS, LINKED] : COMPARISONS}
      />
      <button type="button" className="button" onClick={share}>
        <Link2 />
        Share
      </button>
      <button
        type="button"
        className="button primary"
        aria-disabled={!isReady}
        title={isReady ? undefined : 'The page is not complete yet'}
        onClick={() => isReady && window.print()}
      >
        <Printer />
        Print
      </button>
    </>
  )
}

function Notes({
  history,
  report,
  points,
  range
}: {
  history: History
  report: Report | null
  points: readonly ChosenPoint[]
  range: TimeRange
}) {
  const notes = paperNotes(history, points, range)
  const reportPoints = report ? keysOfReport(report).length : 0
  return (
    <section aria-labelledby="paper-notes">
      <h2 id="paper-notes">Notes</h2>
      <ul>
        {reportPoints > CHART_POINTS_MAX && (
          <li>
            The report has {reportPoints} points. A chart shows only the first {CHART_POINTS_MAX}.
          </li>
        )}
        {notes.map(({ key, name, texts }) => (
          <li key={key}>
            <strong>{name}</strong>: {texts.join(' ')}
          </li>
        ))}
        <li>
          Averages of values that hold until they change are weighted by time; measured values count once
          each. Records with a fault status are left out.
        </li>
        {notes.length === 0 && <li>No gaps and no faults in {count(points.length, 'point')}.</li>}
      </ul>
    </section>
  )
}
