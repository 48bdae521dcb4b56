import ChartLine from 'lucide-react/icons/chart-line'
import Link2 from 'lucide-react/icons/link-2'
import ListTree from 'lucide-react/icons/list-tree'
import Save from 'lucide-react/icons/save'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { useDevice } from '../../api/devices.ts'
import { HistoryChart } from '../../components/history-chart.tsx'
import { Modal } from '../../components/modal.tsx'
import { useZone } from '../../components/moment.tsx'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { viewWithin } from '../../lib/chart-lines.ts'
import { CUSTOM_RANGE, previousPeriod, rangeOf, type TimeRange } from '../../lib/date-range.ts'
import { keyOfPoint, type PointRef, writeHistoryView } from '../../lib/history-view.ts'
import { useLayout } from '../../lib/layout.ts'
import { type Report, viewOfReport } from '../../lib/report.ts'
import { chooseZone } from '../../lib/time.ts'
import { toasts } from '../../lib/toasts.ts'
import { useDrawing } from '../../lib/use-drawing.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { usePointTray } from '../../session/use-point-tray.ts'
import { ChosenList } from './chosen-list.tsx'
import { DataTab } from './data-table-tab.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Findings } from './findings.tsx'
import { PointPicker } from './point-picker.tsx'
import { RangeBar } from './range-bar.tsx'
import { SaveReport } from './save-report.tsx'
import { SummaryTable } from './summary-table.tsx'
import { type ChosenPoint, useChosenPoints } from './use-chosen-points.ts'
import { useHistories } from './use-histories.ts'
import { useHistoryView } from './use-history-view.ts'

const MINUTE_MS = 60_000
const CHART_HEIGHT = { desktop: 340, mobile: 260 } as const

interface HistoryViewProps {
  area: CustomerArea
  report: Report | null
  /** The address names a report that there is not. */
  reportGone: boolean
}

