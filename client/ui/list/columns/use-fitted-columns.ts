import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ListColumn } from './column.ts'
import { type ColumnNeed, fitColumns } from './fit-columns.ts'

type FittedColumn = Pick<ListColumn<never>, 'id' | 'min' | 'whole' | 'silent'>

/** The last division of a table's width. All widths are in px. */
interface Fit {
  available: number
  /** The ids of the displayed columns. */
  ids: string
  key: string
  needs: ColumnNeed[]
  widths: number[]
}

/** The minimum width of a column whose content is longer, in rem. */
const MIN_REM = 5

/** Space in a column that its content does not need, and that is worth giving to another column. */
const ROOM_PX = 16

/**
 * Gives the columns of a table the widths that their content needs. From page to page, widths change only if content
 * would be cut otherwise.
 *
 * @param key names the list's filters: with other filters, earlier rows no longer count
 * @param rows the displayed rows
 */
export function useFittedColumns(
  table: RefObject<HTMLTableElement | null>,
  columns: readonly FittedColumn[],
  rows: readonly unknown[],
  key: string
): void {
  const lastFit = useRef<Fit>(null)
  const fit = useEffectEvent(() => {
    if (table.current) lastFit.current = fitTable(table.current, columns, key, lastFit.current)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content of the cells decides the widths
  useLayoutEffect(() => fit(), [columns, rows, key])
  useEffect(() => {
    const region = table.current?.parentElement
    if (!region || !window.ResizeObserver) return
    const observer = new ResizeObserver(() => fit())
    observer.observe(region)
    return () => observer.disconnect()
  }, [table])
}

function fitTable(
  table: HTMLTableElement,
  columns: readonly FittedColumn[],
  key: string,
  last: Fit | null
): Fit | null {
  const available = table.parentElement?.clientWidth ?? 0
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].filter(
    (head) => getComputedStyle(head).display !== 'none'
  )
  if (available === 0 || heads.length === 0) return last
  const ids = heads.map((head) => head.dataset.column).join()
  const isContinued = last?.key === key && last.ids === ids && last.available === available
  const earlier = isContinued ? last : null
  const measured = measure(table, heads, columns)
  if (earlier && isCut(measured, earlier.widths).every((cut) => !cut)) {
    setWidths(heads, earlier.widths)
    return earlier
  }
  const widest = measured.map((column, index) => {
    const earlierNeed = earlier?.needs[index]?.need ?? 0
    return { ...column, need: Math.max(column.need, earlierNeed) }
  })
  const widestFit = fitColumns(widest, available)
  // Earlier pages do not reserve space that the displayed rows need.
  const isWasteful =
    isCut(measured, widestFit).some(Boolean) &&
    measured.some(({ need }, index) => (widestFit[index] ?? 0) > need + ROOM_PX)
  const needs = isWasteful ? measured : widest
  const widths = isWasteful ? fitColumns(measured, available) : widestFit
  setWidths(heads, widths)
  const total = widths.reduce((sum, width) => sum + width, 0)
  table.parentElement?.toggleAttribute('data-scrolls', total > available + 1)
  return { available, ids, key, needs, widths }
}

function isCut(columns: readonly ColumnNeed[], widths: readonly number[]): boolean[] {
  return columns.map(({ need }, index) => need > Math.ceil(widths[index] ?? 0))
}

function setWidths(heads: readonly HTMLTableCellElement[], widths: readonly number[]): void {
  for (const [index, head] of heads.entries()) head.style.width = `${widths[index]}px`
}

/** Lays the table out without a limit of its width, and reads the widths of its columns. */
function measure(
  table: HTMLTableElement,
  heads: readonly HTMLTableCellElement[],
  columns: readonly FittedColumn[]
): ColumnNeed[] {
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  for (const head of heads) head.style.width = ''
  table.toggleAttribute('data-measured', true)
  const needs = heads.map((head) => Math.ceil(head.getBoundingClientRect().width))
  table.toggleAttribute('data-measured', false)
  return heads.map((head, index) => {
    const need = needs[index] ?? 0
    const column = columns.find(({ id }) => id === head.dataset.column)
    // The columns of checkboxes and actions are as wide as their controls.
    if (!column || column.silent) return { need, min: need, grows: false }
    const { min = MIN_REM, whole } = column
    return { need, min: whole ? need : Math.min(need, min * remPx), grows: true }
  })
}
