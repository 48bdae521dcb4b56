import ListFilter from 'lucide-react/icons/list-filter'
import { Fragment, useState } from 'react'
import { capitalized } from '../../../lib/format.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import type { ListDefaults, ListQuery } from '../../../lib/use-list-query.ts'
import { Modal } from '../../dialog/modal.tsx'
import { SelectField } from '../../input/field.tsx'
import type { Edited, Filter } from './filters.tsx'
import { Popover } from './popover.tsx'

interface FiltersProps<View extends ListDefaults> {
  query: ListQuery<View>
  filters: readonly Filter<View>[]
  /** Names of the sort orders, for layouts without column headings. */
  sorts?: Readonly<Record<string, string>> | undefined
  /** Whether the filters are behind one button on a wide screen too. */
  menu?: boolean
}

/** The fields of the filters in a row, or on a phone or tablet in a sheet with an Apply button. */
export function Filters<View extends ListDefaults>(props: FiltersProps<View>) {
  const { query, filters, sorts, menu } = props
  const [open, setOpen] = useState(false)
  const tablet = useTablet()
  const wide = useLayout() === 'desktop' && !tablet
  if (wide && !menu) return <Fields filters={filters} edited={query} />
  const count = filters.reduce((sum, { names, chips }) => {
    const changed = names.some((name) => query.values[name] !== query.defaults[name])
    return sum + Math.max(chips?.(query).length ?? 0, Number(changed))
  }, 0)
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
  if (wide)
    return (
      <Popover legend={title} label={label}>
        <div className="stack">
          <Fields filters={filters} edited={query} />
        </div>
      </Popover>
    )
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

interface FieldsProps<View extends ListDefaults> {
  filters: readonly Filter<View>[]
  edited: Edited<View>
}

function Fields<View extends ListDefaults>({ filters, edited }: FieldsProps<View>) {
  return filters.map(({ names, field }) => <Fragment key={names.join()}>{field?.(edited)}</Fragment>)
}

type SheetProps<View extends ListDefaults> = FiltersProps<View> & { title: string; onClose: () => void }

function Sheet<View extends ListDefaults>({ query, filters, sorts, title, onClose }: SheetProps<View>) {
  const { values, defaults, change } = query
  const [changes, setChanges] = useState<Partial<View>>({})
  const draft = { ...values, ...changes }
  const alter = (next: Partial<View>) => setChanges((previous) => ({ ...previous, ...next }))
  const defaultEntries = filters.flatMap(({ names }) => names.map((name) => [name, defaults[name]]))

  function apply() {
    const entries = Object.entries(changes).filter(([name, value]) => value !== values[name])
    if (entries.length > 0) change(Object.fromEntries(entries) as Partial<View>)
    onClose()
  }

  return (
    <Modal title={title} kind="screen" onClose={onClose} onEnter={apply}>
      <div className="modal-body filter-sheet">
        <Fields filters={filters} edited={{ values: draft, change: alter }} />
        {sorts && (
          <SelectField
            label="Sort by"
            value={`${draft.sort} ${draft.order}`}
            options={Object.entries(sorts).flatMap(([sort, name]) => [
              { value: `${sort} asc`, label: `${capitalized(name)}, ascending` },
              { value: `${sort} desc`, label: `${capitalized(name)}, descending` }
            ])}
            onChange={(value) => {
              const [sort, order] = value.split(' ')
              alter({ sort, order } as unknown as Partial<View>)
            }}
          />
        )}
      </div>
      <div className="row modal-actions">
        <button
          type="button"
          className="button quiet"
          onClick={() => alter(Object.fromEntries(defaultEntries) as Partial<View>)}
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
