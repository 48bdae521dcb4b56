// What keeps a session alive: calls that a person has caused, and nothing else.
import t from 'tap'
import { signIn, startPortal } from '#test/support/portal.ts'

const IDLE_SECONDS = 600
let aheadMs = 0
const portal = await startPortal(t, {
  clock: () => Date.now() + aheadMs,
  env: { SESSION_IDLE_SECONDS: String(IDLE_SECONDS), LOGOUT_URLS: 'https://one.example/out?x=1' },
  sandbox: { accessTokenSeconds: 36_000 }
})

async function visit() {
  aheadMs = 0
  const browser = await signIn(portal.url, portal.sandbox, 'partner.user')
  const secondsLeft = async () => (await browser.json<{ expires_in: number }>('/auth/session')).expires_in
  const call = (headers = {}) => browser.call('/api/v2/management/myUser', { headers })
  return { browser, secondsLeft, call }
}

t.test('asking how long it lasts prolongs nothing', async (t) => {
  const { secondsLeft } = await visit()
  aheadMs = 400_000
  t.ok((await secondsLeft()) <= 200)
  t.ok((await secondsLeft()) <= 200)
})

t.test('a call that the page makes by itself is answered and prolongs nothing', async (t) => {
  const { secondsLeft, call } = await visit()
  aheadMs = 400_000
  t.equal((await call({ 'x-portal-background': '1' })).status, 200)
  t.ok((await secondsLeft()) <= 200)
  const [upstream] = portal.sandbox.calls.slice(-1)
  t.equal(upstream?.headers['x-portal-background'], undefined, 'the upstream does not hear of it')
  aheadMs = (IDLE_SECONDS + 1) * 1000
  t.equal((await call({ 'x-portal-background': '1' })).status, 401)
})

t.test('a call of a person prolongs it by its idle time', async (t) => {
  const { secondsLeft, call } = await visit()
  aheadMs = 400_000
  t.equal((await call()).status, 200)
  t.ok((await secondsLeft()) > 500)
})

t.test('everybody may know what a sign-out loads, and asking signs nobody out', async (t) => {
  const { browser, secondsLeft } = await visit()
  const anonymous = await fetch(`${portal.url}/auth/logout/frames`, {
    headers: { 'sec-fetch-site': 'same-origin' }
  })
  t.same(await anonymous.json(), { frames: ['https://one.example/out?x=1'] })
  t.same(await browser.json('/auth/logout/frames'), { frames: ['https://one.example/out?x=1'] })
  t.ok((await secondsLeft()) > 500)
})
