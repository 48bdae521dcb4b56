import '../style.css'
import '../../data/points/style.css'
import CircleCheck from 'lucide-react/icons/circle-check'
import ListTree from 'lucide-react/icons/list-tree'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { flagRank } from '#shared/history/point-value.ts'
import { POINT_NAMES_MAX } from '#shared/limits.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useCachedState } from '../../../lib/http/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { type ListQuery, useListQuery } from '../../../lib/use-list-query.ts'
import { Combobox } from '../../../ui/input/combobox.tsx'
import { type Filter, oneOf } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import { useSelection } from '../../../ui/list/selection/use-selection.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { historyAddress, keyOfPoint, type PointRef } from '../../data/points/history-address.ts'
import { numberText, withUnits } from '../../data/points/point.ts'
import { statusName } from '../../data/points/point-value-format.ts'
import { usePointSelection } from '../../data/points/selected-points.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { ProjectChoice } from '../../sites/customers/project-choice.tsx'
import { exceptionsKey } from '../../sites/projects/api.ts'
import { clearProblem, flagsOf } from '../api.ts'
import { ChartSelection } from '../chart-selection.tsx'
import { CommandDialog, type CommandKind } from '../command-dialogs.tsx'
import { pointActions } from '../points/columns.tsx'
import { ClearOverridesDialog } from './clear-dialog.tsx'
import { exceptionColumns, onePointColumns } from './columns.tsx'
import {
  FIRST_VIEW,
  liveOf,
  orderOf,
  progressText,
  SITE_PAGE_SIZE,
  type SiteData,
  type SiteRow,
  type SiteView,
  useSiteLiveValues,
  useSitePoints
} from './site-points.ts'

export default function SitePointsPage() {
  const { customerId, list: customer, orgName, trail, can, error, isFetching, refetch } = useCustomer()
  const query = useListQuery(FIRST_VIEW)
  const load = useSitePoints(can('data:query') ? customerId : null, query.values)
  const isOne = query.values.tab !== 'exceptions'
  const [, setExceptions] = useCachedState<number | null>(exceptionsKey(customerId), null)
  const { latest } = load
  const data = latest?.page
  const known = latest?.view.project === '' && data?.readAt ? data.exceptions : undefined
  useEffect(() => {
    if (known !== undefined) setExceptions(known)
  }, [known, setExceptions])
  return (
    <>
      <TitleBlock
        title="Points"
        crumbs={[...trail, { label: 'Points' }]}
        facts={[orgName, data && progressText(data)].filter(Boolean).join(' · ')}
      />
      {error !== undefined ? (
        <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />
      ) : customer && !can('data:query') ? (
        <Notice tone="warn">Your role does not include the points of this customer.</Notice>
      ) : (
        <Tabs
          label="Points"
          tabs={[
            { id: 'one', label: 'One point' },
            {
              id: 'exceptions',
              label: 'Exceptions',
              ...(data && { count: formatNumber(data.exceptions) })
            }
          ]}
          chosen={isOne ? 'one' : 'exceptions'}
          onChoose={(tab) =>
            query.change({
              ...FIRST_VIEW,
              name: query.values.name,
              match: query.values.match,
              project: query.values.project,
              tab
            })
          }
        >
          {isOne ? <OnePoint query={query} load={load} /> : <Exceptions query={query} load={load} />}
        </Tabs>
      )}
    </>
  )
}

type Query = ListQuery<SiteView>
type Load = ReturnType<typeof useSitePoints>

