import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, type Ref, useId, useState } from 'react'

export interface CardFact {
  name: string
  /** Shows its value only. */
  plain?: boolean | undefined
  value: ReactNode
}

interface CardListProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  heading: (row: Row) => ReactNode
  nameOf: (row: Row) => string
  /** Always in view: two or three facts. */
  facts: (row: Row) => readonly CardFact[]
  /** Behind the disclosure. */
  more: (row: Row) => readonly CardFact[]
  actions?: (row: Row) => ReactNode
  /** Before the heading: its checkbox. */
  lead?: (row: Row) => ReactNode
  /** After the heading: the most used action. */
  tail?: (row: Row) => ReactNode
  chosen?: (row: Row) => boolean
  list?: Ref<HTMLUListElement>
}

/** A table's rows on a small screen: one card each, the rest of it behind a button. */
export function CardList<Row>({ label, rows, rowKey, list, ...card }: CardListProps<Row>) {
  return (
    <ul className="card-list" aria-label={label} ref={list}>
      {rows.map((row) => (
        <RowCard key={rowKey(row)} row={row} {...card} />
      ))}
    </ul>
  )
}

type RowCardProps<Row> = Omit<CardListProps<Row>, 'label' | 'rows' | 'rowKey' | 'list'> & { row: Row }

function RowCard<Row>(props: RowCardProps<Row>) {
  const { row, heading, nameOf, facts, more, actions, lead, tail, chosen } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  const hidden = more(row)
  return (
    <li className="row-card" data-selected={chosen?.(row) || undefined}>
      <div className="row-card-head">
        {lead?.(row)}
        <h3>{heading(row)}</h3>
        {tail?.(row)}
        {(hidden.length > 0 || actions) && (
          <button
            type="button"
            className="button quiet icon"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`${open ? 'Less' : 'More'} about ${nameOf(row)}`}
            onClick={() => setOpen(!open)}
          >
            <ChevronDown />
          </button>
        )}
      </div>
      <Facts facts={facts(row)} />
      <div id={id} hidden={!open}>
        {open && (
          <>
            <Facts facts={hidden} />
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
    <dl className="facts-list">
      {facts.map(({ name, plain, value }) => (
        <div key={name} className={plain ? 'plain' : undefined}>
          <dt className={plain ? 'sr-only' : undefined}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
