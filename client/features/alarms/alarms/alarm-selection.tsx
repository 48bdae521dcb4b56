import type { Alarm } from '#shared/answers/alarms.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useQuery } from '../../../lib/http/query.ts'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import type { Chosen } from '../../../ui/list/selection/use-selection.ts'
import { isUnacked, type ShownAck } from './alarm.ts'

interface AlarmSelectionProps {
  /** The rows of the page. */
  rows: readonly AlarmOfCustomer[]
  /** The number of alarms on all pages. */
  total: number
  chosen: Chosen<AlarmOfCustomer>
  ackOf: (alarm: Alarm) => ShownAck
  mayManage: (alarm: AlarmOfCustomer) => boolean
  /** Names the filters of the list. */
  listName: string
  /** Reads the alarms of all pages. */
  readAll: (signal: AbortSignal) => Promise<AlarmOfCustomer[]>
  onAcknowledge: (alarms: readonly AlarmOfCustomer[]) => void
  onNote: (alarms: readonly AlarmOfCustomer[]) => void
}

/** The alarms as the list shows them now. */
function latestOf(alarms: readonly AlarmOfCustomer[], rows: readonly AlarmOfCustomer[]): AlarmOfCustomer[] {
  const shownAlarms = new Map(rows.map((alarm) => [alarm.uuid, alarm]))
  return alarms.map((alarm) => shownAlarms.get(alarm.uuid) ?? alarm)
}

/** Those of the alarms that the person can acknowledge. */
export function acknowledgeable(
  alarms: readonly AlarmOfCustomer[],
  rows: readonly AlarmOfCustomer[],
  ackOf: AlarmSelectionProps['ackOf'],
  mayManage: AlarmSelectionProps['mayManage']
): AlarmOfCustomer[] {
  return latestOf(alarms, rows).filter(
    (alarm) => isUnacked(alarm) && !['ackPending', 'acked'].includes(ackOf(alarm)) && mayManage(alarm)
  )
}

/** Actions on the selected alarms. Once a page is selected, offers all alarms of the list that can be acknowledged. */
export function AlarmSelection(props: AlarmSelectionProps) {
  const { rows, total, chosen, ackOf, mayManage, listName, readAll, onAcknowledge, onNote } = props
  const selected = chosen.rows.filter(mayManage)
  const unacked = acknowledgeable(chosen.rows, rows, ackOf, mayManage)
  const isPageSelected = rows.length > 0 && rows.every(({ uuid }) => chosen.keys.has(uuid))
  const { data: all, isFetching } = useQuery(
    isPageSelected && total > rows.length ? `all of ${listName}` : null,
    (_name, signal) => readAll(signal),
    { revalidateOnFocus: false }
  )
  const others = acknowledgeable(all ?? [], rows, ackOf, mayManage).filter(
    ({ uuid }) => !chosen.keys.has(uuid)
  )
  return (
    <SelectionBar
      noun="alarm"
      selection={chosen}
      note={`, ${formatNumber(unacked.length)} can be acknowledged`}
    >
      {isFetching && isPageSelected && <span className="muted">Counting the other pages…</span>}
      {others.length > 0 && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            const everyUnacked = [...unacked, ...others]
            chosen.change(new Set(everyUnacked.map(({ uuid }) => uuid)), everyUnacked)
          }}
        >
          Select all {formatNumber(unacked.length + others.length)} that can be acknowledged
        </button>
      )}
      <button
        type="button"
        className="button primary"
        aria-disabled={unacked.length === 0}
        onClick={() => unacked.length > 0 && onAcknowledge(unacked)}
      >
        Acknowledge {unacked.length > 0 && formatNumber(unacked.length)}
      </button>
      <button
        type="button"
        className="button"
        aria-disabled={selected.length === 0}
        onClick={() => selected.length > 0 && onNote(selected)}
      >
        Add note
      </button>
    </SelectionBar>
  )
}
