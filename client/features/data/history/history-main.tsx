import ChartLineIcon from 'lucide-react/icons/chart-line'
import Rows3 from 'lucide-react/icons/rows-3'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { isState } from '#shared/history/point-type.ts'
import { CUSTOM_RANGE, type TimeRange } from '#shared/time/date-ranges.ts'
import { dayStart } from '#shared/time/zones.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { useQuery } from '../../../lib/http/query.ts'
import { useLayout } from '../../../lib/layout.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { Point } from '../points/point.ts'
import { fetchLatestRecord } from './api.ts'
import { type ChartLine, hiddenAfter, picturesOf } from './chart/chart-lines.ts'
import { notesIn } from './chart/history-samples.ts'
import { LazyHistoryChart, useHistoryChartCode } from './chart/point-chart.tsx'
import { DataTab } from './data-table-tab.tsx'
import { Legend } from './legend.tsx'
import { PendingPoints } from './points-panel.tsx'
import type { ChosenPoint, Histories } from './use-histories.ts'
import type { History } from './use-history.ts'

/** Heights in pixels: of a single chart, and of each chart if there are several. */
const CHART_HEIGHT = { desktop: [340, 240], mobile: [260, 200] } as const

interface HistoryMainProps {
  customerId: string
  history: History
  /** Whether to list the points that have no line. */
  listsPending: boolean
  /** A button that opens the point panel, if the panel is not visible. */
  choose: ReactNode
}

export function HistoryMain({ customerId, history, listsPending, choose }: HistoryMainProps) {
  const layout = useLayout()
  useHistoryChartCode()
  const { view, change, range, inView, chosen, histories, chart, current } = history
  // Tables do not render for every frame of a zoom.
  const deferredView = useDeferredValue(inView)
  const { lines } = histories
  const [singleHeight, sharedHeight] = CHART_HEIGHT[layout]
  const isSingle = picturesOf(lines, chart).filter(({ state }) => !state).length < 2
  const { hidden } = view
  const toggle = ({ key }: ChartLine, withCtrl: boolean) => {
    const keys = chosen.map((chosenPoint) => chosenPoint.key)
    change({ hidden: hiddenAfter(key, keys, hidden, withCtrl) })
  }
  const areAllHidden = histories.open === 0 && current.length === 0 && lines.length > 0
  return (
    <section className="card history-main" aria-labelledby="chart-heading">
      <h2 id="chart-heading" className="sr-only">
        Chart and values
      </h2>
      <Progress histories={histories} />
      {range === null && (
        <Empty title="Choose when the range begins and ends" text="Enter both times above and apply them." />
      )}
      {view.points.length === 0 && range && (
        <Empty
          title={`Choose up to ${CHART_POINTS_MAX} points`}
          text="Search for points and select the ones to chart."
          actions={choose}
        />
      )}
      {inView && lines.length > 0 && (
        <LazyHistoryChart
          {...chart}
          view={inView}
          height={isSingle ? singleHeight : sharedHeight}
          onAxes={(choices) => {
            const axes = Object.entries({ ...view.axes, ...choices }).flatMap(([unit, choice]) =>
              choice ? [[unit, choice] as const] : []
            )
            change({ axes: Object.fromEntries(axes) })
          }}
          onView={history.zoomIn}
          tools={
            chosen.length > 1 && (
              <IconButton
                small
                name="One chart for each point"
                Icon={Rows3}
                pressed={view.separate}
                onPress={() => change({ separate: !view.separate })}
              />
            )
          }
          onPick={toggle}
        />
      )}
      {lines.length > 0 && history.alarmNote && <p className="hint alarm-note">{history.alarmNote}</p>}
      {view.points.length > 0 && areAllHidden && (
        <Empty title="Every point is hidden" text="Press the eye of a point to show it." />
      )}
      {listsPending && <PendingPoints history={history} />}
      {deferredView && <Findings customerId={customerId} history={history} view={deferredView} />}
      {deferredView && lines.length > 0 && (
        <Tabs
          label="Values"
          tabs={[
            { id: 'summary', label: 'Summary' },
            { id: 'data', label: 'Data' }
          ]}
          chosen={view.tab}
          onChoose={(tab) => change({ tab })}
        >
          {view.tab === 'summary' ? (
            <Legend history={history} view={deferredView} onPick={toggle} />
          ) : (
            <DataTab history={history} view={deferredView} />
          )}
        </Tabs>
      )}
    </section>
  )
}

function Progress({ histories: { open, done, total, loads } }: { histories: Histories }) {
  return (
    <div className="hint history-progress" role="status">
      {open > 0 && (
        <>
          Loading {done + 1} of {total}{' '}
          <button type="button" className="link-button" onClick={loads.cancelAll}>
            Cancel
          </button>
        </>
      )}
    </div>
  )
}

function Empty({ title, text, actions }: { title: string; text: string; actions?: ReactNode }) {
  return (
    <Panel icon={ChartLineIcon} title={title} actions={actions}>
      <p>{text}</p>
    </Panel>
  )
}

interface FindingsProps {
  customerId: string
  history: History
}

/** Problems with the records in view, such as a wrong order or clock, or no records in the range. */
function Findings({ customerId, history, view }: FindingsProps & { view: TimeRange }) {
  const findings = history.chosen.flatMap((chosenPoint) => {
    const load = history.histories.of(chosenPoint)
    if (load?.state !== 'ready') return []
    const notes = notesIn(load.value.notes, view)
    const isEmpty = load.value.times.length === 0
    return isEmpty || notes.length > 0 ? [{ chosenPoint, notes, isEmpty }] : []
  })
  if (findings.length === 0) return null
  return (
    <ul className="stack tight findings" aria-label="About the records">
      {findings.map(({ chosenPoint, notes, isEmpty }) => (
        <li key={chosenPoint.key} className="line">
          <LineSwatch
            color={chosenPoint.color}
            state={chosenPoint.point && isState(chosenPoint.point) ? null : undefined}
          />
          <div>
            <strong>{chosenPoint.point?.displayName}</strong>
            {isEmpty && (
              <p className="hint">
                No records for this point in the range.{' '}
                <Latest customerId={customerId} history={history} chosenPoint={chosenPoint} />
              </p>
            )}
            {notes.map((text) => (
              <p key={text} className="hint">
                {text}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Latest({ customerId, history, chosenPoint }: FindingsProps & { chosenPoint: ChosenPoint }) {
  const { asOf, zone, change } = history
  const [searches, setSearches] = useState(false)
  const { point, key } = chosenPoint
  const { data, error } = useQuery(
    searches && point ? `latest record of ${customerId} ${key} ${asOf}` : null,
    (_name, signal) => fetchLatestRecord({ customerId, point: point as Point, nowMs: asOf }, signal),
    { revalidateOnFocus: false }
  )
  if (error !== undefined) return <span role="alert">{failureOf(error).title}.</span>
  if (data === undefined)
    return (
      <button type="button" className="link-button" aria-busy={searches} onClick={() => setSearches(true)}>
        {searches ? 'Searching…' : 'Find the latest record'}
      </button>
    )
  if (data === null) return <span role="status">No record in the last year.</span>
  const day = { fromMs: dayStart(data, zone), toMs: dayStart(data, zone, 1) }
  return (
    <span role="status">
      Latest record: {formatMoment(data, zone)}.{' '}
      <button
        type="button"
        className="link-button"
        onClick={() => change({ filter: CUSTOM_RANGE, custom: day, zoom: null })}
      >
        Show this day
      </button>
    </span>
  )
}
