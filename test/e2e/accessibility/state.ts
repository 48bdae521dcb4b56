import type { Page } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Portal } from '#test/support/portal.ts'

export interface State {
  name: string
  path: string
  open(page: Page): Promise<unknown>
  at?: readonly number[]
}

export type States = (portal: Portal) => State[]

export const NORTHWIND = `/customers/${NOTABLE.northwind}`
export const DESK_AND_PHONE = [1280, 390]
export const WIDE = [1280]
export const WIDER = [1440]
export const TABLET = [820]
export const NARROW = [390]

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

export const unroll = (page: Page) =>
  page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 4500 })
