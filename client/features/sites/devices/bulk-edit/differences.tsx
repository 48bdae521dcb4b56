import FileCheck from 'lucide-react/icons/file-check'
import { useEffect, useRef, useState } from 'react'
import { csvOf, fileName } from '#shared/csv.ts'
import { count, formatNumber } from '../../../../lib/format.ts'
import { useLayout, useTablet } from '../../../../lib/layout.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import type { ListQuery } from '../../../../lib/use-list-query.ts'
import { useUnsavedChanges } from '../../../../ui/dialog/unsaved-changes.tsx'
import { DataTable } from '../../../../ui/list/data-table.tsx'
import { ListFrame } from '../../../../ui/list/list-frame.tsx'
import { Pager, pageOf } from '../../../../ui/list/pager.tsx'
import { RowCards } from '../../../../ui/list/row-cards.tsx'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { Panel } from '../../../../ui/state/panel.tsx'
import { Tabs } from '../../../../ui/tabs.tsx'
import { useCustomer } from '../../customers/customer.tsx'
import { withChange } from '../device-changes.ts'
import { type DeviceStep, useDeviceRun } from '../use-device-run.ts'
import { nameOfRow, RESULT_COLUMNS, WITH_RESULT, WITHOUT_RESULT } from './columns.tsx'
import { deviceFile, type ProjectNames } from './device-file.ts'
import type { PlannedRow } from './plan.ts'
import { groupsOf, type RowGroups, type Run, stateOf } from './result.ts'
import { explanationOf, headingOf, lossOf, milestoneOf, type OpenFile } from './summary.ts'
import { forgetUndo, storeUndo } from './undo-file.ts'

const PAGE_SIZE = 25

/** The state of the table in the address. An empty `show` means the first group that has rows. */
export const TABLE_VIEW = { show: '', page: '1' }

interface DifferencesProps {
  file: OpenFile
  query: ListQuery<typeof TABLE_VIEW>
  projects: ProjectNames
  /** The address of the device list. */
  devicesPath: string
  /** Whether the undo is being prepared. */
  busy: boolean
  /** Why the undo could not be prepared. */
  problem: string | null
  /** Opens a file with the previous values. */
  onUndo: (text: string) => void
  onClose: () => void
}

