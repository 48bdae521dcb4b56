import Printer from 'lucide-react/icons/printer'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Page } from '#shared/answers/parts.ts'
import { listen } from '../../lib/browser.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from '../input/icon-button.tsx'
import { type ReadRows, useAllRows } from './use-all-rows.ts'

/** Maximum number of rows that are printed. */
const ROWS_MAX = 1_000

/** While all rows are printed, one page with all of them. @param page the page that the list shows otherwise */
export function useAllOnPaper<Row>(page: Page<Row> | undefined): {
  page: Page<Row> | undefined
  print: (rows: readonly Row[]) => void
} {
  const [rows, print] = useState<readonly Row[] | null>(null)
  useEffect(() => {
    if (!rows) return
    const stopListening = listen(window, { afterprint: () => print(null) })
    // The rows are in the page by now, and painted with the next frame.
    const frame = requestAnimationFrame(() => window.print())
    return () => {
      stopListening()
      cancelAnimationFrame(frame)
    }
  }, [rows])
  if (!rows || !page) return { page, print }
  const { totalElements } = page.page
  return {
    page: { items: [...rows], page: { number: 0, size: rows.length, totalPages: 1, totalElements } },
    print
  }
}

interface PrintAllProps<Row> {
  read: ReadRows<Row>
  noun: string
  total: number
  print: (rows: readonly Row[]) => void
}

/** Reads the rows of all pages that match the filters, up to a limit, and prints them. Unmounting it stops the reading. */
export function PrintAll<Row>({ noun, total, read, print }: PrintAllProps<Row>) {
  const { start, stop } = useAllRows(read, ROWS_MAX)
  const stopReading = useEffectEvent(() => stop?.())
  useEffect(() => () => stopReading(), [])
  const name =
    total > ROWS_MAX
      ? `Print the first ${formatNumber(ROWS_MAX)} ${noun}s`
      : `Print all ${formatNumber(total)} ${noun}s`

  if (stop)
    return (
      <button type="button" className="button" onClick={stop}>
        Stop printing
      </button>
    )
  return (
    <IconButton
      name={name}
      Icon={Printer}
      className=""
      onPress={() => void start((rows) => print(rows.slice(0, ROWS_MAX)))}
    />
  )
}
