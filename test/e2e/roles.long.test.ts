// Checks which actions each role finds on the screens. The grid of test/server/access checks the gateway's answers.
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { goTo } from '../support/browser/walk.ts'

const { portal, open } = await browserTest(t, { env: { REMOTE_URL: 'https://remote.example' } })

const device = portal.sandbox.state.devices.get(NOTABLE_DEVICES.airHandler)

type Screen = 'alarms' | 'backups' | 'exports' | 'register' | 'remote'
/** The actions of a role on a screen; null without access. */
type Rights = Record<Screen, readonly string[] | null>

const LOCKS = ['Delete', 'Download', 'Edit note', 'Lock']
const EXPORTS = ['Delete', 'Download', 'Run again']
const ROLES: [username: string, rights: Rights][] = [
  [
    'global.admin',
    { alarms: ['manage'], backups: LOCKS, exports: EXPORTS, register: null, remote: ['connect'] }
  ],
  [
    'partner.admin',
    { alarms: ['manage'], backups: LOCKS, exports: EXPORTS, register: [], remote: ['connect'] }
  ],
  ['partner.user', { alarms: [], backups: ['Download'], exports: EXPORTS, register: null, remote: [] }],
  [
    'customer.admin',
    { alarms: ['manage'], backups: ['Download'], exports: EXPORTS, register: null, remote: ['connect'] }
  ],
  ['customer.user', { alarms: [], backups: [], exports: [], register: null, remote: [] }],
  ['niagara.remote', { alarms: null, backups: null, exports: null, register: null, remote: ['connect'] }],
  ['nds.operator', { alarms: null, backups: null, exports: null, register: null, remote: [] }]
]

const customer = (username: string) =>
  `${username === 'global.admin' ? `/integrators/${NOTABLE.partner}` : ''}/customers/${NOTABLE.northwind}`
const PATHS: Record<Screen, (username: string) => string> = {
  alarms: (username) => `${customer(username)}/alarms?show=all&range=all`,
  backups: (username) => `${customer(username)}/savedbackups?locked=false`,
  exports: (username) =>
    `/exports?status=READY${username === 'global.admin' ? `&organizationId=${NOTABLE.partner}` : ''}`,
  register: () => '/registerdevice',
  remote: (username) => `${customer(username)}?q=${device?.hostId}`
}

const DENIED = /Access denied|Your role does not include saved backups/

async function menuActions(page: Page, rows: Locator): Promise<string[]> {
  const row = rows.filter({ has: page.getByRole('rowheader') })
  await row.first().waitFor()
  const menu = row.getByRole('button', { name: /^Actions for/ }).first()
  if ((await menu.count()) === 0) return []
  await menu.click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  const names: string[] = []
  for (const item of await items.all())
    if ((await item.getAttribute('aria-disabled')) !== 'true') names.push((await item.textContent()) ?? '')
  await page.keyboard.press('Escape')
  return names.sort()
}

const ACTIONS_ON: Record<Screen, (page: Page) => Promise<string[]>> = {
  async alarms(page) {
    await page.getByRole('rowheader').first().waitFor()
    return (await page.getByRole('checkbox', { name: /^Select alarm/ }).count()) > 0 ? ['manage'] : []
  },
  // A complete backup names no status.
  backups: (page) => menuActions(page, page.getByRole('row').filter({ hasNotText: /Failed|Running/ })),
  async exports(page) {
    const readyRows = page.getByRole('row').filter({ has: page.getByText('Ready', { exact: true }) })
    const items = await menuActions(page, readyRows)
    const canStart = (await page.getByRole('button', { name: 'New export' }).count()) > 0
    t.equal(canStart, items.includes('Run again'), '“New export” and “Run again” are offered together')
    return items
  },
  async register(page) {
    await page.getByRole('textbox', { name: 'Registration code' }).waitFor()
    return []
  },
  async remote(page) {
    const link = page.getByRole('link', { name: /^Remote for/ }).first()
    await link.waitFor()
    return (await link.getAttribute('href')) === null ? [] : ['connect']
  }
}

for (const [username, rights] of ROLES)
  t.test(`${username} finds exactly the actions that the role allows`, async (t) => {
    const { page } = await open(username)
    for (const [screen, expected] of Object.entries(rights) as [Screen, readonly string[] | null][]) {
      await goTo(page, PATHS[screen](username))
      // Actions depend on the customer, which loads separately.
      await calm(page)
      if (expected === null) {
        await page.getByText(DENIED).first().waitFor()
        t.equal(await page.getByRole('rowheader').count(), 0, `${screen} are not shown`)
        continue
      }
      t.strictSame(await ACTIONS_ON[screen](page), expected, screen)
    }
  })
