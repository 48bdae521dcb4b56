import { Skeleton } from '../../components/skeleton.tsx'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

export function TableSkeleton({ label }: { label: string }) {
  return (
    <div className="table-skeleton" aria-busy="true">
      <span className="sr-only">{label}</span>
      {ROWS.map((row) => (
        <div key={row}>
          {['70%', '45%', '50%', '40%', '60%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  )
}
