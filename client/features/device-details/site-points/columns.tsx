import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { ageText, formatClock, useZone } from '../../../lib/time/time.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'
import { numberText, shownText, withUnits } from '../../data/points/point.ts'
import { PointStatus } from '../../data/points/point-value.tsx'
import { flagsOf, type LiveValue } from '../api.ts'
import { liveOf, type SiteData, type SiteLiveValues, type SiteRow, withLive } from './site-points.ts'

type NumberSummary = SiteData['summary']['numbers'][number]

interface SiteCells {
  customerPath: string
  live: SiteLiveValues
  /** Range and median of the point's valid numbers on all devices, for each unit. */
  summaries: readonly NumberSummary[]
}

const AGE_REFRESH_MS = 5_000

export function onePointColumns(cells: SiteCells, isOneName: boolean): ListColumn<SiteRow>[] {
  const { customerPath, live, summaries } = cells
  const summaryOf = ({ point }: SiteRow) => summaries.find(({ units }) => units === point.units)
  const shown = (row: SiteRow) => withLive(row, live.values.get(row.key), summaryOf(row)?.median ?? null)
  const hasMedian = isOneName && summaries.length > 0
  return [
    isOneName
      ? {
          ...deviceColumn(cells),
          cell: ({ device, point }) => (
            <PrefetchLink to={paths.point(customerPath, device.deviceUuid, point.cloudId)}>
              {unbroken(device.deviceName)}
            </PrefetchLink>
          ),
          card: 'heading'
        }
      : deviceColumn(cells),
    fileColumn('Host ID', ({ device }) => device.hostId),
    projectColumn(),
    { ...nameColumn(cells), ...(isOneName ? { card: false as const } : {}) },
    valueColumn(live.values),
    ...(hasMedian
      ? [
          {
            id: 'range',
            header: rangeText(summaries),
            width: 10,
            from: 'desktop' as const,
            cell: (row: SiteRow) => <MedianLine row={shown(row)} summary={summaryOf(row)} />,
            card: false as const
          },
          {
            id: 'fromMedian',
            header: 'From median',
            sort: 'distance from median',
            first: 'desc' as const,
            width: 7,
            whole: true as const,
            align: 'end' as const,
            value: ({ fromMedian }: SiteRow) => fromMedian,
            cell: (row: SiteRow) => <FromMedian row={shown(row)} summary={summaryOf(row)} />,
            card: 'fact' as const
          }
        ]
      : []),
    statusColumn(cells),
    {
      id: 'readAt',
      header: 'Age',
      sort: 'age',
      first: 'desc',
      width: 5,
      whole: true,
      align: 'end',
      from: 'laptop',
      value: ({ readAt }) => readAt,
      csv: 'Read',
      cell: (row) => <Age iso={shown(row).readAt} />
    },
    ...FILE_COLUMNS
  ]
}

export function exceptionColumns(cells: SiteCells): ListColumn<SiteRow>[] {
  const { live } = cells
  return [
    nameColumn(cells),
    deviceColumn(cells),
    projectColumn(),
    valueColumn(live.values),
    statusColumn(cells),
    {
      id: 'noticedAt',
      header: 'Noticed',
      sort: 'time noticed',
      first: 'desc',
      width: 6,
      whole: true,
      from: 'laptop',
      value: ({ noticedAt }) => noticedAt,
      cell: ({ noticedAt }) => <Noticed iso={noticedAt} />
    },
    ...FILE_COLUMNS
  ]
}

const FILE_COLUMNS: readonly ListColumn<SiteRow>[] = [
  fileColumn('Units', ({ point }) => (point.kind === 'Numeric' ? point.units : '')),
  fileColumn('Path', ({ point }) => point.slotPath),
  fileColumn('Device UUID', ({ device }) => device.deviceUuid),
  fileColumn('Point ID', ({ point }) => point.cloudId)
]

const nameColumn = ({ customerPath }: SiteCells): ListColumn<SiteRow> => ({
  id: 'name',
  header: 'Point',
  sort: 'point',
  width: 11,
  namesRow: true,
  value: ({ point }) => point.displayName,
  cell: ({ device, point }) => (
    <PrefetchLink to={paths.point(customerPath, device.deviceUuid, point.cloudId)}>
      {point.displayName}
    </PrefetchLink>
  ),
  card: 'heading'
})

