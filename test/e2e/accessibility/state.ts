import type { Page } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Portal } from '#test/support/portal.ts'

/** Something that opens on a page, or another look of it, that the page as it comes does not show. */
export interface State {
  name: string
  path: string
  /** Ends when the state shows. What is open at one width stays open at the next. */
  open(page: Page): Promise<unknown>
  /** Where it is opened by other means, or is not there, at another width. */
  at?: readonly number[]
}

export type States = (portal: Portal) => State[]

export const NORTHWIND = `/customers/${NOTABLE.northwind}`
export const DESK_AND_PHONE = [1280, 390]
export const WIDE = [1280]
/** The project list is beside the devices. */
export const WIDER = [1440]
export const TABLET = [820]
export const NARROW = [390]

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** Chooses from the menu that a button opens. */
export async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await press(page, menu)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Shows all of a long list: no row stands half under the bar at its foot. */
export const unroll = (page: Page) =>
  page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 4500 })

export const isFailing = (page: Page, path: string) =>
  page.route(path, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
  )
