import { Skeleton } from '../../components/skeleton.tsx'

export function ReportsSkeleton() {
  return (
    <div className="table-skeleton" aria-busy="true">
      <span className="sr-only">Loading reports</span>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row}>
          {['70%', '45%', '50%', '40%', '60%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  )
}
