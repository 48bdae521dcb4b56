import X from 'lucide-react/icons/x'
import type { PlanLevel } from '#shared/attention.ts'
import { type DeviceSort, ENDED_DAYS, type SortOrder } from '#shared/devices.ts'
import { SelectField } from '../../../ui/input/field.tsx'
import { type DeviceView, EXPIRIES, SERVICES } from '../device-view.ts'
import { OFFERING_NAMES } from '../service-links/device-services.ts'
import type { ViewControl } from '../use-device-view.ts'

interface Filter {
  label: string
  value: (view: DeviceView) => string
  change: (value: string) => Partial<DeviceView>
  options: { value: string; label: string }[]
}

/** By service, and by how soon a subscription ends. */
const FILTERS: Filter[] = [
  {
    label: 'Service',
    value: ({ service }) => service ?? '',
    change: (value) => ({ service: SERVICES.find((one) => one === value) ?? null }),
    options: [
      { value: '', label: 'All services' },
      ...SERVICES.map((value) => ({ value, label: OFFERING_NAMES[value] ?? value }))
    ]
  },
  {
    label: 'Subscription ends',
    value: ({ expires }) => String(expires ?? ''),
    change: (value) => ({ expires: EXPIRIES.find((days) => String(days) === value) ?? null }),
    options: [
      { value: '', label: 'Ends any time' },
      ...EXPIRIES.map((days) => ({
        value: String(days),
        label: days === ENDED_DAYS ? 'Has ended' : `Ends within ${days} days`
      }))
    ]
  }
]

const PLAN_NAMES: Record<PlanLevel, string> = {
  warning: 'Usage close to the plan limit',
  exceeded: 'Usage above the plan limit'
}

interface DeviceFiltersProps extends ViewControl {
  /** With their labels in sight, as in a sheet. */
  labelled?: boolean
}

/** By what can be chosen, and by data usage where a count has led here. */
export function DeviceFilters({ view, change, labelled }: DeviceFiltersProps) {
  const fields = FILTERS.map((filter) => {
    const value = filter.value(view)
    const onChange = (next: string) => change(filter.change(next))
    if (labelled)
      return (
        <SelectField
          key={filter.label}
          label={filter.label}
          value={value}
          options={filter.options}
          onChange={onChange}
        />
      )
    return (
      <select
        key={filter.label}
        className="select device-filter"
        aria-label={filter.label}
        value={value}
        data-set={value !== '' || undefined}
        onChange={({ target }) => onChange(target.value)}
      >
        {filter.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  })
  return (
    <>
      {fields}
      {view.plan && <PlanChip plan={view.plan} onClear={() => change({ plan: null })} />}
    </>
  )
}

function PlanChip({ plan, onClear }: { plan: PlanLevel; onClear: () => void }) {
  const name = PLAN_NAMES[plan]
  return (
    <span className="chip">
      <span>{name}</span>
      <button
        type="button"
        aria-label={`Show any data usage instead of ${name.toLowerCase()}`}
        onClick={onClear}
      >
        <X />
      </button>
    </span>
  )
}

/** The project that the list is narrowed to. */
export function ProjectChip({ name, onClear }: { name: string; onClear: () => void }) {
  return (
    <span className="chip">
      <span title={name}>{name}</span>
      <button type="button" aria-label={`Show all projects instead of ${name}`} onClick={onClear}>
        <X />
      </button>
    </span>
  )
}

/** The sorts of a list that has no column headers, by what there is to sort by, in words. */
export function sortOptions(sorts: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(sorts).flatMap(([sort, name]) => [
    { value: `${sort} asc`, label: `${name}, A–Z` },
    { value: `${sort} desc`, label: `${name}, Z–A` }
  ])
}

export function sortOf(value: string): Pick<DeviceView, 'sort' | 'order'> {
  const [sort, order] = value.split(' ') as [DeviceSort, SortOrder]
  return { sort, order }
}
