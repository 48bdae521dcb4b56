import { Skeleton } from '../../ui/state/loading.tsx'

const CARDS = ['70%', '55%', '80%', '60%', '75%', '50%', '65%', '72%', '58%']

export function CustomerSkeletons() {
  return (
    <div className="customer-cards" role="status">
      <span className="sr-only">Loading customers</span>
      {CARDS.map((width) => (
        <div key={width} className="customer-place">
          <div className="customer-card">
            <Skeleton width={width} />
            <Skeleton width="45%" />
          </div>
          <Skeleton width="60%" />
        </div>
      ))}
    </div>
  )
}