/** A table of what a file changes, and the run of the changes. */
export function Differences(props: DifferencesProps) {
  const { file, query, projects, devicesPath, busy, problem, onUndo, onClose } = props
  const { customerId, orgName = '' } = useCustomer()
  const { run, stop, ...state } = useDeviceRun()
  const { results, running } = state
  const groups = groupsOf(file.plan, results)
  const { changes, done, open } = groups
  const heading = useRef<HTMLHeadingElement>(null)
  const stopButton = useRef<HTMLButtonElement>(null)
  // The button that had the focus is gone.
  useEffect(() => {
    const target = running ? stopButton : heading
    target.current?.focus()
  }, [running])
  const loss = lossOf(groups, state)
  useUnsavedChanges(loss && { ...loss, discard: stop })

  /** Whether the browser has stored the undo file. */
  const [isStored, setStored] = useState(true)
  const explanation = explanationOf(file, groups, state, isStored)

  async function apply(rows: readonly PlannedRow[]) {
    query.change({ show: 'changes' })
    // An undo has the stored file's own values.
    if (!file.isUndo)
      setStored(
        storeUndo(customerId, {
          fileName: file.name,
          atMs: Date.now(),
          deviceCount: changes.length,
          text: undoText()
        })
      )
    const found = await run(rows.flatMap(stepOf))
    if (file.isUndo && groupsOf(file.plan, found).open.length === 0) forgetUndo(customerId)
  }
  /** The file that changes the devices back: their previous values, with the version that they have after the changes. */
  const undoText = () =>
    deviceFile(
      changes.flatMap(({ device, change }) =>
        device && change ? [{ device, present: withChange(device, change) }] : []
      ),
      projects
    )
  const save = (name: string, text: string) => saveFile(fileName([name, orgName], 'csv'), text)
  const saveTable = () => {
    const rows = file.plan.map((row) => ({ ...row, state: stateOf(row, state) }))
    save(results ? 'edit results' : 'edit differences', csvOf(RESULT_COLUMNS, rows))
  }

  return (
    <>
      <section className="card stack tight bulk-edit-summary" aria-labelledby="bulk-edit-heading">
        <h2 id="bulk-edit-heading" ref={heading} tabIndex={-1}>
          {file.isUndo && 'Undo: '}
          {headingOf(groups, state)}
        </h2>
        {running ? (
          <progress max={changes.length} value={groups.triedCount} aria-label="Changes that are done" />
        ) : (
          explanation && <p>{explanation}</p>
        )}
        <p role="status" className="sr-only">
          {running && milestoneOf(groups)}
        </p>
        {!isStored && (
          <p className="field-error" role="alert">
            This browser has no room for the previous values. Save the undo file before you leave the page.
          </p>
        )}
        {problem && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
        <div className="row bulk-edit-actions">
          {running && (
            <button ref={stopButton} type="button" className="button" onClick={stop}>
              Stop
            </button>
          )}
          {!running && results === null && changes.length > 0 && (
            <button type="button" className="button primary" onClick={() => void apply(changes)}>
              Apply {count(changes.length, 'change')}
            </button>
          )}
          {!running && open.length > 0 && (
            <button type="button" className="button primary" onClick={() => void apply(open)}>
              Retry {formatNumber(open.length)}
            </button>
          )}
          {!running && done.length > 0 && (
            <button
              type="button"
              className="button"
              aria-disabled={busy}
              aria-busy={busy}
              onClick={() => busy || onUndo(undoText())}
            >
              Undo {count(done.length, 'change')}
            </button>
          )}
          {changes.length > 0 && (
            <button type="button" className="button" onClick={() => save('undo edit devices', undoText())}>
              Save undo file
            </button>
          )}
          {!running && (
            <>
              <button type="button" className="button" onClick={saveTable}>
                {results ? 'Save results as CSV' : 'Save table as CSV'}
              </button>
              <button type="button" className="button" onClick={onClose}>
                Choose another file
              </button>
              {(results !== null || changes.length === 0) && (
                <PrefetchLink to={devicesPath} className="button">
                  Back to the devices
                </PrefetchLink>
              )}
            </>
          )}
        </div>
      </section>
      <RowTable query={query} groups={groups} run={state} />
    </>
  )
}

const GROUPS = {
  changes: 'Changes',
  open: 'Not changed',
  refused: 'Refused',
  unchanged: 'Unchanged'
} as const
type GroupId = keyof typeof GROUPS
const GROUP_IDS = Object.keys(GROUPS) as GroupId[]

const keyOf = ({ number }: PlannedRow) => String(number)

interface RowTableProps {
  query: DifferencesProps['query']
  groups: RowGroups
  run: Run
}

function RowTable({ query, groups, run }: RowTableProps) {
  const shownIds = GROUP_IDS.filter((id) => id !== 'open' || (!run.running && groups.open.length > 0))
  const firstId = shownIds.find((id) => groups[id].length > 0) ?? 'changes'
  const chosen = shownIds.find((id) => id === query.values.show) ?? firstId
  const hasResult = chosen === 'refused' || (chosen !== 'unchanged' && run.results !== null)
  const columns = hasResult ? WITH_RESULT : WITHOUT_RESULT
  const { items, page } = pageOf(groups[chosen], query.values.page, PAGE_SIZE)
  const rows = items.map((row) => ({ ...row, state: stateOf(row, run) }))
  const isTablet = useTablet()
  const isPhone = useLayout() === 'mobile' && !isTablet
  return (
    <Tabs
      label="Rows of the file"
      tabs={shownIds.map((id) => ({ id, label: GROUPS[id], count: formatNumber(groups[id].length) }))}
      chosen={chosen}
      onChoose={(show) => query.change({ show })}
    >
      <ListFrame
        label="Rows"
        className="compact bulk-edit-rows"
        load={{ data: rows, error: undefined, isFetching: false, refetch: () => {} }}
        size={PAGE_SIZE}
        notices={
          chosen === 'refused' &&
          rows.length > 0 && (
            <p className="muted list-note">
              These rows change nothing. Correct them in the file, and choose it again.
            </p>
          )
        }
        empty={
          rows.length === 0 && (
            <Panel icon={FileCheck} headingLevel={3} title={`No rows: ${GROUPS[chosen].toLowerCase()}`} />
          )
        }
        foot={
          <Pager
            label="Pages of rows"
            page={page}
            onPage={(number) => query.change({ page: String(number + 1) })}
          />
        }
      >
        {isPhone ? (
          <RowCards label="Rows" rows={rows} rowKey={keyOf} columns={columns} nameOf={nameOfRow} />
        ) : (
          <DataTable
            caption={GROUPS[chosen]}
            rows={rows}
            rowKey={keyOf}
            columns={columns}
            status={`${rows.length} of ${count(page.totalElements, 'row')}`}
          />
        )}
      </ListFrame>
    </Tabs>
  )
}

function stepOf({ device, change }: PlannedRow): DeviceStep[] {
  return device ? [{ device, change }] : []
}
