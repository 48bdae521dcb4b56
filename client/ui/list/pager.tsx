import './list.css'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronsLeft from 'lucide-react/icons/chevrons-left'
import ChevronsRight from 'lucide-react/icons/chevrons-right'
import type { Page } from '#shared/answers/parts.ts'
import { formatNumber } from '../../lib/format.ts'
import { pageNumber } from '../../lib/use-list-query.ts'
import { IconButton } from '../input/icon-button.tsx'

interface PagerProps {
  label: string
  /** The page shown. Its `number` is counted from 0. */
  page: { number: number; size: number; totalPages: number; totalElements: number }
  onPage: (number: number) => void
}

export function rangeText({ number, size, totalElements }: PagerProps['page']): string {
  const firstRow = Math.min(number * size + 1, totalElements)
  const lastRow = Math.min((number + 1) * size, totalElements)
  return `${formatNumber(firstRow)}–${formatNumber(lastRow)} of ${formatNumber(totalElements)}`
}

/** A page of a complete list. `pageParam` is the page number in the address, from 1. */
export function pageOf<Row>(rows: readonly Row[], pageParam: string, size: number): Page<Row> {
  const totalPages = Math.max(Math.ceil(rows.length / size), 1)
  const number = Math.min(pageNumber(pageParam), totalPages - 1)
  return {
    items: rows.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages, totalElements: rows.length }
  }
}

export function Pager({ label, page, onPage }: PagerProps) {
  const lastNumber = Math.max(page.totalPages - 1, 0)
  const steps = [
    { name: 'First page', Icon: ChevronsLeft, to: 0 },
    { name: 'Previous page', Icon: ChevronLeft, to: Math.max(page.number - 1, 0) },
    { name: 'Next page', Icon: ChevronRight, to: Math.min(page.number + 1, lastNumber) },
    { name: 'Last page', Icon: ChevronsRight, to: lastNumber }
  ]
  const stepButton = ({ name, Icon, to }: (typeof steps)[number]) => (
    <IconButton
      key={name}
      name={name}
      Icon={Icon}
      className=""
      off={to === page.number}
      onPress={() => onPage(to)}
    />
  )
  return (
    <nav className="row pager" aria-label={label}>
      <span className="pager-range">{rangeText(page)}</span>
      {page.totalPages > 1 && (
        <>
          {steps.slice(0, 2).map(stepButton)}
          <span className="pager-place">
            Page {formatNumber(page.number + 1)} of {formatNumber(page.totalPages)}
          </span>
          {steps.slice(2).map(stepButton)}
        </>
      )}
    </nav>
  )
}
