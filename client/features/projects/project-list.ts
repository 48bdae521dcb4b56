// What the page says of a customer's projects, and whether their list has made room for the devices. Pure but for what this
// browser remembers.
import { count } from '../../lib/format.ts'
import { recall, remember } from '../../lib/storage.ts'

/** How much there is. */
export function factsOf(totals: { projects: number; devices: number }): string {
  return `${count(totals.projects, 'project')}, ${count(totals.devices, 'device')}`
}

const STORED = 'portal.projects-collapsed'

export function isCollapsed(): boolean {
  return recall<boolean>(STORED) ?? false
}

export function rememberCollapsed(collapsed: boolean): void {
  remember(STORED, collapsed)
}
