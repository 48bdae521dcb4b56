import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, type Ref, useId, useState } from 'react'
import { IconButton } from '../input/icon-button.tsx'
import { type CardFact, cardFacts, type ListColumn } from './columns/column.ts'

interface CardProps<Row> {
  columns: readonly ListColumn<Row>[]
  nameOf: (row: Row) => string
  actions?: ((row: Row) => ReactNode) | undefined
  lead?: (row: Row) => ReactNode
  /** The most used action, after the heading. */
  tail?: (row: Row) => ReactNode
  chosen?: (row: Row) => boolean
}

interface CardListProps<Row> extends CardProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  list?: Ref<HTMLUListElement>
}

/** The rows of a table as cards on a small screen. A button on each card shows its other facts and its actions. */
export function CardList<Row>({ label, rows, rowKey, list, ...card }: CardListProps<Row>) {
  return (
    <ul className="card-list" aria-label={label} ref={list}>
      {rows.map((row) => (
        <RowCard key={rowKey(row)} row={row} {...card} />
      ))}
    </ul>
  )
}

function RowCard<Row>(props: CardProps<Row> & { row: Row }) {
  const { row, columns, nameOf, actions, lead, tail, chosen } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  const moreFacts = cardFacts(columns, 'more', row)
  return (
    <li className="row-card" data-selected={chosen?.(row) || undefined}>
      <div className="line row-card-head">
        {lead?.(row)}
        <h3>{cardFacts(columns, 'heading', row)[0]?.value}</h3>
        {tail?.(row)}
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

export function Facts({ facts }: { facts: readonly CardFact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className="lines facts-list">
      {facts.map(({ name, plain, value }) => (
        <div key={name} className={plain ? 'hint plain' : undefined}>
          <dt className={plain ? 'sr-only' : 'hint'}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
