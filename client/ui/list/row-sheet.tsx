import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import type { ReactNode } from 'react'
import { Modal } from '../dialog/modal.tsx'
import { IconButton } from '../input/icon-button.tsx'
import type { MenuItem } from '../input/menu-button.tsx'
import { cardFacts, type ListColumn } from './columns/column.ts'
import { Facts } from './facts.tsx'
import { CardActions } from './row-actions.tsx'

interface RowSheetProps<Row> {
  /** One row, as in "Next user". */
  noun: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  nameOf: (row: Row) => string
  columns: readonly ListColumn<Row>[]
  actions: readonly MenuItem[]
  lead?: ReactNode
  openKey: string
  onMove: (key: string) => void
  onClose: () => void
}

/** Shows all facts of a row at the side of the list, with buttons to the previous and next rows. */
export function RowSheet<Row>(props: RowSheetProps<Row>) {
  const { noun, rows, rowKey, nameOf, columns, actions, lead, openKey, onMove, onClose } = props
  const index = rows.findIndex((row) => rowKey(row) === openKey)
  const row = rows[index]
  if (!row) return null
  const steps = [
    { name: `Previous ${noun}`, Icon: ChevronUp, to: rows[index - 1] },
    { name: `Next ${noun}`, Icon: ChevronDown, to: rows[index + 1] }
  ]
  return (
    <Modal title={nameOf(row)} kind="side" onClose={onClose}>
      <div className="modal-body row-sheet">
        <div className="line sheet-steps">
          {lead}
          {steps.map(({ name, Icon, to }) => (
            <IconButton
              key={name}
              name={name}
              Icon={Icon}
              off={!to}
              onPress={() => to && onMove(rowKey(to))}
            />
          ))}
        </div>
        <Facts facts={cardFacts(columns, ['fact', 'more'], row)} />
        {actions.length > 0 && <CardActions items={actions} />}
      </div>
    </Modal>
  )
}
