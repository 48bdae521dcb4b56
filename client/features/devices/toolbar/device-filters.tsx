import X from 'lucide-react/icons/x'
import type { PlanLevel } from '#shared/attention.ts'
import { ENDED_DAYS } from '#shared/devices.ts'
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

/** By what can be chosen, and by data usage where a count has led here. */
export function DeviceFilters({ view, change }: ViewControl) {
  const plan = view.plan && PLAN_NAMES[view.plan]
  return (
    <>
      {FILTERS.map((filter) => (
        <SelectField
          key={filter.label}
          label={filter.label}
          value={filter.value(view)}
          options={filter.options}
          onChange={(value) => change(filter.change(value))}
        />
      ))}
      {plan && (
        <ViewChip
          text={plan}
          clearLabel={`Show any data usage instead of ${plan.toLowerCase()}`}
          onClear={() => change({ plan: null })}
        />
      )}
    </>
  )
}

interface ProjectChipProps extends Pick<ViewControl, 'change'> {
  name: string
}

/** The project that the list is narrowed to. */
export function ProjectChip({ name, change }: ProjectChipProps) {
  return (
    <ViewChip
      text={name}
      clearLabel={`Show all projects instead of ${name}`}
      onClear={() => change({ project: null })}
    />
  )
}

interface ViewChipProps {
  text: string
  clearLabel: string
  onClear: () => void
}

function ViewChip({ text, clearLabel, onClear }: ViewChipProps) {
  return (
    <span className="chip">
      <span title={text}>{text}</span>
      <button type="button" aria-label={clearLabel} onClick={onClear}>
        <X />
      </button>
    </span>
  )
}
