// A hostile upstream answers every call that the gateway makes itself. The test finds these calls on all routes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { randomFrom } from '#test/sandbox/seed/random.ts'
import { type Browser, freePort, signIn } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { HOSTILE_ANSWERS, type HostileAnswer, pagings } from './hostile/answers.ts'
import { startGateway } from './hostile/start-gateway.ts'
import { COUNTS, removalOfAdmin, type Trigger, triggersOf } from './hostile/triggers.ts'
import { type Caller, startHostileUpstream } from './hostile/upstream.ts'

const SEED = 26
const SESSIONS = 10
/**
 * A longer block than so many times parsing 1 MB is the work of an answer. Three floods of headers that arrive in one turn take half
 * of it, and the gateway parses at most 2 MB in one piece.
 */
const BLOCKED_PARSES = 120
/** Time limit for calls of other callers; on an idle machine they take less than 2 s. */
const ANSWERED_MS = 5_000
const MANAGEMENT = '/api/v2/management'
const ME = `GET ${MANAGEMENT}/myUser`
const BACKUPS = 'GET /api/v1/recover/customers/:id/backups'
/** The gateway caches these answers for each session, so each case needs a new sign-in. */
const PER_SESSION = [ME, BACKUPS]
/** These lists of a customer are the longest answers, so the test tries every hostile answer with them. */
const LONG = [`GET ${MANAGEMENT}/organizations/:id/devices`, 'GET /api/v1/subscription/customers/:id']
const CALLS = [
  'GET /api/v1/egress/exports/:id',
  BACKUPS,
  'GET /api/v1/subscription-usage/metrics-detail',
  'GET /api/v1/subscription/customers/:id',
  ME,
  `GET ${MANAGEMENT}/myUser/userInvitations`,
  `GET ${MANAGEMENT}/organizations/:id`,
  `GET ${MANAGEMENT}/organizations/:id/allUsers`,
  `GET ${MANAGEMENT}/organizations/:id/customers`,
  `GET ${MANAGEMENT}/organizations/:id/devices`,
  `GET ${MANAGEMENT}/organizations/:id/projects`,
  `GET ${MANAGEMENT}/organizations/:id/userInvitations`,
  `GET ${MANAGEMENT}/roles`,
  `GET ${MANAGEMENT}/serviceAccounts/:id`,
  `GET ${MANAGEMENT}/users/:id`,
  'POST /api/v1/alarms/customers/:id/alarms:search',
  'POST /api/v1/entitymodel/customers/:id/pointNames',
  'POST /api/v1/entitymodel/customers/:id/tagNames',
  'POST /api/v1/entitymodel/customers/:id/tagValues'
]

const url = `http://localhost:${await freePort()}`
const sandbox = await openSandbox(t, { gatewayUrl: url, accessTokenSeconds: 3_600 })
const upstream = await startHostileUpstream(t, sandbox)
const gateway = await startGateway(t, url, sandbox, upstream.url)

let foreignCalls = 0
const foreignHost = createServer((_request, response) => {
  foreignCalls += 1
  response.end('{}')
})
await new Promise<void>((resolve) => foreignHost.listen(0, 'localhost', resolve))
t.teardown(() => foreignHost.close())
const PAGINGS = pagings(`http://localhost:${(foreignHost.address() as AddressInfo).port}`)

interface Session extends Caller {
  browser: Browser
}

async function startSession(username: string): Promise<Session> {
  const caller: Caller = { made: new Set(), scope: 0 }
  upstream.expect(`u-${username.replace('.', '-')}`, caller)
  return Object.assign(caller, { browser: await signIn(url, sandbox, username) })
}

let newUsers = 0
function startNewUser(): Promise<Session> {
  const template = sandbox.state.users.get('u-customer-admin')
  if (template === undefined) throw new Error('the sample users are missing')
  newUsers += 1
  const [id, username] = [`u-new-${newUsers}`, `new.${newUsers}`]
  sandbox.state.users.set(id, { ...template, id, username })
  return startSession(username)
}

