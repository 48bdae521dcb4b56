import ListFilter from 'lucide-react/icons/list-filter'
import { type ReactNode, useState } from 'react'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import { Modal } from '../../dialog/modal.tsx'
import { SelectField } from '../../input/field.tsx'
import { Popover } from '../popover.tsx'

/** What filters read and change: a list's state in its address, or a draft of it. */
interface Query<View> {
  values: View
  change: (values: Partial<View>) => void
}

interface FilterSheetProps<View extends Record<string, string>> {
  query: Query<View>
  /** How many filters hold. */
  count: number
  /** The list's state when nothing is filtered, and the names in it that filters set. */
  defaults: View
  names: readonly (keyof View & string)[]
  /** What the list can be sorted by, where only its headings offer that otherwise: names by their value of `sort`. */
  sorts?: Readonly<Record<string, string>> | undefined
  /** What else is set for the list, and holds at once. */
  settings?: ReactNode
  /** Behind one button on a wide screen too. */
  menu?: boolean
  children: (query: Query<View>) => ReactNode
}

/** The filters beside each other; on a phone and a tablet in a sheet, where Apply takes them. */
export function FilterSheet<View extends Record<string, string>>(props: FilterSheetProps<View>) {
  const { query, count, sorts, menu = false, children } = props
  const [open, setOpen] = useState(false)
  const tablet = useTablet()
  const wide = useLayout() === 'desktop' && !tablet
  if (wide && !menu) return children(query)
  const title = sorts && !wide ? 'Filter and sort' : 'Filters'
  const label = (
    <>
      <ListFilter />
      <span>{title}</span>
      {count > 0 && (
        <span className="badge plain">
          {count}
          <span className="sr-only"> chosen</span>
        </span>
      )}
    </>
  )
  if (wide) {
    return (
      <Popover legend={title} label={label}>
        <div className="filter-fields">{children(query)}</div>
      </Popover>
    )
  }
  return (
    <>
      <button
        type="button"
        className="button filters-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {open && <Sheet {...props} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

function Sheet<View extends Record<string, string>>({
  query: { values, change },
  defaults,
  names,
  sorts,
  settings,
  children,
  title,
  onClose
}: FilterSheetProps<View> & { title: string; onClose: () => void }) {
  const [changes, setChanges] = useState<Partial<View>>({})
  const draft = { ...values, ...changes }
  const alter = (next: Partial<View>) => setChanges((before) => ({ ...before, ...next }))

  function apply() {
    const changed = Object.entries(changes).filter(([name, value]) => value !== values[name])
    if (changed.length > 0) change(Object.fromEntries(changed) as Partial<View>)
    onClose()
  }

  return (
    <Modal title={title} kind="screen" onClose={onClose} onEnter={apply}>
      <div className="modal-body filter-sheet">
        {children({ values: draft, change: alter })}
        {sorts && (
          <SelectField
            label="Sort by"
            value={`${draft.sort} ${draft.order}`}
            options={Object.entries(sorts).flatMap(([sort, name]) => [
              { value: `${sort} asc`, label: `${initial(name)}, ascending` },
              { value: `${sort} desc`, label: `${initial(name)}, descending` }
            ])}
            onChange={(value) => {
              const [sort, order] = value.split(' ')
              alter({ sort, order } as unknown as Partial<View>)
            }}
          />
        )}
        {settings}
      </div>
      <div className="row modal-actions">
        <button
          type="button"
          className="button quiet"
          onClick={() =>
            alter(Object.fromEntries(names.map((name) => [name, defaults[name]])) as Partial<View>)
          }
        >
          Clear filters
        </button>
        <button type="button" className="button primary" onClick={apply}>
          Apply
        </button>
      </div>
    </Modal>
  )
}

const initial = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)
