import ChartLineIcon from 'lucide-react/icons/chart-line'
import { type ReactNode, useDeferredValue } from 'react'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { useLayout } from '../../lib/layout.ts'
import { CUSTOM_RANGE } from '../../lib/time/date-range.ts'
import { Panel } from '../../ui/state/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DataTab } from './data-table-tab.tsx'
import { type ChartLine, picturesOf } from './drawing/chart-lines.ts'
import { LazyHistoryChart, useHistoryChartCode } from './drawing/lazy-history-chart.tsx'
import { Legend } from './legend/legend.tsx'
import { hiddenAfter } from './legend/legend-rows.ts'
import { PendingPoints } from './points/chosen-points.tsx'
import { Findings } from './records/findings.tsx'
import type { Histories } from './records/use-histories.ts'
import type { History } from './use-history.ts'

/** Of one chart of numbers, and of each where there are several. */
const CHART_HEIGHT = { desktop: [340, 240], mobile: [260, 200] } as const
const LIVE_MS = 120_000

interface HistoryMainProps {
  customerId: string
  history: History
  /** Whether points without a line are listed here, as nothing else lists them. */
  listsPending: boolean
  /** What leads to the choice of points, where that is not in sight. */
  choose: ReactNode
}

/** The charts, findings about their records, and the same values as tables. */
export function HistoryMain({ customerId, history, listsPending, choose }: HistoryMainProps) {
  const layout = useLayout()
  useHistoryChartCode()
  const { view, change, zone, asOf, range, inView, chosen, histories, drawing, shown, current } = history
  // Tables need not follow a zoom frame by frame.
  const settled = useDeferredValue(inView)
  const { lines } = histories
  const [single, several] = CHART_HEIGHT[layout]
  const isSingle = picturesOf(shown).filter(({ state }) => !state).length < 2
  const { hidden } = view
  const keyOf = ({ color }: ChartLine) => chosen.find((one) => one.color === color)?.key ?? ''
  const isHidden = (line: ChartLine) => hidden.includes(keyOf(line))
  const pick = (line: ChartLine, adds: boolean) => {
    const keys = chosen.map(({ key }) => key)
    change({ hidden: hiddenAfter(keyOf(line), keys, hidden, adds) })
  }
  const allHidden = histories.open === 0 && shown.length === 0 && lines.length > 0
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
          hidden={lines.filter(isHidden)}
          {...{ drawing, zone }}
          view={inView}
          height={isSingle ? single : several}
          alarms={history.alarms}
          chosenAlarm={view.alarm}
          nowMs={asOf}
          axes={view.axes}
          onAxis={(unit, choice) => {
            const { [unit]: _automatic, ...others } = view.axes
            change({ axes: choice ? { ...others, [unit]: choice } : others })
          }}
          onView={history.zoomIn}
          onPick={pick}
        />
      )}
      {view.points.length > 0 && allHidden && (
        <Empty title="Every point is hidden" text="Show one of them with its eye." />
      )}
      {listsPending && <PendingPoints history={history} />}
      {range && inView && (
        <Findings
          {...{ customerId, chosen, histories, zone, asOf }}
          onJump={(custom) => change({ filter: CUSTOM_RANGE, custom, zoom: null })}
        />
      )}
      {settled && lines.length > 0 && (
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
            <Legend
              {...{ lines, zone, isHidden }}
              view={settled}
              isLive={settled.toMs > asOf - LIVE_MS}
              onPick={pick}
              onHide={(line) => {
                const key = keyOf(line)
                const rest = hidden.filter((one) => one !== key)
                change({ hidden: isHidden(line) ? rest : [...rest, key] })
              }}
              onRemove={(line) => history.remove(keyOf(line))}
            />
          ) : (
            <DataTab lines={current} {...{ drawing, zone }} view={settled} />
          )}
        </Tabs>
      )}
    </section>
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
