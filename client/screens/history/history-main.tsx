import ChartLine from 'lucide-react/icons/chart-line'
import type { RefObject } from 'react'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { HistoryChart } from '../../components/history-chart.tsx'
import { Panel } from '../../components/panel.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { CUSTOM_RANGE } from '../../lib/date-range.ts'
import { useLayout } from '../../lib/layout.ts'
import { DataTab } from './data-table-tab.tsx'
import { Findings } from './findings.tsx'
import { SummaryTable } from './summary-table.tsx'
import type { Histories } from './use-histories.ts'
import type { History } from './use-history.ts'

const CHART_HEIGHT = { desktop: 340, mobile: 260 } as const

interface HistoryMainProps {
  customerId: string
  history: History
  place: RefObject<HTMLElement | null>
}

/** The charts, what is odd about their records, and the same values as tables. */
export function HistoryMain({ customerId, history, place }: HistoryMainProps) {
  const layout = useLayout()
  const { view, change, zone, asOf, range, inView, zoomIn, chosen, histories, drawing, shown, current } =
    history
  const allHidden = histories.open === 0 && shown.length === 0 && histories.lines.length > 0
  return (
    <section className="card history-main" aria-labelledby="chart-heading" ref={place}>
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
        />
      )}
      {inView && shown.length > 0 && (
        <HistoryChart
          lines={shown}
          drawing={drawing}
          view={inView}
          zone={zone}
          height={CHART_HEIGHT[layout]}
          onView={zoomIn}
        />
      )}
      {view.points.length > 0 && allHidden && (
        <Empty title="Every point is hidden" text="Show one of them with its eye." />
      )}
      {range && inView && (
        <Findings
          {...{ customerId, chosen, histories, zone, range, asOf }}
          onJump={(custom) => change({ filter: CUSTOM_RANGE, custom, zoom: null })}
        />
      )}
      {inView && current.length > 0 && (
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
            <SummaryTable lines={current} view={inView} zone={zone} />
          ) : (
            <DataTab lines={current} drawing={drawing} view={inView} zone={zone} />
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

function Empty({ title, text }: { title: string; text: string }) {
  return (
    <Panel icon={ChartLine} title={title}>
      <p>{text}</p>
    </Panel>
  )
}
