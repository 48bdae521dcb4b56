import ChevronRight from 'lucide-react/icons/chevron-right'
import { Fragment, type ReactNode, type Ref } from 'react'
import { IconButton } from '../input/icon-button.tsx'
import { cardFacts, type ListColumn } from './columns/column.ts'

interface CardProps<Row> {
  columns: readonly ListColumn<Row>[]
  nameOf: (row: Row) => string
  /** Content at the start of a card, as its checkbox. */
  start?: (row: Row) => ReactNode
  /** Content at the end of a card, as a button for its most used action. */
  end?: (row: Row) => ReactNode
  isSelected?: (row: Row) => boolean
  /** Opens the details of a row. */
  onOpen?: (row: Row) => void
}

interface RowCardsProps<Row> extends CardProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  list?: Ref<HTMLUListElement>
}

/** The rows of a table as cards on a small screen: the name, and below it the facts. */
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
  const { row, columns, nameOf, start, end, isSelected, onOpen } = props
  const headings = cardFacts(columns, ['heading'], row)
  const asides = cardFacts(columns, ['aside'], row)
  const facts = cardFacts(columns, ['fact'], row)
  return (
    <li className="row-card" data-selected={isSelected?.(row) || undefined}>
      {start?.(row)}
      <div className="row-card-main">
        <div className="line row-card-head">
          <h3>{headings[0]?.value}</h3>
          {asides.map(({ name, value }) => (
            <Fragment key={name}>{value}</Fragment>
          ))}
        </div>
        <p className="muted row-card-facts dotted">
          {facts.map(({ name, value }) => (
            <span key={name}>
              <span className="sr-only">{name}: </span>
              {value}
            </span>
          ))}
        </p>
      </div>
      {end?.(row)}
      {onOpen && (
        <IconButton
          name={`Details of ${nameOf(row)}`}
          Icon={ChevronRight}
          aria-haspopup="dialog"
          onPress={() => onOpen(row)}
        />
      )}
    </li>
  )
}
