// What people do in several tests. Import it after dom.ts.
import { act, fireEvent } from '@testing-library/react'
import type { Portal } from './portal.tsx'

/** Chooses an item from the menu of a row. */
export async function chooseAction(portal: Portal, row: string, item: string): Promise<void> {
  fireEvent.click(await portal.findByRole('button', { name: `Actions for ${row}` }))
  fireEvent.click(portal.getByRole('menuitem', { name: item }))
}

/** Hides the page, as another tab in front of it does, or shows it again. */
export function setHidden(isHidden: boolean): Promise<void> {
  return act(async () => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
    // SWR passes the event to `setTimeout` as the delay.
    document.dispatchEvent(Object.assign(new window.Event('visibilitychange'), { valueOf: () => 0 }))
  })
}