const deviceColumn = ({ customerPath }: SiteCells): ListColumn<SiteRow> => ({
  id: 'device',
  header: 'Device',
  sort: 'device',
  width: 10,
  value: ({ device }) => device.deviceName,
  cell: ({ device }) => (
    <PrefetchLink to={paths.device(customerPath, device.deviceUuid)} className="text-link">
      {unbroken(device.deviceName)}
    </PrefetchLink>
  ),
  card: { as: 'fact', cell: ({ device }) => device.deviceName }
})

const projectColumn = (): ListColumn<SiteRow> => ({
  id: 'project',
  header: 'Project',
  sort: 'project',
  width: 11,
  from: 'laptop',
  value: ({ device }) => device.projectName,
  cell: ({ device }) => unbroken(device.projectName),
  card: 'fact'
})

const valueColumn = (live: ReadonlyMap<string, LiveValue>): ListColumn<SiteRow> => ({
  id: 'value',
  header: 'Value',
  sort: 'value',
  width: 9,
  whole: true,
  align: 'end',
  value: ({ value }) => value,
  cell: ({ key, point }) => <strong>{shownText(point, live.get(key))}</strong>,
  card: 'aside'
})

const statusColumn = ({ live }: SiteCells): ListColumn<SiteRow> => ({
  id: 'status',
  header: 'Status',
  sort: 'status',
  width: 8,
  value: ({ point: { out } }) => (out.flags?.length === 0 ? 'ok' : out.flags?.join(', ')),
  cell: (row) => {
    const flags = flagsOf(row.point, liveOf(row, live))
    return (
      <span className="row">
        <PointStatus flags={flags} />
        {row.level !== null && flags?.includes('overridden') && <small>at {row.level}</small>}
      </span>
    )
  },
  card: 'fact'
})

/** "16 to 26 °C" */
export function rangeText([first, second]: readonly NumberSummary[]): string {
  if (!first || second) return 'Range'
  return `${numberText(first.lowest, null)} to ${withUnits(numberText(first.highest, null), first.units)}`
}

/** How unusual a distance is among all distances: half of them are within the spread. */
function toneOf({ fromMedian }: SiteRow, summary: NumberSummary | undefined): 'danger' | 'warn' | undefined {
  if (fromMedian === null || !summary || summary.spread === 0) return undefined
  // For a normal distribution, three and four and a half spreads are two and three standard deviations.
  const spreads = Math.abs(fromMedian) / summary.spread
  if (spreads > 4.5) return 'danger'
  return spreads > 3 ? 'warn' : undefined
}

function FromMedian({ row, summary }: { row: SiteRow; summary: NumberSummary | undefined }) {
  const { fromMedian, point } = row
  if (fromMedian === null) return <span className="muted">–</span>
  const sign = fromMedian > 0 ? '+' : fromMedian < 0 ? '−' : ''
  const text = `${sign}${numberText(Math.abs(fromMedian), point.precision)}`
  return (
    <span className="from-median" data-tone={toneOf(row, summary)}>
      {text}
    </span>
  )
}

/** The place of a value between the lowest and the highest, with a mark at the median. */
function MedianLine({ row, summary }: { row: SiteRow; summary: NumberSummary | undefined }) {
  const { number } = row
  if (!summary) return null
  const { lowest, highest, median } = summary
  const percentOf = (value: number) =>
    highest > lowest ? Math.min(100, Math.max(0, (100 * (value - lowest)) / (highest - lowest))) : 50
  return (
    <span className="median-line" aria-hidden="true">
      <span className="median-mark" style={{ insetInlineStart: `${percentOf(median)}%` }} />
      {number !== null && (
        <span
          className="median-dot"
          data-tone={toneOf(row, summary)}
          style={{ insetInlineStart: `${percentOf(number)}%` }}
        />
      )}
    </span>
  )
}

function Age({ iso }: { iso: string }) {
  const { nowMs } = useSession()
  useTick(AGE_REFRESH_MS)
  return <span className="muted">{ageText(iso, nowMs())}</span>
}

function Noticed({ iso }: { iso: string }) {
  const { nowMs } = useSession()
  return <>{formatClock(Date.parse(iso), nowMs(), useZone())}</>
}
