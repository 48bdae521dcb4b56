import Download from 'lucide-react/icons/download'
import { useRef, useState } from 'react'
import type { AlarmOrder } from '#shared/alarms.ts'
import { allAlarms } from '../../api/alarm-export.ts'
import type { AlarmFilter } from '../../api/alarms.ts'
import { failureOf, isAbort } from '../../api/api-error.ts'
import type { DeviceName } from '../../api/device-names.ts'
import { ACK_STATES, type Alarm, bandOf, SOURCE_STATES } from '../../lib/alarms.ts'
import { type CsvColumn, csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { toasts } from '../../lib/toasts.ts'

const ALARMS_MAX = 5_000

type NameOf = (alarm: Alarm) => DeviceName | null

const columnsOf = (nameOf: NameOf): CsvColumn<Alarm>[] => [
  { header: 'Time', value: ({ timestamp }) => timestamp },
  { header: 'Source', value: ({ sourceName }) => sourceName },
  { header: 'State', value: ({ sourceState }) => SOURCE_STATES[sourceState]?.label ?? sourceState },
  { header: 'Acknowledgement', value: ({ ackState }) => ACK_STATES[ackState] ?? ackState },
  { header: 'Priority', value: ({ priority }) => priority },
  { header: 'Band', value: ({ priority }) => bandOf(priority)?.label },
  { header: 'Message', value: ({ messageText }) => messageText },
  { header: 'Class', value: ({ alarmClass }) => alarmClass },
  { header: 'Device', value: (alarm) => nameOf(alarm)?.deviceName ?? alarm.deviceId },
  { header: 'Project', value: (alarm) => nameOf(alarm)?.projectName },
  { header: 'Acknowledged by', value: ({ user }) => user },
  { header: 'Acknowledged', value: ({ ackTime }) => ackTime },
  { header: 'Back to normal', value: ({ normalTime }) => normalTime },
  { header: 'Ack required', value: ({ ackRequired }) => (ackRequired ? 'Yes' : 'No') },
  { header: 'Transition', value: ({ alarmTransition }) => alarmTransition },
  { header: 'Notes', value: ({ notes }) => notes.map(({ text, user }) => `${user}: ${text}`).join('; ') },
  { header: 'UUID', value: ({ uuid }) => uuid }
]

export interface AlarmExportProps {
  customerId: string
  filter: AlarmFilter
  order: AlarmOrder
  /** Null while it is not known. */
  total: number | null
  nameOf: NameOf
}

/** What the filters find as a file. More than fits is said, not cut in silence. */
export function AlarmExport({ customerId, filter, order, total, nameOf }: AlarmExportProps) {
  const [busy, setBusy] = useState(false)
  const work = useRef<AbortController>(null)
  const mobile = useLayout() === 'mobile'
  const reason = refusalOf(total)

  async function save() {
    const controller = new AbortController()
    work.current = controller
    setBusy(true)
    try {
      const alarms = await allAlarms(customerId, filter, order, ALARMS_MAX, controller.signal)
      const name = fileName(['alarms', new Date().toISOString().slice(0, 10)], 'csv')
      saveFile(name, csvOf(columnsOf(nameOf), alarms))
      toasts.ok(`${count(alarms.length, 'alarm')} saved.`)
    } catch (error) {
      if (!isAbort(error)) toasts.failed(failureOf(error).text, { label: 'Retry', onAct: () => void save() })
    } finally {
      setBusy(false)
    }
  }

  if (busy) {
    return (
      <button type="button" className="button" onClick={() => work.current?.abort()}>
        Stop export
      </button>
    )
  }
  return (
    <button
      type="button"
      className={mobile ? 'button icon' : 'button'}
      aria-label="Export CSV"
      aria-disabled={reason !== null}
      title={reason ?? undefined}
      onClick={() => reason === null && void save()}
    >
      <Download />
      {!mobile && 'Export CSV'}
    </button>
  )
}

function refusalOf(total: number | null): string | null {
  if (total === null) return 'The alarms are not loaded yet'
  if (total === 0) return 'There is nothing to export'
  return total > ALARMS_MAX ? `Narrow the filters to ${formatNumber(ALARMS_MAX)} alarms` : null
}
