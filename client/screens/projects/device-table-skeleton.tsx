import { DEVICE_PAGE_SIZE } from '#shared/limits.ts'
import { Skeleton } from '../../components/skeleton.tsx'

const ROWS = Array.from({ length: DEVICE_PAGE_SIZE }, (_, index) => index)
const WIDTHS = ['68%', '82%', '60%', '74%', '55%']

/** The whole card, while the code for it comes. */
export function DevicesSkeleton() {
  return (
    <section className="card devices" aria-busy="true" aria-label="Devices">
      <div className="card-head">
        <h2>Devices</h2>
      </div>
      <DeviceTableSkeleton />
    </section>
  )
}

export function DeviceTableSkeleton() {
  return (
    <div className="table-skeleton" role="status">
      <span className="sr-only">Loading devices</span>
      {ROWS.map((row) => (
        <div key={row}>
          {WIDTHS.map((_, column) => {
            const width = WIDTHS[(row + column) % WIDTHS.length] ?? '60%'
            return <Skeleton key={width} width={width} />
          })}
        </div>
      ))}
    </div>
  )
}
