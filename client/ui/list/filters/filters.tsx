import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { type ListDefaults, type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import type { Option } from '../../input/combobox.tsx'
import { SelectField } from '../../input/field.tsx'
import { type Choice, FilterMenu } from './filter-menu.tsx'

interface FilterChip {
  label: string
  onRemove: () => void
}

type Name<View> = keyof View & string

/** The list's state in its address, or a draft of it. */
export type Edited<View extends ListDefaults> = Pick<ListQuery<View>, 'values' | 'change'>

export interface SortOrder {
  sort: string
  order: string
}

export interface Filter<View extends ListDefaults> {
  /** The query parameters that the filter sets. */
  names: readonly Name<View>[]
  field?: (edited: Edited<View>) => ReactNode
  chips?: (query: ListQuery<View>) => FilterChip[]
}

/** Values of a list's parameters, typed for any list. */
export const set = <View extends ListDefaults>(values: Record<string, string>) => values as Partial<View>

const labelOf = (choices: readonly Choice[], value: string | undefined) =>
  choices.find((choice) => choice.value === value)?.label ?? value ?? ''

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
        onRemove: () => {
          const otherValues = chosenOf(query).filter((option) => option !== value)
          query.change(set({ [name]: otherValues.join(',') }))
        }
      }))
  }
}

/** Choices from labels that are keyed by value. */
export function choicesOf(labels: Readonly<Record<string, { label: string }>>): Choice[] {
  return Object.entries(labels).map(([value, { label }]) => ({ value, label }))
}

/** For a chip whose label needs no name of the filter. */
export const ownLabel = (chosen: string) => chosen

/** A filter by one value or none. */
export function oneOf<View extends ListDefaults>(
  name: Name<View>,
  label: string,
  /** The label of the default choice, which sets no filter. */
  defaultLabel: string,
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
        options={[{ value: '', label: defaultLabel }, ...choices]}
      />
    ),
    chips: ({ values, clear }) =>
      values[name] ? [{ label: chipOf(labelOf(choices, values[name])), onRemove: () => clear(name) }] : []
  }
}

export function namedOne<View extends ListDefaults>(
  id: Name<View>,
  name: Name<View>,
  label: string,
  field?: (chosen: Option | null, onChoose: (option: Option | null) => void) => ReactNode
): Filter<View> {
  return {
    names: [id, name],
    field: ({ values, change }) =>
      field?.(values[id] ? { id: values[id], name: values[name] || values[id] } : null, (option) =>
        change(set({ [id]: option?.id ?? '', [name]: option?.name ?? '' }))
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
): FilterChip[] {
  return filters.flatMap(({ chips }) => chips?.(query) ?? [])
}

interface ChipProps {
  /** The item's name in the label of the button that removes it. */
  name: string
  title?: string
  onRemove: () => void
  children: ReactNode
}

/** An item of a list that can be removed. */
export function Chip({ name, title, onRemove, children }: ChipProps) {
  return (
    <li className="chip">
      <span title={title}>{children}</span>
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <X />
      </button>
    </li>
  )
}

interface ActiveFiltersProps<View extends ListDefaults> {
  query: ListQuery<View>
  filters: readonly Filter<View>[]
}

/** The active filters, to remove one by one or all at once. */
export function ActiveFilters<View extends ListDefaults>(props: ActiveFiltersProps<View>) {
  const { query, filters } = props
  const chips = chipsOf(filters, query)
  const names = filters.filter((filter) => filter.chips).flatMap((filter) => filter.names)
  if (chips.length === 0) return null
  return (
    <ul className="row filter-chips" aria-label="Filters">
      {chips.map(({ label, onRemove }) => (
        <Chip key={label} name={`filter ${label}`} onRemove={onRemove}>
          {label}
        </Chip>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className="link-button" onClick={() => query.clear(...names)}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}
