import ArrowRight from 'lucide-react/icons/arrow-right'
import type { CsvColumn } from '#shared/csv.ts'
import type { ListColumn } from '../../../../ui/list/columns/column.ts'
import { COLUMNS } from './device-file.ts'
import type { Difference, Field, PlannedRow } from './plan.ts'
import { type RowState, textOfState } from './result.ts'

export interface ShownRow extends PlannedRow {
  state: RowState
}

export const nameOfRow = ({ deviceName }: PlannedRow) => deviceName.before ?? deviceName.after ?? ''

const differenceColumn = (id: string, field: Field): ListColumn<ShownRow> => ({
  id,
  header: COLUMNS[field],
  width: 9,
  cell: (row) => <OldAndNew {...row[field]} />,
  card: {
    as: 'fact',
    cell: (row) => (row[field].after === null ? null : <OldAndNew {...row[field]} />)
  }
})

const DIFFERENCE_COLUMNS: readonly ListColumn<ShownRow>[] = [
  {
    id: 'row',
    header: 'Row',
    whole: true,
    value: ({ number }) => number,
    card: { as: 'heading', cell: (row) => nameOfRow(row) || `Row ${row.number}` }
  },
  differenceColumn('name', 'deviceName'),
  differenceColumn('place', 'location'),
  differenceColumn('moved', 'project')
]

const RESULT_COLUMN: ListColumn<ShownRow> = {
  id: 'result',
  header: 'Result',
  width: 16,
  cell: ({ state: { label, reason, tone } }) => (
    <>
      <span className="bulk-edit-result" data-tone={tone}>
        {label}
      </span>
      {reason && ` ${reason}`}
    </>
  ),
  card: 'fact'
}

/** The columns of rows that have a result; those of other rows. */
export const WITH_RESULT = [...DIFFERENCE_COLUMNS, RESULT_COLUMN]
export const WITHOUT_RESULT = DIFFERENCE_COLUMNS

function OldAndNew({ before, after }: Difference) {
  if (before === null || after === null) return <span className="muted">{before ?? after}</span>
  return (
    <span className="old-and-new">
      <del>
        <span className="sr-only">Old: </span>
        {before || EMPTY}
      </del>{' '}
      <ArrowRight />{' '}
      <ins>
        <span className="sr-only">New: </span>
        {after || EMPTY}
      </ins>
    </span>
  )
}

const EMPTY = '(empty)'

const textColumns = (field: Field): CsvColumn<ShownRow>[] => [
  { header: `${COLUMNS[field]} before`, value: (row) => row[field].before },
  { header: `${COLUMNS[field]} after`, value: (row) => row[field].after ?? row[field].before }
]

/** The columns of the saved table. */
export const RESULT_COLUMNS: readonly CsvColumn<ShownRow>[] = [
  { header: 'Row', value: ({ number }) => number },
  { header: COLUMNS.deviceUuid, value: ({ deviceUuid }) => deviceUuid },
  ...textColumns('deviceName'),
  ...textColumns('location'),
  ...textColumns('project'),
  { header: 'Result', value: ({ state }) => textOfState(state) }
]
