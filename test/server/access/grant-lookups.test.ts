// What a call that hands out roles may cost: the look-ups behind it are few, each is made once, and what it names is
// repeated in no answer and no log.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'

const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const at = (customerId: string) => `${ORGANIZATION}/customers/${customerId}`
const grant = (number: number, scope: string) => ({ role: `/roles/${number}`, scope })

const portal = await startPortal(t)
const { sandbox, logged } = portal
const partner = await portal.as('partner.admin')
const customer = await portal.as('customer.admin')

/** Makes the call; tells the answer, the paths that APIs were asked for, and the log. */
async function watched(browser: Browser, userId: string, body: object) {
  const [calls, lines] = [sandbox.calls.length, logged.length]
  const answer = await browser.call(`${M}/users/${userId}/roleAssignments`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' }
  })
  const text = await answer.text()
  const asked = sandbox.calls.slice(calls).map(({ method, url }) => `${method} ${url}`)
  return { status: answer.status, text, asked, log: logged.slice(lines).join('') }
}

t.test('a scope of nearly a megabyte is refused in a short answer, and a short line', async (t) => {
  const long = 'x'.repeat(900_000)
  for (const [name, browser] of [
    ['an admin of the integrator', partner],
    ['an admin of a customer', customer]
  ] as const) {
    for (const scope of [long, `/organizations/${long}`, at(long), `${at('c-1001')}/${long}`]) {
      const { status, text, log } = await watched(browser, 'u-customer-user', { create: [grant(5, scope)] })
      t.ok(status >= 400 && status < 500, `${name}: ${status}`)
      t.ok(text.length < 1_000, `${text.length} characters answered`)
      t.ok(log.length < 10_000, `${log.length} characters logged`)
      t.notMatch(text + log, /x{400}/)
    }
  }
})

t.test('each customer of a call is looked up once', async (t) => {
  const create = [5, 6, 7].flatMap((number) => [grant(number, at('c-1002')), grant(number, at('c-nowhere'))])
  const { status, asked } = await watched(partner, 'u-customer-user', { create })
  t.equal(status, 404)
  t.notOk(asked.some((call) => call.startsWith('PATCH')))
  for (const id of ['c-1002', 'c-nowhere'])
    t.equal(asked.filter((call) => call === `GET ${M}/organizations/${id}`).length, 1, id)
})

t.test('a call that names more customers than may be looked up is refused before any is', async (t) => {
  const create = Array.from({ length: 101 }, (_, index) => grant(5, at(`c-x${index}`)))
  const { status, asked } = await watched(partner, 'u-customer-user', { create })
  t.equal(status, 400)
  t.strictSame(
    asked.filter((call) => call.includes('/organizations/')),
    []
  )
})

t.test('admin positions that one role replaces are looked up within the same bound', async (t) => {
  const user = sandbox.state.users.get('u-custom-user')
  if (!user) throw new Error('there is no such user')
  const before = user.roleAssignments
  t.teardown(() => {
    user.roleAssignments = before
  })
  const held = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `ra-many-${index}`,
      roleNumber: 4,
      roleName: 'ncp_customer_admin',
      scope: at(`c-x${index}`)
    }))
  const isLookup = (call: string) => call.includes('/allUsers')

  user.roleAssignments = held(101)
  const refused = await watched(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] })
  t.equal(refused.status, 400)
  t.strictSame(refused.asked.filter(isLookup), [])
  t.notOk(refused.asked.some((call) => call.startsWith('PATCH')))

  user.roleAssignments = held(100)
  const within = await watched(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] })
  t.not(within.status, 400)
  t.ok(within.asked.some(isLookup))
})
