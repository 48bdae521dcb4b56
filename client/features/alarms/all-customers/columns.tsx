import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { type AlarmCells, alarmColumns, besideDrawer } from '../alarms/columns.tsx'

/** The columns that come first, in this order. */
const FIRST = ['priority', 'sourceName', 'sourceState', 'customer', 'messageText', 'timestamp']

type Cells = Pick<AlarmCells<AlarmOfCustomer>, 'customerPathOf' | 'ackOf' | 'onOpen' | 'onAcknowledge'>

/** @param isNarrow whether the details of an alarm are open beside the table */
export function allAlarmsColumns(isNarrow: boolean, cells: Cells): ListColumn<AlarmOfCustomer>[] {
  const columns = alarmColumns<AlarmOfCustomer>({
    ...cells,
    withDevice: true,
    nameOf: ({ device }) => device,
    customerNameOf: ({ customer }) => customer.orgName
  }).map(inAllCustomers)
  const first = FIRST.flatMap((id) => columns.filter((column) => column.id === id))
  const ordered = [...first, ...columns.filter((column) => !FIRST.includes(column.id))]
  return isNarrow ? besideDrawer(ordered) : ordered
}

function inAllCustomers(column: ListColumn<AlarmOfCustomer>): ListColumn<AlarmOfCustomer> {
  return column.id === 'device' ? { ...column, id: 'customer', sort: 'customer' } : column
}
