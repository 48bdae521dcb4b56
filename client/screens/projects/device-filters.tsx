import { EXPIRIES, SERVICES } from '../../lib/device-view.ts'
import { OFFERING_NAMES } from '../../lib/service-links.ts'
import type { ViewControl } from './use-device-view.ts'

/** By service, and by how soon a subscription ends. */
export function DeviceFilters({ view, change }: ViewControl) {
  return (
    <>
      <select
        className="select device-filter"
        aria-label="Service"
        value={view.service ?? ''}
        data-set={view.service !== null || undefined}
        onChange={({ target }) => change({ service: SERVICES.find((one) => one === target.value) ?? null })}
      >
        <option value="">All services</option>
        {SERVICES.map((service) => (
          <option key={service} value={service}>
            {OFFERING_NAMES[service]}
          </option>
        ))}
      </select>
      <select
        className="select device-filter"
        aria-label="Subscription ends"
        value={view.expires ?? ''}
        data-set={view.expires !== null || undefined}
        onChange={({ target }) =>
          change({ expires: EXPIRIES.find((days) => String(days) === target.value) ?? null })
        }
      >
        <option value="">Ends any time</option>
        {EXPIRIES.map((days) => (
          <option key={days} value={days}>{`Ends within ${days} days`}</option>
        ))}
      </select>
    </>
  )
}
