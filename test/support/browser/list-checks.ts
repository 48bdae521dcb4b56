/**
 * Runs in the page. Reports a text that a table cuts while another column has room for it, rows of more than one line, and
 * controls of a list's toolbar that are not in the order of all lists.
 */
export function listProblems(): string[] {
  const ROOM_PX = 24
  const ROW_PX = 38
  const ORDER = [
    ':scope > .search-field',
    ':scope > :is(.form-field, .combobox, .remote-choice, .filter-menu):not(:has(.filters-button))',
    ':scope > .filter-menu:has(.filters-button)',
    ':scope > .toolbar-end',
    '.toolbar-end > [aria-label="Refresh the list"]',
    '.toolbar-end > .columns-menu',
    '.toolbar-end > :is([aria-label="Export CSV"], :has([aria-label="Export"]))'
  ]
  const problems: string[] = []

  const isCut = (cell: Element) =>
    [cell, ...cell.querySelectorAll('*')].some((element) => {
      const { textOverflow } = getComputedStyle(element)
      return textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1
    })
  const roomIn = (cell: HTMLTableCellElement) => {
    const content = document.createRange()
    content.selectNodeContents(cell)
    const { paddingLeft, paddingRight } = getComputedStyle(cell)
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
    return cell.clientWidth - padding - content.getBoundingClientRect().width
  }
  for (const table of document.querySelectorAll<HTMLTableElement>('.data-table.fitted')) {
    const rows = [...table.rows]
    const columns = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => {
      const cells = rows.flatMap((row) => row.cells[head.cellIndex] ?? [])
      const isContent = head.matches('[data-column]:not(.column-actions)')
      return { name: head.textContent, cells, room: isContent ? Math.min(...cells.map(roomIn)) : 0 }
    })
    const widest = columns.toSorted((one, other) => other.room - one.room)[0]
    for (const { name, cells } of columns) {
      const cut = cells.find(isCut)
      if (cut && widest && widest.room > ROOM_PX)
        problems.push(`${name} cuts "${cut.textContent}" while ${widest.name} has ${widest.room} px of room`)
    }
    const high = [...table.tBodies].flatMap(({ rows }) => [...rows]).find((row) => row.clientHeight > ROW_PX)
    if (high) problems.push(`a row of ${high.clientHeight} px: "${high.cells[0]?.textContent}"`)
  }

  for (const toolbar of document.querySelectorAll('.list-card > .toolbar')) {
    const positions = ORDER.flatMap((selector) => [...toolbar.querySelectorAll(selector)]).map((control) => {
      const { left, top, height } = control.getBoundingClientRect()
      return { left, middle: top + height / 2, name: control.className }
    })
    for (const [index, { left, middle, name }] of positions.entries()) {
      const previous = positions[index - 1]
      if (previous && (left < previous.left || Math.abs(middle - previous.middle) > ROW_PX / 2))
        problems.push(`the toolbar has ${name} before ${previous.name}, or on another line`)
    }
  }
  return problems
}