/** Columns keep their identity while nothing that they show changes. */
function useCells(load: Load) {
  const { customerId, customerPath, can } = useCustomer()
  const rows = load.data?.items ?? NO_ROWS
  const live = useSiteLiveValues(can('live:read') ? customerId : null, rows)
  const { values } = live
  const summaries = load.data?.summary.numbers ?? NO_SUMMARIES
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refresh` is new in each render
  return useMemo(() => ({ customerPath, live, summaries }), [customerPath, values, summaries])
}

const NO_ROWS: readonly SiteRow[] = []
const NO_SUMMARIES: SiteData['summary']['numbers'] = []

interface Command {
  kind: CommandKind
  row: SiteRow
}

function useRowActions(cells: ReturnType<typeof useCells>, onCommand: (command: Command) => void) {
  const { customerPath, can } = useCustomer()
  const { flags } = useSession()
  const navigate = useNavigate()
  const onHistory =
    flags.enableHistoryCharting && can('data:query')
      ? (points: readonly PointRef[]) =>
          void navigate(historyAddress(customerPath, points[0]?.deviceUuid ?? '', { points }))
      : null
  const actions = (row: SiteRow) =>
    pointActions(row.point, {
      mayWrite: can('live:write'),
      liveValues: liveOf(row, cells.live),
      onHistory: onHistory && (({ cloudId }) => onHistory([{ deviceUuid: row.device.deviceUuid, cloudId }])),
      onCommand: ({ kind }) => onCommand({ kind, row })
    })
  return { actions, onHistory }
}

function RowCommand({
  command,
  load,
  cells,
  onClose
}: {
  command: Command
  load: Load
  cells: ReturnType<typeof useCells>
  onClose: () => void
}) {
  const { customerId } = useCustomer()
  const { kind, row } = command
  return (
    <CommandDialog
      kind={kind}
      point={row.point}
      deviceIds={{ customerId, deviceId: row.device.id }}
      deviceName={row.device.deviceName}
      live={cells.live.values.get(row.key)}
      onClose={() => {
        onClose()
        cells.live.refresh()
        load.refetch()
      }}
    />
  )
}

function OnePoint({ query, load }: { query: Query; load: Load }) {
  const { customerId } = useCustomer()
  const { name, match } = query.values
  const cells = useCells(load)
  const isOneName = name !== '' && match === 'equals'
  const columns = useMemo(() => onePointColumns(cells, isOneName), [cells, isOneName])
  const [command, setCommand] = useState<Command | null>(null)
  const { actions, onHistory } = useRowActions(cells, setCommand)
  const selection = usePointSelection(customerId, load.data?.items ?? NO_ROWS, keyOfPoint, (row) => row)
  const reading = load.data?.isReading ? (
    <Panel icon={ListTree} headingLevel={3} title="Reading the points">
      <p>{progressText(load.data)}.</p>
    </Panel>
  ) : undefined
  return (
    <>
      <List
        noun="value"
        label="Points"
        className="points"
        load={load}
        page={load.data}
        size={SITE_PAGE_SIZE}
        query={query}
        sortOrder={orderOf(query.values)}
        columns={columns}
        toolbar={{
          lead: <NameChoice query={query} names={load.data?.names ?? []} />,
          filters: [projectFilter(customerId), statusFilter(load.data)],
          file: { name: 'points', read: load.all, max: FILE_ROWS_MAX }
        }}
        rows={{
          caption: name === '' ? 'Points of all devices' : `${name} of all devices`,
          rowKey: ({ key }) => key,
          nameOf: nameOfRow,
          actions,
          columnChoice: { omit: isOneName ? OF_ONE_NAME : undefined },
          selection: onHistory ? selection : undefined
        }}
        notices={<ReadingNotice data={load.data} />}
        noMatch={reading}
        empty={
          reading ?? (
            <Panel
              icon={ListTree}
              headingLevel={3}
              title={name === '' ? 'No points' : `No points named “${name}”`}
            >
              <p>Points show here once a device with Data Services publishes them.</p>
            </Panel>
          )
        }
        foot={{
          selectionBar: onHistory && <ChartSelection customerId={customerId} onChart={onHistory} />,
          note: name !== '' && load.data && <Summary data={load.data} />
        }}
      />
      {command && <RowCommand command={command} load={load} cells={cells} onClose={() => setCommand(null)} />}
    </>
  )
}

const OF_ONE_NAME = ['name']

/** Rows of a file: the points of a customer with 1,240 devices. */
const FILE_ROWS_MAX = 50_000

function Exceptions({ query, load }: { query: Query; load: Load }) {
  const { customerId, can } = useCustomer()
  const cells = useCells(load)
  const columns = useMemo(() => exceptionColumns(cells), [cells])
  const [command, setCommand] = useState<Command | null>(null)
  const [cleared, setCleared] = useState<readonly SiteRow[] | null>(null)
  const { actions } = useRowActions(cells, setCommand)
  const chosen = useSelection<SiteRow>(({ key }) => key, load.data?.items)
  const refusalOf = (row: SiteRow) => clearProblem(row.point, flagsOf(row.point, liveOf(row, cells.live)))
  const reading = load.data?.isReading ? (
    <Panel icon={ListTree} headingLevel={3} title="No exceptions so far">
      <p>The points are still being read.</p>
    </Panel>
  ) : undefined
  const okPoints = load.data?.statuses.find(({ flag }) => flag === 'ok')?.count ?? 0
  return (
    <>
      {load.data && <StatusPresets query={query} data={load.data} />}
      <List
        noun="exception"
        load={load}
        page={load.data}
        size={SITE_PAGE_SIZE}
        query={query}
        sortOrder={orderOf(query.values)}
        columns={columns}
        toolbar={{
          filters: [projectFilter(customerId), { names: ['status'] }],
          file: { name: 'exceptions', read: load.all, max: FILE_ROWS_MAX }
        }}
        rows={{
          caption: 'Points whose status is not OK',
          rowKey: ({ key }) => key,
          nameOf: nameOfRow,
          actions,
          selection: can('live:write') ? { chosen, refusalOf } : undefined
        }}
        notices={<ReadingNotice data={load.data} />}
        noMatch={reading}
        empty={
          reading ??
          (load.data?.partial.length === 0 && okPoints > 0 ? (
            <Panel icon={CircleCheck} headingLevel={3} title="No exceptions">
              <p>The status of {count(okPoints, 'point')} is OK.</p>
            </Panel>
          ) : (
            <Panel icon={ListTree} headingLevel={3} title="No exceptions among the points that were read">
              {load.data && <p>{progressText(load.data)}.</p>}
            </Panel>
          ))
        }
        foot={{
          selectionBar: can('live:write') && (
            <SelectionBar noun="exception" selection={chosen}>
              <button type="button" className="button primary" onClick={() => setCleared(chosen.rows)}>
                Clear {count(chosen.rows.length, 'override')}
              </button>
            </SelectionBar>
          ),
          note: <p className="muted">“Noticed” is since when the portal has known the status.</p>
        }}
      />
      {command && <RowCommand command={command} load={load} cells={cells} onClose={() => setCommand(null)} />}
      {cleared && (
        <ClearOverridesDialog
          customerId={customerId}
          rows={cleared}
          onClose={() => {
            setCleared(null)
            chosen.drop()
            cells.live.refresh()
            load.refetch()
          }}
        />
      )}
    </>
  )
}

const nameOfRow = ({ point, device }: SiteRow) => `${point.displayName} of ${device.deviceName}`

/** Says how many devices have failed, whose points the list may lack. */
function ReadingNotice({ data }: { data: SiteData | undefined }): ReactNode {
  const failed = data?.partial.filter(({ reason }) => reason === 'failed') ?? []
  const [first] = failed
  if (!data || !first) return null
  const others = data.devices.failed - 1
  return (
    <Notice tone="warn">
      The points of {first.deviceName}
      {others > 0 && ` and ${count(others, 'other device')}`} could not be read. They are read again every ten
      seconds.
    </Notice>
  )
}

/** The range and the median of the numbers, or the number of points in each state. */
function Summary({ data }: { data: SiteData }) {
  const { numbers, states } = data.summary
  const texts = [
    ...numbers.map(({ units, lowest, median, highest }) => {
      const [low, middle] = [lowest, median].map((number) => numberText(number, null))
      return `${low} to ${withUnits(numberText(highest, null), units)}, median ${middle}`
    }),
    ...states.map(({ text, count: points }) => `${text} ${formatNumber(points)}`)
  ]
  return <p className="muted">{texts.slice(0, SUMMARIES_MAX).join(' · ')}</p>
}

const SUMMARIES_MAX = 5

function projectFilter(customerId: string): Filter<SiteView> {
  return {
    names: ['project'],
    field: ({ values, change }) => (
      <ProjectChoice
        customerId={customerId}
        chosen={values.project}
        onChoose={(project) => change({ project })}
      />
    )
  }
}

const nameOfFlag = (flag: string) => (flag === 'ok' ? 'OK' : statusName(flag).name)

function statusFilter(data: SiteData | undefined): Filter<SiteView> {
  const choices = (data?.statuses ?? []).map(({ flag, count: points }) => ({
    value: flag,
    label: `${nameOfFlag(flag)} (${formatNumber(points)})`
  }))
  return oneOf('status', 'Status', 'Any status', choices, (chosen) => `Status: ${chosen}`)
}

/** Chooses the exceptions with one status, with the number of each. */
function StatusPresets({ query, data }: { query: Query; data: SiteData }) {
  const statuses = data.statuses
    .filter(({ flag }) => flag !== 'ok')
    .toSorted((a, b) => flagRank(a.flag) - flagRank(b.flag))
  const presets = [
    { flag: '', name: 'All', points: data.exceptions },
    ...statuses.map(({ flag, count: points }) => ({ flag, name: nameOfFlag(flag), points }))
  ]
  return (
    <fieldset className="row status-presets">
      <legend className="sr-only">Status</legend>
      {presets.map(({ flag, name, points }) => (
        <label key={flag} className="preset">
          <input
            type="radio"
            name="status"
            className="sr-only"
            checked={query.values.status === flag}
            onChange={() => query.change({ status: flag })}
          />
          {name} <span>{formatNumber(points)}</span>
        </label>
      ))}
    </fieldset>
  )
}

const CONTAINS = 'contains '

/** Chooses a name of the points, or a part of it that is typed. */
function NameChoice({ query, names }: { query: Query; names: SiteData['names'] }) {
  const [typed, setTyped] = useState('')
  const { name, match } = query.values
  const keyword = typed.trim().toLowerCase()
  const matching = names.filter((entry) => entry.name.toLowerCase().includes(keyword))
  const options = matching.map((entry) => ({
    id: entry.name,
    name: `${entry.name} · ${formatNumber(entry.count)}`
  }))
  if (keyword !== '') {
    const points = matching.reduce((sum, entry) => sum + entry.count, 0)
    // The answer may lack further names.
    const isComplete = names.length < POINT_NAMES_MAX
    options.unshift({
      id: CONTAINS + typed.trim(),
      name: `Contains “${typed.trim()}”${isComplete ? ` · ${formatNumber(points)}` : ''}`
    })
  }
  const shown =
    match === 'contains' ? { id: CONTAINS + name, name: `Contains “${name}”` } : { id: name, name }
  return (
    <div className="remote-choice name-choice">
      <Combobox
        label="Point"
        placeholder="All points"
        options={options}
        chosen={name === '' ? null : shown}
        emptyText="No point has this name."
        onSearch={setTyped}
        onChoose={({ id }) =>
          query.change({
            ...ORDER,
            ...(id.startsWith(CONTAINS)
              ? { name: id.slice(CONTAINS.length), match: 'contains' }
              : { name: id, match: 'equals' })
          })
        }
        onClear={() => query.change({ ...ORDER, name: '', match: 'equals' })}
      />
    </div>
  )
}

/** Another point has its own order. */
const ORDER = { sort: '', order: '' }
