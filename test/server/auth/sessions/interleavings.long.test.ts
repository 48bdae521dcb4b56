// Calls of one session in every order on two replicas: no change is lost, no ended session comes back, and none ends
// that nobody ended.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createCookieSigner } from '#server/auth/sessions/cookie-signer.ts'
import { createSessionStore } from '#server/auth/sessions/store.ts'
import { toUser } from '#server/upstreams/users.ts'
import { randomFrom } from '#test/sandbox/seed/random.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { callWith, json, startFakeAuthority } from '../../../support/fake-authority.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'

const ME = '/api/v2/management/myUser'
const PAIRS_OF_HOLDS = 28
const TRIALS_OF_THREE = 120
const SEED = Number(process.env.INTERLEAVING_SEED ?? 7)

/** Every step that reaches the store, the authority or the API waits here until it is released. */
class Gate {
  waiting: { step: string; number: number; go: () => void }[] = []
  steps = 0
  isOpen = true

  async pass(step: string): Promise<void> {
    this.steps += 1
    if (this.isOpen) return
    const number = this.#numbered++
    await new Promise<void>((go) => this.waiting.push({ step, number, go }))
  }
  #numbered = 0
  close() {
    this.isOpen = false
    this.#numbered = 0
  }
  open() {
    this.isOpen = true
    for (const { go } of this.waiting.splice(0)) go()
  }
}

const gate = new Gate()

function gated(backend: SessionBackend, name: string): SessionBackend {
  const steps: [string, unknown][] = Object.entries(backend).map(([step, work]) => [
    step,
    async (...parameters: unknown[]) => {
      await gate.pass(`${name} ${step}`)
      return work(...parameters)
    }
  ])
  return { ...Object.fromEntries(steps), close: backend.close } as SessionBackend
}

const fake = await startFakeAuthority(t)
const redis = await startRedis(t)
const secrets = [randomBytes(32).toString('base64')]
const time = { ahead: 0 }
const clock = () => Date.now() + time.ahead
const first = await startPortal(t, {
  env: { ...fake.env, TRUST_PROXY: '127.0.0.1,::1' },
  backend: gated(redis.patientBackend(), 'A'),
  secrets,
  clock
})
const second = await startPortal(t, {
  env: fake.env,
  backend: gated(redis.patientBackend(), 'B'),
  secrets,
  clock,
  startedSandbox: first.sandbox
})
const replicas = [first.url, second.url] as const
const signer = createCookieSigner(secrets)
const store = createSessionStore(
  redis.patientBackend(),
  createEncryption(secrets),
  { idleSeconds: 1800, absoluteSeconds: 43_200 },
  clock
)

const expired = new Set<string>()
const idOf = (cookie: string) => decodeURIComponent(cookie.slice('portal='.length)).split('.')[0] ?? ''
async function expire(cookie: string): Promise<void> {
  const session = await store.read(idOf(cookie))
  if (session !== null) expired.add(session.tokens.access)
  // Younger ones are not replaced.
  time.ahead += 30_000
}
fake.lies.instead = {
  async api(request, response) {
    const bearer = (request.headers.authorization ?? '').slice('Bearer '.length)
    const { sub } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString())
    await gate.pass('API')
    if (expired.has(bearer)) return json(response, 401, {})
    json(response, 200, fake.people.get(sub))
  }
}

interface Trial {
  subject: string
  cookie: string
  signIns: { cookies: string; query: URLSearchParams }[]
  roles: number
}

const person = (subject: string, roles: number) => ({
  id: subject,
  organizationId: null,
  fullName: 'Somebody',
  userType: 'INTERNAL',
  roleAssignments: Array.from({ length: roles }, (_, index) => ({
    id: `${index}`,
    scope: `/organizations/${index + 1}`,
    roleName: 'partner_user'
  }))
})

type Actor = (trial: Trial, url: string) => Promise<Response>

