import type { Alarm } from '#shared/answers/alarms.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useQuery } from '../../../lib/http/query.ts'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import type { Chosen } from '../../../ui/list/selection/use-selection.ts'
import { isUnacked, type ShownAck } from './alarm.ts'
import type { OpenDialog } from './alarm-dialogs.tsx'

interface AlarmSelectionProps<A extends Alarm> {
  /** The rows of the page. */
  rows: readonly A[]
  /** The number of alarms on all pages. */
  total: number
  chosen: Chosen<A>
  ackOf: (alarm: Alarm) => ShownAck
  mayManage: (alarm: A) => boolean
  /** Names the filters of the list. */
  listName: string
  /** Reads the alarms of all pages. */
  readAll: (signal: AbortSignal) => Promise<A[]>
  onOpen: (dialog: OpenDialog<A>) => void
}

/** Actions on the selected alarms. Once a page is selected, offers all alarms of the list that can be acknowledged. */
export function AlarmSelection<A extends Alarm>(props: AlarmSelectionProps<A>) {
  const { rows, total, chosen, ackOf, mayManage, listName, readAll, onOpen } = props
  const shownAlarms = new Map(rows.map((alarm) => [alarm.uuid, alarm]))
  const selected = chosen.rows.map((alarm) => shownAlarms.get(alarm.uuid) ?? alarm).filter(mayManage)
  const canAcknowledge = (alarm: A) =>
    isUnacked(alarm) && !['ackPending', 'acked'].includes(ackOf(alarm)) && mayManage(alarm)
  const unacked = selected.filter(canAcknowledge)
  const isPageSelected = rows.length > 0 && rows.every(({ uuid }) => chosen.keys.has(uuid))
  const { data: all, busy } = useQuery(
    isPageSelected && total > rows.length ? `all of ${listName}` : null,
    (_name, signal) => readAll(signal),
    { revalidateOnFocus: false }
  )
  const others = all?.filter((alarm) => canAcknowledge(alarm) && !chosen.keys.has(alarm.uuid)) ?? []
  return (
    <SelectionBar
      noun="alarm"
      selection={chosen}
      note={`, ${formatNumber(unacked.length)} can be acknowledged`}
    >
      {busy && isPageSelected && <span className="muted">Counting the other pages…</span>}
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
        onClick={() => unacked.length > 0 && onOpen({ kind: 'acknowledge', alarms: unacked })}
      >
        Acknowledge {unacked.length > 0 && formatNumber(unacked.length)}
      </button>
      <button
        type="button"
        className="button"
        aria-disabled={selected.length === 0}
        onClick={() => selected.length > 0 && onOpen({ kind: 'note', alarms: selected })}
      >
        Add note
      </button>
    </SelectionBar>
  )
}
