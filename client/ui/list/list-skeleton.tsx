import { Skeleton } from '../state/loading.tsx'

const WIDTHS = ['68%', '82%', '60%', '74%', '55%']

/** As high as the rows that it stands for, so that nothing moves when they come. */
export function ListSkeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <div className="table-skeleton" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one is like the other
        <div key={row}>
          {WIDTHS.map((_width, column) => {
            const width = WIDTHS[(row + column) % WIDTHS.length] ?? '60%'
            return <Skeleton key={width} width={width} />
          })}
        </div>
      ))}
    </div>
  )
}