const ACTORS = {
  'a read': ({ cookie }, url) => callWith(cookie, url, '/auth/session'),
  'a slow read': ({ cookie }, url) => callWith(cookie, url, ME),
  async 'a change'(trial, url) {
    await gate.pass('roles change')
    trial.roles += 1
    fake.people.set(trial.subject, person(trial.subject, trial.roles))
    return callWith(trial.cookie, url, '/api/portal/v1/bootstrap')
  },
  async 'a refresh'({ cookie }, url) {
    await gate.pass('tokens expire')
    await expire(cookie)
    return callWith(cookie, url, ME)
  },
  'a sign-out': ({ cookie }, url) => callWith(cookie, url, '/auth/logout', { method: 'POST' }),
  async 'a sign-in'({ signIns }, url) {
    const { cookies, query } = signIns.shift() ?? { cookies: '', query: '' }
    return callWith(cookies, url, `/callback?${query}`)
  }
} as const satisfies Record<string, Actor>
type Name = keyof typeof ACTORS
const NAMES = Object.keys(ACTORS) as Name[]

/** Releases steps in order of arrival; held ones wait until no other step is left. */
async function inOrder(held: ReadonlySet<number>, calls: Promise<unknown>[]): Promise<string[]> {
  const order: string[] = []
  let ended = 0
  for (const call of calls) void call.finally(() => ended++)
  const until = performance.now() + 10_000
  while (ended < calls.length && performance.now() < until) {
    await atRest(() => gate.waiting.length + ended >= calls.length)
    const free = gate.waiting.findIndex(({ number }) => !held.has(number))
    const [next] = gate.waiting.splice(Math.max(0, free), 1)
    if (next === undefined) continue
    order.push(next.step)
    next.go()
  }
  return order
}

/** Until every call waits or has ended, or nothing has moved for 6 ms: one call may wait for another. */
async function atRest(isSo: () => boolean): Promise<void> {
  let [steps, since] = [gate.steps, performance.now()]
  while (!isSo() && performance.now() - since < 6) {
    await new Promise(setImmediate)
    if (gate.steps !== steps) [steps, since] = [gate.steps, performance.now()]
  }
}

let trials = 0
const orders = new Set<string>()

async function collide(
  names: readonly Name[],
  ...held: number[]
): Promise<{ steps: number; wrong: string[] }> {
  // Long enough not to occur in encrypted bytes by chance.
  const subject = `subject-${++trials}`
  fake.people.set(subject, person(subject, 1))
  const trial: Trial = { subject, cookie: await newSession(subject), signIns: [], roles: 1 }
  for (const name of names) if (name === 'a sign-in') trial.signIns.push(await beginSignIn(trial))
  Object.assign(fake.count, { refresh: 0, reused: 0 })
  // Late enough that each call touches the session.
  time.ahead = 61_000

  gate.close()
  const calls = names.map((name, index) => ACTORS[name](trial, replicas[index % 2] ?? first.url))
  const order = await inOrder(new Set(held), calls)
  gate.open()
  orders.add(`${names.join()} ${order.join()}`)
  const answers = await Promise.all(calls)
  const wrong = await wrongAfter(trial, names, answers)
  time.ahead = 0
  const told = wrong.map((what) => `${names.join(', ')}: ${what} after ${order.join(', ')}`)
  return { steps: order.length, wrong: told }
}

async function newSession(subject: string): Promise<string> {
  const { access_token, refresh_token, id_token } = fake.issue(subject) as Record<string, string>
  const expiresAt = clock() + 300_000
  const tokens = { access: access_token ?? '', expiresAt, renewAt: expiresAt - 60_000 }
  const id = signer.newId()
  await store.create(
    id,
    { user: toUser(person(subject, 1)), subject, authoritySessionId: null },
    { ...tokens, refresh: refresh_token ?? null, idToken: id_token ?? null }
  )
  return `portal=${encodeURIComponent(signer.sign(id))}`
}