export function HistoryView({ area, report, reportGone }: HistoryViewProps) {
  const { customerId } = area
  const { nowMs } = useSession()
  const layout = useLayout()
  const [query] = useSearchParams()
  const { tray } = usePointTray(customerId)
  const { view, tooMany, change, zoomTo } = useHistoryView()
  const [asOf, setAsOf] = useState(() => Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS)
  const [choosing, setChoosing] = useState(false)
  const place = useRef<HTMLElement>(null)
  const own = useZone()
  const zone = view.zone ?? own

  // A report's address says what it shows as soon as it is there; from then on it can be changed like any other.
  const adopt = useEffectEvent(() => {
    if (report && view.points.length === 0) change(viewOfReport(report))
  })
  useEffect(() => adopt(), [])

  const range = useSame(view.filter === CUSTOM_RANGE ? view.custom : rangeOf(view.filter, asOf, zone))
  const previous = useSame(view.compare && range ? previousPeriod(view.filter, range, zone) : null)
  const { chosen, retry } = useChosenPoints(customerId, view.points, area.can('data:query-model'))
  const histories = useHistories({ customerId, chosen, range, previous, nowMs: asOf })
  const drawing = useDrawing(histories.lines)
  const hiddenKeys = view.hidden.join()
  const places = view.points.map(keyOfPoint).join()
  const shown = useMemo(() => {
    const keys = places.split(',')
    const hidden = hiddenKeys.split(',')
    return histories.lines.filter(({ color }) => !hidden.includes(keys[color] ?? ''))
  }, [histories.lines, hiddenKeys, places])
  const current = useMemo(() => shown.filter(({ shiftMs }) => shiftMs === null), [shown])
  const zoom = view.zoom && range ? viewWithin(view.zoom, range) : null
  const inView = useSame(zoom ?? range)

  const firstDevice = useDevice(customerId, query.get('deviceUuid') ?? view.points[0]?.deviceUuid ?? '')
  const nameOf = (one: ChosenPoint) =>
    one.point?.displayName ??
    report?.points.find((point) => keyOfPoint(point) === one.key)?.pointName ??
    one.ref.cloudId
  const missing = chosen.filter(({ state }) => state === 'missing').map(nameOf)

  function choose(point: PointRef, on: boolean) {
    const rest = view.points.filter((one) => keyOfPoint(one) !== keyOfPoint(point))
    if (on && rest.length >= CHART_POINTS_MAX) return
    change({ points: on ? [...rest, point] : rest })
    if (!on) tray.remove(point)
  }

  function move(at: number, by: 1 | -1) {
    const points = [...view.points]
    const [point] = points.splice(at, 1)
    if (point) points.splice(at + by, 0, point)
    change({ points })
  }

  function share() {
    const link = new URL(window.location.href)
    link.search = String(writeHistoryView({ ...view, zone }, new URLSearchParams(link.search)))
    navigator.clipboard.writeText(link.href).then(
      () => toasts.ok('Link copied. It shows the same points, range and zone.'),
      () => toasts.failed('The link could not be copied. Copy the address of this page instead.')
    )
  }

  const zoomIn = (next: TimeRange | null) => zoomTo(next && range ? viewWithin(next, range) : null)
  const picker = (
    <>
      <ChosenList
        {...{ chosen, histories, nameOf }}
        hidden={view.hidden}
        onHide={(key) =>
          change({
            hidden: view.hidden.includes(key)
              ? view.hidden.filter((one) => one !== key)
              : [...view.hidden, key]
          })
        }
        onRemove={(key) => {
          const point = view.points.find((one) => keyOfPoint(one) === key)
          if (point) choose(point, false)
        }}
        onMove={move}
        onRetry={retry}
      />
      <PointPicker customerId={customerId} device={firstDevice.data} chosen={view.points} onChoose={choose} />
    </>
  )

  return (
    <div className="history">
      <TitleBlock
        title="History"
        crumbs={[
          ...area.trail,
          ...(firstDevice.data
            ? [
                {
                  label: 'Device Details',
                  to: paths.device(area.customerPath, firstDevice.data.deviceUuid)
                }
              ]
            : []),
          { label: 'History' }
        ]}
        facts={
          report?.reportName ??
          (firstDevice.data && (
            <PrefetchLink to={paths.device(area.customerPath, firstDevice.data.deviceUuid)}>
              {firstDevice.data.deviceName}
            </PrefetchLink>
          ))
        }
        actions={
          <>
            {layout === 'mobile' && (
              <button type="button" className="button" onClick={() => setChoosing(true)}>
                <ListTree />
                Points ({view.points.length}/{CHART_POINTS_MAX})
              </button>
            )}
            <button type="button" className="button" onClick={share}>
              <Link2 />
              Share
            </button>
            {area.can('data:export') && (
              <ExportMenu {...{ drawing, zone, place }} lines={current} view={inView} />
            )}
            {area.can('reports:create') && (
              <SaveReport
                area={area}
                report={report}
                view={view}
                range={range}
                points={chosen.map((one) => ({
                  ...one.ref,
                  pointName: nameOf(one),
                  deviceName: one.device?.deviceName ?? null
                }))}
                icon={<Save />}
              />
            )}
          </>
        }
      />
      <Problems {...{ reportGone, missing, tooMany }} />
      <RangeBar
        filter={view.filter}
        range={range}
        zoom={zoom}
        zone={zone}
        nowMs={asOf}
        compare={view.compare}
        onFilter={(filter) => change({ filter, custom: filter === CUSTOM_RANGE ? range : null, zoom: null })}
        onCustom={(custom) => change({ filter: CUSTOM_RANGE, custom, zoom: null })}
        onZoom={zoomIn}
        onZone={(chosenZone) => {
          chooseZone(chosenZone)
          change({ zone: null, zoom: null })
        }}
        onCompare={(compare) => change({ compare })}
        onRefresh={() => setAsOf(Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS)}
      />
      <div className="history-columns">
        {layout === 'desktop' && <aside className="card history-points">{picker}</aside>}
        <section className="card history-main" aria-labelledby="chart-heading" ref={place}>
          <h2 id="chart-heading" className="sr-only">
            Chart and values
          </h2>
          <div className="history-progress" role="status">
            {histories.open > 0 && (
              <>
                Loading {histories.done + 1} of {histories.total}{' '}
                <button type="button" className="link-button" onClick={histories.loads.cancelAll}>
                  Cancel
                </button>
              </>
            )}
          </div>
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
          {view.points.length > 0 &&
            histories.open === 0 &&
            shown.length === 0 &&
            histories.lines.length > 0 && (
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
      </div>
      {choosing && (
        <Modal title="Points" kind="wide" onClose={() => setChoosing(false)}>
          <div className="modal-body history-points">{picker}</div>
          <div className="modal-actions">
            <button type="button" className="button primary" onClick={() => setChoosing(false)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}

/** The same object as long as its ends are the same. */
function useSame(range: TimeRange | null): TimeRange | null {
  const { fromMs, toMs } = range ?? {}
  return useMemo(() => (fromMs === undefined || toMs === undefined ? null : { fromMs, toMs }), [fromMs, toMs])
}

function Empty({ title, text }: { title: string; text: string }) {
  return (
    <Panel icon={ChartLine} title={title}>
      <p>{text}</p>
    </Panel>
  )
}

interface ProblemsProps {
  reportGone: boolean
  missing: readonly string[]
  tooMany: number
}

function Problems({ reportGone, missing, tooMany }: ProblemsProps) {
  return (
    <div className="history-notices">
      {reportGone && (
        <Notice tone="warn">This report is no longer there. The points of the address still are.</Notice>
      )}
      {missing.length > 0 && (
        <Notice tone="warn">
          {missing.length === 1 ? 'A point is' : `${missing.length} points are`} no longer there:{' '}
          {missing.join(', ')}.
        </Notice>
      )}
      {tooMany > 0 && (
        <Notice tone="warn">
          The address names {CHART_POINTS_MAX + tooMany} points. A chart takes {CHART_POINTS_MAX}: the first{' '}
          {CHART_POINTS_MAX} show.
        </Notice>
      )}
    </div>
  )
}
