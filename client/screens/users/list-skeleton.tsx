import { USER_PAGE_SIZE } from '#shared/limits.ts'
import { Skeleton } from '../../components/skeleton.tsx'

const SKELETON_ROWS = Array.from({ length: USER_PAGE_SIZE }, (_, index) => index)
const SKELETON_WIDTHS = ['68%', '82%', '60%', '74%', '55%']

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div className="table-skeleton" role="status">
      <span className="sr-only">{label}</span>
      {SKELETON_ROWS.map((row) => (
        <div key={row}>
          {SKELETON_WIDTHS.map((_, column) => {
            const width = SKELETON_WIDTHS[(row + column) % SKELETON_WIDTHS.length] ?? '60%'
            return <Skeleton key={width} width={width} />
          })}
        </div>
      ))}
    </div>
  )
}