async function send({ browser }: Session, { method, path, claim, body }: Trigger) {
  const answer = await browser.call(path, {
    method,
    headers: {
      'x-customer-id': claim,
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() }
}

let scopes = 0
/** A new scope of the caller's roles, so that no answer comes from a shared cache. */
async function changeScope(session: Session): Promise<void> {
  scopes += 1
  session.scope = scopes
  await session.browser.json('/api/portal/v1/me')
}

const triggers = new Map<string, Trigger>()
async function discover(session: Session, trigger: Trigger): Promise<void> {
  await changeScope(session)
  session.made.clear()
  const { status } = await send(session, trigger)
  if (trigger === COUNTS) await eventually(() => session.made.has(BACKUPS))
  if (status < 400) for (const call of session.made) if (!triggers.has(call)) triggers.set(call, trigger)
}
const admin = await startSession('partner.admin')
// The events route answers until the stream ends; the calls behind it are those of the lists.
const ENDLESS = 'portal.events'
/** Worklists have the same calls behind them as the counts, in the background. */
const hasCallsOfCounts = (id: string) => id === COUNTS.route || id.startsWith('portal.worklist-')
for (const route of gateway.routes)
  if (!hasCallsOfCounts(route.id) && route.id !== ENDLESS)
    for (const trigger of triggersOf(route, sandbox.state)) await discover(admin, trigger)
await discover(admin, removalOfAdmin(sandbox.state))
await discover(await startNewUser(), COUNTS)

interface Case {
  name: string
  call: string
  answer: HostileAnswer
}

function casesOf(call: string): Case[] {
  const at = CALLS.indexOf(call)
  const honestAnswer = upstream.honest.get(call)
  if (honestAnswer === undefined) return []
  const kinds = [...HOSTILE_ANSWERS, [honestAnswer.rel === null ? {} : PAGINGS, 4] as const]
  const answers = kinds.flatMap(([answers, perCall]) => {
    const list = Object.entries(answers)
    const count = LONG.includes(call) ? list.length : perCall
    return Array.from(list.slice(0, count), (_, index) => list[(at * count + index) % list.length] ?? [])
  })
  return answers.map(([name, answer]) => ({ name: `${call}: ${name}`, call, answer }))
}

const timeline: { name: string; from: number; to: number }[] = []
const failedCases: string[] = []

async function attack(session: Session, { name, call, answer }: Case): Promise<void> {
  const trigger = triggers.get(call) ?? COUNTS
  const hostile = { name: call, answer, asked: 0 }
  const from = Date.now()
  try {
    await changeScope(session)
    session.hostile = hostile
    const failure = failureOf(await send(session, trigger))
    if (failure !== null) failedCases.push(`${name}: ${failure}`)
    await eventually(() => hostile.asked > 0, trigger === COUNTS ? 60_000 : 0)
  } catch (error) {
    failedCases.push(`${name}: ${error}`)
  }
  delete session.hostile
  timeline.push({ name, from, to: Date.now() })
}

function failureOf({ status, type, text }: Awaited<ReturnType<typeof send>>): string | null {
  const summary = `${status} ${text.slice(0, 200)}`
  try {
    const body = JSON.parse(text || '{}')
    if (status < 300) return type.startsWith('application/json') || text === '' ? null : summary
    const isNamed = /^urn:portal:problem:(?!internal$)\w+$/.test(body.type) && body.status === status
    return isNamed && type.startsWith('application/problem+json') ? null : summary
  } catch {
    return summary
  }
}

function startCalling(session: Session): () => Promise<string[]> {
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/devices`
  const trigger = { route: 'portal.devices', method: 'GET', path, claim: '', body: undefined }
  const failures: string[] = []
  let isEnded = false
  const loop = (async () => {
    for (let turn = 0; !isEnded; turn += 1) {
      const start = performance.now()
      try {
        if (turn % 10 === 0) await changeScope(session)
        const { status, text } = await send(session, trigger)
        const ms = Math.round(performance.now() - start)
        if (status !== 200 || ms > ANSWERED_MS) failures.push(`${status} in ${ms} ms: ${text.slice(0, 200)}`)
      } catch (error) {
        failures.push(String(error))
      }
      await wait(50)
    }
  })()
  return async () => {
    isEnded = true
    await loop
    return failures
  }
}

t.test('CALLS lists every call that the gateway makes itself', async (t) => {
  t.strictSame([...triggers.keys()].sort(), CALLS.toSorted())
})

t.test(
  'a hostile upstream neither stops nor blocks the gateway; other callers still get answers',
  async (t) => {
    const endCalls = startCalling(await startSession('customer.user'))
    // Cases that end by a timeout need no CPU time, so they are spread over all sessions.
    const random = randomFrom(SEED)
    const cases = CALLS.flatMap(casesOf).map((item) => ({ ...item, order: random.below(1e9) }))
    cases.sort((a, b) => a.order - b.order)
    const isPerSession = ({ call }: Case) => PER_SESSION.includes(call)
    const work = async (queue: Case[], session: () => Session | Promise<Session>) => {
      for (let item = queue.pop(); item; item = queue.pop()) await attack(await session(), item)
    }
    // Each flood needs 65 ms of CPU time, so floods run one at a time.
    const isFlood = ({ name }: Case) => name.endsWith('100,000 headers')
    const floods = cases.filter((item) => !isPerSession(item) && isFlood(item))
    const floodSession = await startSession('partner.admin')
    const sharedCases = cases.filter((item) => !isPerSession(item) && !isFlood(item))
    const sessions = [admin]
    while (sessions.length < SESSIONS) sessions.push(await startSession('partner.admin'))
    await Promise.all([
      work(cases.filter(isPerSession), startNewUser),
      work(floods, () => floodSession),
      ...sessions.map((session) => work(sharedCases, () => session))
    ])
    const failedCalls = await endCalls()

    const { blocks, parseMs, failures } = await gateway.report()
    const blockedMs = BLOCKED_PARSES * parseMs
    t.comment(`parsing 1 MB takes ${parseMs} ms`)
    const longBlocks = blocks
      .filter(({ ms }) => ms >= blockedMs)
      .map(({ at, ms }) => {
        const cases = timeline.filter(({ from, to }) => from < at && to > at - ms)
        return { ms, during: cases.map(({ name }) => name) }
      })
    t.strictSame(failedCases, [])
    t.strictSame(failedCalls, [], 'other callers get answers in time')
    t.strictSame(longBlocks, [], 'the event loop is not blocked')
    t.strictSame(failures, [], 'logs no unexpected error')
    t.equal(foreignCalls, 0, 'calls no other host')
    t.comment(
      `${timeline.length} answers, the longest block ${Math.max(0, ...blocks.map(({ ms }) => ms))} ms`
    )
  }
)
