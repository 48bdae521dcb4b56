import type { KeyboardEvent } from 'react'

const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a, button')]

/**
 * Keys of a list that is one tab stop: up, down, Home and End move between the rows, left and right between the controls
 * of a row. Another key presses the control of the row that has this key as its `aria-keyshortcuts`.
 */
export function operateList(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: list, altKey, ctrlKey, metaKey } = event
  const control = document.activeElement as HTMLElement
  const rows = [...list.children].filter((row) => controlsOf(row).length > 0)
  const index = rows.findIndex((row) => row.contains(control))
  const row = rows[index]
  // A field in a row has keys of its own.
  if (!row || altKey || ctrlKey || metaKey || !control.matches('a, button')) return
  const controls = controlsOf(row)
  const at = controls.indexOf(control)
  const nextRow = { ArrowDown: index + 1, ArrowUp: Math.max(index - 1, 0), Home: 0, End: rows.length - 1 }[
    key
  ]
  const nextControl = { ArrowRight: at + 1, ArrowLeft: Math.max(at - 1, 0) }[key]
  if (nextRow !== undefined) rows[nextRow]?.querySelector<HTMLElement>('a, button')?.focus()
  else if (nextControl !== undefined) controls[nextControl]?.focus()
  else {
    const shortcut = controls.find((control) => control.getAttribute('aria-keyshortcuts') === key)
    if (!shortcut) return
    // A disabled control shows its reason on focus.
    shortcut.focus()
    shortcut.click()
  }
  event.preventDefault()
}
