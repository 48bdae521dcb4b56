import X from 'lucide-react/icons/x'
import { Fragment, type ReactNode } from 'react'
import { type ListDefaults, type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import type { Option } from '../../input/combobox.tsx'
import { SelectField } from '../../input/field.tsx'
import { type Choice, FilterMenu } from '../popover.tsx'
import { FilterSheet } from './filter-sheet.tsx'

export interface Chip {
  /** "Role: Partner admin". */
  label: string
  onRemove: () => void
}

type Name<View> = keyof View & string

/** The list's state in its address, or a draft of it. */
type Edited<View extends ListDefaults> = Pick<ListQuery<View>, 'values' | 'change'>

export interface Filter<View extends ListDefaults> {
  /** What it sets of the list's state. */
  names: readonly Name<View>[]
  field?: (edited: Edited<View>) => ReactNode
  chips?: (query: ListQuery<View>) => Chip[]
}

const set = <View extends ListDefaults>(values: Record<string, string>) => values as Partial<View>

const labelOf = (choices: readonly Choice[], value: string | undefined) =>
  choices.find((choice) => choice.value === value)?.label ?? value ?? ''

/** Any number of values. */
export function severalOf<View extends ListDefaults>(
  name: Name<View>,
  label: string,
  choices: readonly Choice[]
): Filter<View> {
  const chosenOf = ({ values }: Edited<View>) => listOf(values[name] ?? '')
  return {
    names: [name],
    field: (edited) => (
      <FilterMenu
        label={label}
        choices={choices}
        chosen={chosenOf(edited)}
        onChange={(chosen) => edited.change(set({ [name]: chosen.join(',') }))}
      />
    ),
    chips: (query) =>
      chosenOf(query).map((value) => ({
        label: `${label}: ${labelOf(choices, value)}`,
        onRemove: () =>
          query.change(
            set({
              [name]: chosenOf(query)
                .filter((one) => one !== value)
                .join(',')
            })
          )
      }))
  }
}

/** One value, or any (the first choice, whose value is that of the default). */
export function oneOf<View extends ListDefaults>(
  name: Name<View>,
  label: string,
  choices: readonly Choice[],
  chipOf: (label: string) => string = (chosen) => `${label}: ${chosen}`
): Filter<View> {
  return {
    names: [name],
    field: ({ values, change }) => (
      <SelectField
        label={label}
        value={values[name] ?? ''}
        onChange={(value) => change(set({ [name]: value }))}
        options={[...choices]}
      />
    ),
    chips: ({ values, clear }) =>
      values[name] ? [{ label: chipOf(labelOf(choices, values[name])), onRemove: () => clear(name) }] : []
  }
}

/** One of more than can be listed, by its id and its name. */
export function namedOne<View extends ListDefaults>(
  id: Name<View>,
  name: Name<View>,
  label: string,
  field?: (chosen: Option | null, onChoose: (one: Option | null) => void) => ReactNode
): Filter<View> {
  return {
    names: [id, name],
    field: ({ values, change }) =>
      field?.(values[id] ? { id: values[id], name: values[name] || values[id] } : null, (one) =>
        change(set({ [id]: one?.id ?? '', [name]: one?.name ?? '' }))
      ),
    chips: ({ values, clear }) =>
      values[id]
        ? [{ label: `${label}: ${values[name] || values[id]}`, onRemove: () => clear(id, name) }]
        : []
  }
}

export function chipsOf<View extends ListDefaults>(
  filters: readonly Filter<View>[],
  query: ListQuery<View>
): Chip[] {
  return filters.flatMap(({ chips }) => chips?.(query) ?? [])
}

interface FiltersProps<View extends ListDefaults> {
  query: ListQuery<View>
  /** The list's state when nothing is filtered. */
  defaults: View
  filters: readonly Filter<View>[]
  /** What the list can be sorted by, where only its headings offer that otherwise. */
  sorts?: Readonly<Record<string, string>> | undefined
  /** What else is set for the list, where there is room for it only with the filters. */
  settings?: ReactNode
  /** Behind one button also on a wide screen. */
  menu?: boolean
}

/** The fields of the filters: beside each other, or in a sheet on a small screen. */
export function Filters<View extends ListDefaults>(props: FiltersProps<View>) {
  const { query, defaults, filters, sorts, settings, menu = false } = props
  const held = filters.map(({ names, chips }) => {
    const changed = names.some((name) => query.values[name] !== defaults[name])
    return Math.max(chips?.(query).length ?? 0, changed ? 1 : 0)
  })
  return (
    <FilterSheet
      query={query}
      count={held.reduce((sum, one) => sum + one, 0)}
      defaults={defaults}
      names={filters.flatMap(({ names }) => names)}
      sorts={sorts}
      settings={settings}
      menu={menu}
    >
      {(edited) =>
        filters.map(({ names, field }) => <Fragment key={names.join()}>{field?.(edited)}</Fragment>)
      }
    </FilterSheet>
  )
}

interface FilterListProps<View extends ListDefaults> {
  query: ListQuery<View>
  filters: readonly Filter<View>[]
  /** What goes with all of them, such as the keyword. */
  also?: readonly Name<View>[]
}

/** The filters that hold, each to be taken away. */
export function HeldFilters<View extends ListDefaults>({ query, filters, also = [] }: FilterListProps<View>) {
  const names = filters.filter(({ chips }) => chips).flatMap((filter) => filter.names)
  return <FilterChips chips={chipsOf(filters, query)} onClear={() => query.clear(...names, ...also)} />
}

/** The filters that hold, each to be taken away by itself, or all at once. */
export function FilterChips({ chips, onClear }: { chips: readonly Chip[]; onClear: () => void }) {
  if (chips.length === 0) return null
  return (
    <ul className="row filter-chips" aria-label="Filters">
      {chips.map(({ label, onRemove }) => (
        <li key={label} className="chip">
          <span>{label}</span>
          <button type="button" aria-label={`Remove filter ${label}`} onClick={onRemove}>
            <X />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className="link-button" onClick={onClear}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}
