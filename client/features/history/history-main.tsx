import ChartLineIcon from 'lucide-react/icons/chart-line'
import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { useLayout } from '../../lib/layout.ts'
import { CUSTOM_RANGE, type TimeRange } from '../../lib/time/date-range.ts'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Panel } from '../../ui/state/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { ChartLine } from './drawing/chart-lines.ts'
import { LazyHistoryChart, useHistoryChartCode } from './drawing/lazy-history-chart.tsx'
import { Legend } from './legend/legend.tsx'
import { isolated } from './legend/legend-rows.ts'
import { PendingPoints } from './points/pending-points.tsx'
import type { Histories } from './records/use-histories.ts'
import type { History } from './use-history.ts'

const Findings = lazy(() => import('./records/findings.tsx'))
const DataTab = lazy(() => import('./data-table-tab.tsx'))

const CHART_HEIGHT = { desktop: 340, mobile: 260 } as const

interface HistoryMainProps {
  customerId: string
  history: History
  /** Whether points without a line are listed here, as nothing else lists them. */
  listsPending: boolean
  /** What leads to the choice of points, where that is not in sight. */
  choose: ReactNode
}

/** The charts, what is odd about their records, and the same values as tables. */
export function HistoryMain({ customerId, history, listsPending, choose }: HistoryMainProps) {
  const layout = useLayout()
  useHistoryChartCode()
  const { view, change, zone, asOf, range, inView, zoomIn, chosen, histories, drawing, shown, current } =
    history
  // Tables need not follow a zoom frame by frame.
  const settled = useDeferredValue(inView)
  const allHidden = histories.open === 0 && shown.length === 0 && histories.lines.length > 0
  return (
    <section className="card history-main" aria-labelledby="chart-heading">
      <h2 id="chart-heading" className="sr-only">
        Chart and values
      </h2>
      <Progress histories={histories} />
      {range === null && (
        <Empty title="Choose when the range begins and ends" text="Enter both above and apply them." />
      )}
      {view.points.length === 0 && range && (
        <Empty
          title={`Choose up to ${CHART_POINTS_MAX} points`}
          text="Search for them and tick what to chart."
          actions={choose}
        />
      )}
      {inView && shown.length > 0 && (
        <LazyHistoryChart
          lines={shown}
          drawing={drawing}
          view={inView}
          zone={zone}
          height={CHART_HEIGHT[layout]}
          alarms={history.alarms}
          chosenAlarm={view.alarm}
          nowMs={asOf}
          onView={zoomIn}
        />
      )}
      {view.points.length > 0 && allHidden && (
        <Empty title="Every point is hidden" text="Show one of them with its eye." />
      )}
      {listsPending && <PendingPoints history={history} />}
      {range && inView && (
        <Suspense>
          <Findings
            {...{ customerId, chosen, histories, zone, range, asOf }}
            onJump={(custom) => change({ filter: CUSTOM_RANGE, custom, zoom: null })}
          />
        </Suspense>
      )}
      {settled && histories.lines.length > 0 && (
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
            <HistoryLegend history={history} view={settled} />
          ) : (
            <Suspense fallback={<Skeleton width="60%" label="Loading data" />}>
              <DataTab lines={current} drawing={drawing} view={settled} zone={zone} />
            </Suspense>
          )}
        </Tabs>
      )}
    </section>
  )
}

const LIVE_MS = 120_000

function HistoryLegend({ history, view: inView }: { history: History; view: TimeRange }) {
  const { view, change, zone, asOf, chosen, histories } = history
  const keys = chosen.map(({ key }) => key)
  const keyOf = ({ color }: ChartLine) => chosen.find((one) => one.color === color)?.key ?? ''
  const { hidden } = view
  return (
    <Legend
      lines={histories.lines}
      view={inView}
      zone={zone}
      isLive={inView.toMs > asOf - LIVE_MS}
      isHidden={(line) => hidden.includes(keyOf(line))}
      onHide={(line) => {
        const key = keyOf(line)
        change({ hidden: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key] })
      }}
      onIsolate={(line) => change({ hidden: isolated(keyOf(line), keys, hidden) })}
      onRemove={(line) => history.remove(keyOf(line))}
    />
  )
}

function Progress({ histories: { open, done, total, loads } }: { histories: Histories }) {
  return (
    <div className="history-progress" role="status">
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
