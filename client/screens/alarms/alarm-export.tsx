import type { AlarmOrder } from '#shared/alarms.ts'
import { allAlarms } from '../../api/alarm-export.ts'
import type { AlarmFilter } from '../../api/alarms.ts'
import type { DeviceName } from '../../api/device-names.ts'
import { ListExport } from '../../deeds/list-export.tsx'
import { ACK_STATES, type Alarm, bandOf, SOURCE_STATES } from '../../lib/alarms.ts'
import type { CsvColumn } from '../../lib/csv.ts'

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

/** What the filters find as a file. */
export function AlarmExport({ customerId, filter, order, total, nameOf }: AlarmExportProps) {
  return (
    <ListExport
      file="alarms"
      nouns={['alarm', 'alarms']}
      total={total}
      columns={columnsOf(nameOf)}
      read={(max, signal) => allAlarms(customerId, filter, order, max, signal)}
    />
  )
}
