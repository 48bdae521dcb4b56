import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations, WIDTHS } from './accessibility.ts'
import { openAs, startBrowser } from './browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const ACCOUNTS = `/customers/${NOTABLE.northwind}/serviceaccount`

t.test(
  'axe finds nothing in any state of service accounts, in both themes, on phone and desktop',
  async (t) => {
    const { page } = await openAs(browser, portal, 'partner.admin', ACCOUNTS, { width: 1280 })
    const clean = async (state: string) => t.strictSame(await violations(page, WIDTHS), [], state)
    await page.getByRole('button', { name: 'Show them' }).waitFor()
    await clean('service accounts')
    await page.goto(`${ACCOUNTS}?q=nothing+at+all`)
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    await clean('service accounts, no match')
    await page.goto(`${ACCOUNTS}/create`)
    await page.getByLabel('Name', { exact: true }).fill('Night <bot>')
    await page.getByRole('radio', { name: 'Custom' }).check()
    await clean('create')
    await page.goto(`${ACCOUNTS}/sa-1001-2`)
    await page.getByRole('button', { name: 'Regenerate secret' }).waitFor()
    await clean('service account')
    await page.getByRole('button', { name: 'Regenerate secret' }).click()
    await page.getByLabel('Type “Fault Detection” to confirm').fill('Fault Detection')
    await clean('regenerate')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'I have stored the secret' }).waitFor()
    await clean('secret')
    t.ok(
      await page.getByLabel('Secret', { exact: true }).inputValue(),
      'turning the phone does not lose the secret'
    )
    await page.route('**/serviceAccounts?*', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
    )
    await page.goto(ACCOUNTS)
    await page.getByRole('heading', { name: 'Network Connectivity Failed' }).first().waitFor()
    await clean('failed')
  }
)
