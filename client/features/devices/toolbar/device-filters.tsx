import type { PlanLevel } from '#shared/attention.ts'
import { ENDED_DAYS } from '#shared/devices.ts'
import type { Project } from '#shared/entities.ts'
import { SelectField } from '../../../ui/input/field.tsx'
import { FilterChips } from '../../../ui/list/filters/filters.tsx'
import { type DeviceView, EXPIRIES, NO_FILTERS, SERVICES } from '../device-view.ts'
import { OFFERING_NAMES } from '../service-links/device-services.ts'
import type { ViewControl } from '../use-device-view.ts'

interface Filter {
  label: string
  value: (view: DeviceView) => string
  change: (value: string) => Partial<DeviceView>
  options: { value: string; label: string }[]
}

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

/** By service, and by when a subscription ends. */
export function DeviceFilters({ view, change }: ViewControl) {
  return FILTERS.map((filter) => (
    <SelectField
      key={filter.label}
      label={filter.label}
      value={filter.value(view)}
      options={filter.options}
      onChange={(value) => change(filter.change(value))}
    />
  ))
}

interface DeviceChipsProps {
  control: ViewControl
  /** Where no list of projects says which one is chosen. */
  project: Project | undefined
}

/** What the list is narrowed to, each to be taken away. */
export function DeviceChips({ control: { view, change }, project }: DeviceChipsProps) {
  const chips = FILTERS.flatMap(({ value, change: changeOf, options }) => {
    const chosen = value(view) && options.find((option) => option.value === value(view))
    return chosen ? [{ label: chosen.label, onRemove: () => change(changeOf('')) }] : []
  })
  if (view.plan) chips.push({ label: PLAN_NAMES[view.plan], onRemove: () => change({ plan: null }) })
  if (project) chips.unshift({ label: project.projectName, onRemove: () => change({ project: null }) })
  return (
    <FilterChips
      chips={chips}
      onClear={() => change({ ...NO_FILTERS, ...(project ? { project: null } : {}) })}
    />
  )
}