async function beginSignIn({ cookie, subject }: Trial) {
  const browser = new Browser(first.url)
  // Each from another address, below the rate limit.
  const address = { 'x-forwarded-for': `10.0.${trials % 250}.${trials % 249}` }
  const begun = await browser.call('/auth/login', { headers: address })
  const query = fake.authorize(begun.headers.get('location') ?? '', subject)
  return { cookies: [cookie, ...(await sentCookies(browser.jar))].join('; '), query }
}

async function wrongAfter(trial: Trial, names: readonly Name[], answers: Response[]): Promise<string[]> {
  const wrong: string[] = []
  const statuses = answers.map(({ status }) => status)
  const ends = names.some((name) => name === 'a sign-out' || name === 'a sign-in')
  const refreshes = names.filter((name) => name === 'a refresh').length
  // A call is repeated once, so a second expiry meanwhile is a 502.
  const fine = [200, ...(ends ? [303, 401] : []), ...(refreshes > 1 ? [502] : [])]
  if (!statuses.every((status) => fine.includes(status))) wrong.push(`answers ${statuses}`)
  const locations = answers.map((answer) => answer.headers.get('location')).filter(Boolean)
  if (locations.some((location) => location !== '/')) wrong.push(`a sign-in led to ${locations}`)

  if (fake.count.refresh > refreshes) wrong.push(`${fake.count.refresh} refreshes`)
  const kept = await store.read(idOf(trial.cookie))
  for (const url of replicas) {
    const { status } = await callWith(trial.cookie, url, ME)
    if (status !== (ends ? 401 : 200)) wrong.push(`the old cookie is ${status}`)
  }
  if (ends && kept !== null) wrong.push('the session is still stored')
  if (!ends && names.includes('a change')) {
    const seen = kept?.data.user.roleAssignments.length
    if (seen !== trial.roles) wrong.push(`a change was lost: ${seen} of ${trial.roles} roles`)
  }
  for (const [index, answer] of answers.entries()) {
    if (names[index] !== 'a sign-in') continue
    const cookie = answer.headers.getSetCookie().findLast((one) => one.startsWith('portal=')) ?? ''
    const { status } = await callWith(cookie.split(';')[0] ?? '', second.url, ME)
    if (status !== 200) wrong.push(`the new session is ${status}`)
  }
  if (!ends) {
    // A lost refresh token would show now.
    await expire(trial.cookie)
    const { status } = await callWith(trial.cookie, second.url, ME)
    if (status !== 200) wrong.push(`the next refresh is ${status}`)
  }
  if (fake.count.reused > 0) wrong.push('a refresh token was used twice')
  return wrong
}

const CHANGING: readonly Name[] = ['a change', 'a refresh', 'a sign-out', 'a sign-in']

t.test('any two calls, with some of their steps held back', async (t) => {
  const random = randomFrom(SEED)
  for (const [index, one] of NAMES.entries()) {
    for (const other of NAMES.slice(index)) {
      const { steps, wrong } = await collide([one, other])
      const holds = Array.from({ length: steps }, (_, held) => [held])
      const both = CHANGING.includes(one) && CHANGING.includes(other)
      const pairs = holds.flatMap(([held = 0]) => holds.slice(held + 1).map(([also = 0]) => [held, also]))
      while (both && pairs.length > 0 && holds.length < steps + PAIRS_OF_HOLDS)
        holds.push(...pairs.splice(random.below(pairs.length), 1))
      for (const held of holds) wrong.push(...(await collide([one, other], ...held)).wrong)
      t.strictSame(wrong.slice(0, 3), [], `${one} and ${other}`)
    }
  }
})

t.test('any three calls, two of them at one replica, with some of their steps held back', async (t) => {
  const random = randomFrom(SEED)
  const wrong: string[] = []
  for (let trial = 0; trial < TRIALS_OF_THREE; trial += 1) {
    const names = [random.pick(NAMES), random.pick(NAMES), random.pick(NAMES)]
    wrong.push(...(await collide(names, random.below(16), random.below(16), random.below(16))).wrong)
  }
  t.strictSame(wrong.slice(0, 5), [])
  t.ok(orders.size > trials / 3, `${trials} trials, ${orders.size} orders`)
})
