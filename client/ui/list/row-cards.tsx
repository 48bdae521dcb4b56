import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, type Ref, useId, useState } from 'react'
import { IconButton } from '../input/icon-button.tsx'
import { cardFacts, type ListColumn } from './columns/column.ts'
import { Facts } from './facts.tsx'

interface CardProps<Row> {
  columns: readonly ListColumn<Row>[]
  nameOf: (row: Row) => string
  actions?: ((row: Row) => ReactNode) | undefined
  beforeHeading?: (row: Row) => ReactNode
  afterHeading?: (row: Row) => ReactNode
  isSelected?: (row: Row) => boolean
}

interface RowCardsProps<Row> extends CardProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  list?: Ref<HTMLUListElement>
}

/** The rows of a table as cards on a small screen. A button on each card shows its other facts and its actions. */
export function RowCards<Row>({ label, rows, rowKey, list, ...card }: RowCardsProps<Row>) {
  return (
    <ul className="card-list" aria-label={label} ref={list}>
      {rows.map((row) => (
        <RowCard key={rowKey(row)} row={row} {...card} />
      ))}
    </ul>
  )
}

function RowCard<Row>(props: CardProps<Row> & { row: Row }) {
  const { row, columns, nameOf, actions, beforeHeading, afterHeading, isSelected } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  const moreFacts = cardFacts(columns, 'more', row)
  return (
    <li className="row-card" data-selected={isSelected?.(row) || undefined}>
      <div className="line row-card-head">
        {beforeHeading?.(row)}
        <h3>{cardFacts(columns, 'heading', row)[0]?.value}</h3>
        {afterHeading?.(row)}
        {(moreFacts.length > 0 || actions) && (
          <IconButton
            name={`${open ? 'Less' : 'More'} about ${nameOf(row)}`}
            Icon={ChevronDown}
            aria-expanded={open}
            aria-controls={id}
            onPress={() => setOpen(!open)}
          />
        )}
      </div>
      <Facts facts={cardFacts(columns, 'fact', row)} />
      <div id={id} hidden={!open}>
        {open && (
          <>
            <Facts facts={moreFacts} />
            {actions?.(row)}
          </>
        )}
      </div>
    </li>
  )
}
