import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronsLeft from 'lucide-react/icons/chevrons-left'
import ChevronsRight from 'lucide-react/icons/chevrons-right'
import { formatNumber } from '../lib/format.ts'

interface PagerProps {
  label: string
  /** Numbers from 0. */
  page: { number: number; size: number; totalPages: number; totalElements: number }
  onPage: (number: number) => void
}

export function rangeText({ number, size, totalElements }: PagerProps['page']): string {
  const first = Math.min(number * size + 1, totalElements)
  const last = Math.min((number + 1) * size, totalElements)
  return `${formatNumber(first)}–${formatNumber(last)} of ${formatNumber(totalElements)}`
}

export function Pager({ label, page, onPage }: PagerProps) {
  const last = Math.max(page.totalPages - 1, 0)
  const steps = [
    { name: 'First page', Icon: ChevronsLeft, to: 0 },
    { name: 'Previous page', Icon: ChevronLeft, to: Math.max(page.number - 1, 0) },
    { name: 'Next page', Icon: ChevronRight, to: Math.min(page.number + 1, last) },
    { name: 'Last page', Icon: ChevronsRight, to: last }
  ]
  return (
    <nav className="pager" aria-label={label}>
      <span className="pager-range">{rangeText(page)}</span>
      {page.totalPages > 1 &&
        steps.map(({ name, Icon, to }) => (
          <button
            key={name}
            type="button"
            className="button quiet icon"
            aria-label={name}
            aria-disabled={to === page.number}
            onClick={() => to !== page.number && onPage(to)}
          >
            <Icon />
          </button>
        ))}
    </nav>
  )
}
