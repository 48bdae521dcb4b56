import { DEVICE_PAGE_SIZE } from '#shared/limits.ts'
import { ListSkeleton } from '../../../ui/list/list-skeleton.tsx'

/** The whole card, while the code for it comes. */
export function DevicesSkeleton() {
  return (
    <section className="card devices" aria-busy="true" aria-label="Devices">
      <div className="card-head">
        <h2>Devices</h2>
      </div>
      <DeviceRowsSkeleton />
    </section>
  )
}

export function DeviceRowsSkeleton() {
  return <ListSkeleton label="Loading devices" rows={DEVICE_PAGE_SIZE} />
}
