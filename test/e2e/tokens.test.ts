import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signInAt, startBrowser } from './browser.ts'

const JWT = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/

t.test('no access or refresh token is in anything that the browser receives or keeps', async (t) => {
  const browser = await startBrowser(t)
  const portal = await startPortal(t, { sandbox: { accessTokenSeconds: 20 } })
  const { page, context, answers } = await signInAt(browser, portal, 'partner.admin')
  await page.getByRole('link', { name: /Northwind Hospitals/ }).click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('16–30 of 1,240', { exact: true }).waitFor()
  await page.goto(`/customers/${NOTABLE.northwind}/savedbackups`)
  await page.getByRole('heading', { level: 1 }).waitFor()

  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
  )
  t.notMatch(kept, JWT)
  const cookies = await context.cookies(portal.url)
  t.ok(cookies.every(({ httpOnly }) => httpOnly))

  // What the upstreams got as bearer is what must not have come to the browser.
  const bearers = new Set(
    portal.sandbox.calls.map(({ headers }) => String(headers.authorization ?? '').replace('Bearer ', ''))
  )
  t.ok(bearers.size > 0 && ![...bearers].includes(''))
  let searched = 0
  for (const answer of answers) {
    const headers = JSON.stringify(await answer.headersArray())
    const body = await answer.text().catch(() => '')
    for (const text of [headers, body, answer.url()]) {
      t.notMatch(text, JWT, answer.url())
      t.notOk(
        [...bearers].some((token) => text.includes(token)),
        answer.url()
      )
      t.notMatch(text, /refresh_token|access_token/, answer.url())
    }
    searched += 1
  }
  t.ok(searched > 10, `${searched} answers were searched`)
})
