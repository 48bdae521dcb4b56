// Access is decided when the headers of a call arrive, and again before the call is sent if that was long ago.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, signIn } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'
import { openGateway, openSandbox } from '../../support/scenes/gateway.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

const REPORT = `/api/v1/charts-and-reports/${NOTABLE.northwind}/report`
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`
const BODY = JSON.stringify({
  reportName: 'Night',
  reportDetails: { selectedDateFilter: 'Today', selectedPoints: [] }
})
const SECOND_MS = 1_000
const ROLES_MAX_AGE_MS = 61_000

const sandbox = await openSandbox(t, { accessTokenSeconds: 36_000 })
// A stopped clock, so that no test depends on the speed of the machine.
let nowMs = Date.now()
const { upstream, portal } = await openGateway(t, {
  startedSandbox: sandbox,
  clock: () => nowMs,
  env: { UPSTREAM_CONNECTIONS: '1' }
})
t.beforeEach(() => {
  upstream.asked.length = 0
  upstream.rule = ({ target }) => (target === REPORT ? { status: 200 } : undefined)
  portal.logged.length = 0
})

const sentReports = () => upstream.asked.filter(({ target }) => target === REPORT).length
const decisions = () => portal.logged.filter((line) => line.includes('"allowed"')).length

/** Sends the headers and half of a body, and waits for the decision. Returns a function that sends the rest. */
async function beginCall(browser: Browser) {
  const call = request(portal.url + REPORT, {
    method: 'POST',
    headers: {
      cookie: await sentCookies(browser.jar),
      origin: portal.url,
      'x-portal-csrf': '1',
      'content-type': 'application/json',
      'content-length': BODY.length
    }
  })
  const answer = once(call, 'response') as Promise<[IncomingMessage]>
  const before = decisions()
  call.write(BODY.slice(0, 5))
  await eventually(async () => decisions() > before || null)
  return async () => {
    call.end(BODY.slice(5))
    const [response] = await answer
    return { status: response.statusCode, problem: await text(response) }
  }
}

function removeRoles(t: Test): void {
  const user = sandbox.state.users.get('u-partner-admin')
  if (!user) throw new Error('the sandbox lacks the user')
  const { roleAssignments } = user
  t.teardown(() => Object.assign(user, { roleAssignments }))
  user.roleAssignments = []
}

const person = () => signIn(portal.url, sandbox, 'partner.admin')

t.test('refuses a call whose caller has lost the role before the body has arrived', async (t) => {
  const sendRest = await beginCall(await person())
  removeRoles(t)
  nowMs += SECOND_MS
  t.match(await sendRest(), { status: 403 })
  t.equal(sentReports(), 0)
})

t.test('refuses a call whose session has ended before the body has arrived', async (t) => {
  const browser = await person()
  const sendRest = await beginCall(browser)
  await browser.call('/auth/logout', { method: 'POST' })
  nowMs += SECOND_MS
  t.match(await sendRest(), { status: 401 })
  t.equal(sentReports(), 0)
})

t.test('sends a call whose caller still has the role, after a second decision', async (t) => {
  const sendRest = await beginCall(await person())
  nowMs += SECOND_MS
  t.match(await sendRest(), { status: 200 })
  t.equal(sentReports(), 1)
  t.equal(decisions(), 2)
})

t.test('decides once if the body arrives within a second', async (t) => {
  const sendRest = await beginCall(await person())
  nowMs += SECOND_MS - 1
  t.match(await sendRest(), { status: 200 })
  t.equal(decisions(), 1)
})

t.test(
  'refuses a call that waited for a connection if the caller is known to have lost the role',
  async (t) => {
    const browser = await person()
    const held = Promise.withResolvers<void>()
    upstream.rule = async ({ target }) => {
      if (target !== REPORT) return undefined
      await held.promise
      return { status: 200 }
    }
    const first = (await beginCall(browser))()
    await eventually(async () => sentReports() === 1 || null)
    const second = (await beginCall(browser))()
    removeRoles(t)
    nowMs += ROLES_MAX_AGE_MS
    t.equal((await browser.call(PROJECTS)).status, 403)
    held.resolve()
    t.match(await first, { status: 200 })
    t.match(await second, { status: 403 })
    t.equal(sentReports(), 1)
  }
)
