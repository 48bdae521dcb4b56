import ListFilter from 'lucide-react/icons/list-filter'
import { Fragment, useState } from 'react'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import type { ListDefaults, ListQuery } from '../../../lib/use-list-query.ts'
import { Modal } from '../../dialog/modal.tsx'
import { SelectField } from '../../input/field.tsx'
import type { Choice } from './filter-menu.tsx'
import { chipsOf, type Edited, type Filter, type SortOrder } from './filters.tsx'
import { Popover } from './popover.tsx'

interface FiltersProps<View extends ListDefaults> {
  query: ListQuery<View>
  filters: readonly Filter<View>[]
  /** The sort orders, for rows without column headings. */
  sorts?: readonly Choice[]
  sortOrder?: SortOrder
  /** Whether the rows are cards on a wide screen too. */
  asCards?: boolean | undefined
  /** How many filters have a field beside the button on a wide screen. */
  fieldsMax?: number | undefined
}

/**
 * The filters behind one button: in a popover on a wide screen, where the most used filters have fields beside the
 * button, or in a sheet with an Apply button on a phone or tablet.
 */
export function Filters<View extends ListDefaults>(props: FiltersProps<View>) {
  const { query, sorts = [], asCards, fieldsMax = 2 } = props
  const [open, setOpen] = useState(false)
  const tablet = useTablet()
  const wide = useLayout() === 'desktop' && !tablet
  // A filter without a field only names what the address filters by.
  const filters = props.filters.filter(({ field }) => field?.(query))
  const beside = wide ? filters.slice(0, fieldsMax) : []
  const behind = filters.slice(beside.length)
  const hasSorts = (!wide || asCards) && sorts.length > 0
  if (behind.length === 0 && !hasSorts) return <Fields filters={beside} edited={query} />
  const count = behind.reduce((sum, filter) => {
    const changed = filter.names.some((name) => query.values[name] !== query.defaults[name])
    return sum + Math.max(chipsOf([filter], query).length, Number(changed))
  }, 0)
  const title = hasSorts ? 'Filter and sort' : 'Filters'
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
  if (!hasSorts && wide)
    return (
      <>
        <Fields filters={beside} edited={query} />
        <Popover legend={title} label={label} className="button filters-button">
          <div className="stack">
            <Fields filters={behind} edited={query} />
          </div>
        </Popover>
      </>
    )
  return (
    <>
      <Fields filters={beside} edited={query} />
      <button
        type="button"
        className="button filters-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {open && <Sheet {...props} filters={filters} title={title} onClose={() => setOpen(false)} />}
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

function Sheet<View extends ListDefaults>(props: SheetProps<View>) {
  const { query, filters, sorts = [], sortOrder, title, onClose } = props
  const { values, defaults, change } = query
  const [changes, setChanges] = useState<Partial<View>>({})
  const draft = { ...values, ...sortOrder, ...changes }
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
        {sorts.length > 0 && (
          <SelectField
            label="Sort by"
            value={`${draft.sort} ${draft.order}`}
            options={[...sorts]}
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
