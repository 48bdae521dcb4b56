/** Runs in the page. Reports controls of a list's toolbar that are not in the order of all lists, and a table beyond its list. */
export function listProblems(): string[] {
  /** Middles of controls on one line differ by less. */
  const LINE_PX = 19
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

  for (const toolbar of document.querySelectorAll('.list-card > .toolbar')) {
    const positions = ORDER.flatMap((selector) => [...toolbar.querySelectorAll(selector)]).map((control) => {
      const { left, top, height } = control.getBoundingClientRect()
      return { left, middle: top + height / 2, name: control.className }
    })
    for (const [index, { left, middle, name }] of positions.entries()) {
      const previous = positions[index - 1]
      if (previous && (left < previous.left || Math.abs(middle - previous.middle) > LINE_PX))
        problems.push(`the toolbar has ${name} before ${previous.name}, or on another line`)
    }
  }

  for (const table of document.querySelectorAll('.list-card table')) {
    const list = table.closest('.list-card')?.getBoundingClientRect()
    const excess = Math.round(table.getBoundingClientRect().right - (list?.right ?? 0))
    if (excess > 0) problems.push(`a table is ${excess} px beyond its list`)
  }
  return problems
}
