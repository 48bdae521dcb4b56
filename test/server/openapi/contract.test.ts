// Every operation of openapi.json answers people and services as documented, even when it refuses.
// UPDATE_EXAMPLES=1 updates the examples of the document.
import { readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { FAULTY_APIS } from '#test/sandbox/faults.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn } from '#test/sandbox/sign-in-flow.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { serviceToken } from '#test/support/service-token.ts'
import { type Answer, type Call, contractOf, type Document, type Send } from './operations.ts'
import { type Good, NOON, PARAMS, scenario } from './scenario.ts'

const EXAMPLES = new URL('../../../server/openapi/examples.json', import.meta.url)

/** Starts a gateway for a test and, if none is given, a sandbox with its own clock, whose day both have. */
async function start(t: Test, env: Record<string, string> = {}, sandbox?: Portal['sandbox']) {
  const time = { now: NOON }
  const startedMs = Date.now()
  const startedSandbox = sandbox ?? (await startSandbox({ clock: () => time.now }))
  if (!sandbox) t.teardown(startedSandbox.stop)
  const limits = {
    OIDC_AUDIENCE: startedSandbox.audience,
    BEARER_CALLS_PER_MINUTE: '1000000',
    CALLS_IN_FLIGHT: '1000',
    UPSTREAM_CONNECTIONS: '1000',
    ...env
  }
  // Live streams end soon, so that their answers can be read to the end.
  const portal = await startPortal(t, {
    startedSandbox,
    clock: () => time.now + Date.now() - startedMs,
    // The provider's tokens have the machine's own time.
    localClock: Date.now,
    env: limits,
    limits: { streamRotationMs: 500 }
  })
  return { time, portal }
}

const first = await start(t)
const { sandbox } = first.portal
const document = await (await first.portal.as('partner.admin')).json<Document>('/api/openapi.json')
const contract = contractOf(document)

const asPerson =
  (portal: Portal, username: string): Send =>
  async (path, init) =>
    (await portal.as(username)).call(path, init)
const withToken =
  (portal: Portal, token: string): Send =>
  (path, { headers, ...init }) =>
    fetch(portal.url + path, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } })

const goodCalls: Good = new Map()

t.test('answers a person', async (t) => {
  const { time, portal } = first
  await scenario({ t, time, sandbox }, contract, goodCalls, (name) => asPerson(portal, name))
  for (const id of contract.operations.keys()) t.ok(goodCalls.has(id), id)
})

t.test('every example of the document is an answer of the gateway', async (t) => {
  const examples = Object.fromEntries(
    [...goodCalls]
      .filter(([id, { answer }]) => id !== 'openapi' && isJson(answer))
      .map(([id, { answer }]) => [id, cut(answer.body)])
  )
  if (process.env.UPDATE_EXAMPLES) {
    const lines = Object.entries(examples).map((pair) => pair.map((part) => JSON.stringify(part)).join(': '))
    writeFileSync(EXAMPLES, `{\n${lines.join(',\n')}\n}\n`)
  }
  t.strictSame(JSON.parse(readFileSync(EXAMPLES, 'utf8')), examples, 'UPDATE_EXAMPLES=1 updates the examples')
})

const isJson = ({ headers }: Answer) => headers.get('content-type')?.startsWith('application/json') === true
const UNSTABLE: Record<string, string> = {
  assembledAt: '2026-03-11T12:00:00.000Z',
  readAt: '2026-03-11T12:00:00.000Z',
  noticedAt: '2026-03-11T12:00:00.000Z',
  clientId: 'sa-6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  correlationId: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  commandId: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  secret: 'shown-only-once',
  url: 'https://remote.example.com/session'
}

function cut(node: unknown): unknown {
  if (Array.isArray(node)) return node.slice(0, 1).map(cut)
  if (typeof node === 'string') return node.replace(/http:\/\/localhost:\d+/, 'https://api.example.com')
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, UNSTABLE[name] ?? cut(part)]))
}

t.test('answers a service', async (t) => {
  const { time, portal } = await start(t)
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (name: string) => {
    const token = tokens.get(name) ?? signIn(portal.sandbox, name).then(({ access_token }) => access_token)
    tokens.set(name, token)
    return token
  }
  const as = (name: string) => async (path: string, init: RequestInit) =>
    withToken(portal, await tokenOf(name))(path, init)
  await scenario({ t, time, sandbox: portal.sandbox }, contract, goodCalls, as)
})

interface Refusal {
  sends: Send[]
  change?: Call
}
/** Changes each good call, made by the user `as`, so that the gateway answers with the status. */
const REFUSALS: Record<string, (t: Test) => Promise<(id: string, as: string, call: Call) => Refusal>> = {
  400: async () => (_id, as) => ({ sends: [asPerson(first.portal, as)], change: { query: '?surprise=1' } }),
  401: async () => () => ({ sends: [(path, init) => fetch(first.portal.url + path, init)] }),
  403: async () => {
    const readOnly = withToken(first.portal, await serviceToken(sandbox, 'ncp:read'))
    const writeOnly = withToken(first.portal, await serviceToken(sandbox, 'ncp:write'))
    return (id) => ({ sends: [contract.operation(id).method === 'GET' ? writeOnly : readOnly] })
  },
  404: async () => (_id, _as, call) => ({
    sends: [asPerson(first.portal, 'global.admin')],
    change: withUnknownIds(call)
  }),
  406: async () => (_id, as) => ({
    sends: [asPerson(first.portal, as)],
    change: { headers: { accept: 'text/html' } }
  }),
  413:
    async () =>
    (_id, as, { params }) => ({
      sends: [asPerson(first.portal, as)],
      change: { params: { ...params, ...PARAMS }, body: { text: 'x'.repeat(2 ** 20) } }
    }),
  429: async (t) => {
    const { portal } = await start(t, { SESSION_CALLS_PER_MINUTE: '1' }, sandbox)
    await (await portal.as('partner.admin')).call('/api/openapi.json')
    return () => ({ sends: [asPerson(portal, 'partner.admin')] })
  },
  502: withFault('500'),
  503: withFault('503'),
  504: withFault('timeout'),
  default: withFault('422')
}

function withUnknownIds({ params, body, query = '', headers }: Call): Call {
  const withUnknownCustomer = (text: string) => text.replaceAll(NOTABLE.northwind, 'c-0')
  const names = Object.keys(params ?? {})
  return {
    params: Object.fromEntries(names.map((name) => [name, name === 'code' ? 'ABCDEFGH' : 'none'])),
    query: withUnknownCustomer(query),
    headers: JSON.parse(withUnknownCustomer(JSON.stringify(headers ?? {}))),
    ...(body === undefined ? {} : { body: withUnknownCustomer(JSON.stringify(body)) })
  }
}

function withFault(kind: string) {
  return async (t: Test) => {
    const { portal } = await start(t, kind === 'timeout' ? { UPSTREAM_TIMEOUT_MS: '100' } : {}, sandbox)
    const people = new Set([...goodCalls.values()].map(({ as }) => as))
    for (const name of people) await portal.as(name)
    const service = withToken(portal, await serviceToken(sandbox, 'ncp:read ncp:write'))
    for (const api of FAULTY_APIS) if (!api.startsWith('oidc')) sandbox.faults.set(api, kind)
    t.teardown(() => sandbox.faults.clear())
    return (_id: string, as: string) => ({ sends: [asPerson(portal, as), service] })
  }
}

for (const [status, prepare] of Object.entries(REFUSALS))
  t.test(`refuses with ${status}`, async (t) => {
    const refusalOf = await prepare(t)
    const calls = [...goodCalls].filter(([id]) => contract.operation(id).responses[status])
    await Promise.all(
      calls.flatMap(([id, { as, call }]) => {
        const { sends, change } = refusalOf(id, as, call)
        return sends.map((send) => contract.call(t, send, id, { ...call, ...change }))
      })
    )
  })

/** Optional fields that the API needs unless another one replaces them, or the object is the integrator's own. */
const REPLACEABLE = [
  'projects.create customer',
  'projects.create partner',
  'service-accounts.create customer',
  'notifications.mark notificationIds'
]

t.test('a body requires each field without which the API refuses the call', async (t) => {
  for (const [id, { as, call }] of goodCalls)
    for (const [field, body] of withoutOneField(call.body)) {
      const name = `${id} ${field}`
      const answer = await contract.call(t, asPerson(first.portal, as), id, { ...call, body })
      if (!REPLACEABLE.includes(name)) t.not(answer.body?.code, 'malformed', name)
    }
})

/** The body without one field of it, for each field of an object and of the first object of a list. */
function* withoutOneField(body: unknown): Generator<[field: string, body: unknown]> {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    const isList = Array.isArray(body)
    const [field, copy] = [isList ? '[]' : name, isList ? [...body] : { ...body }]
    if (!isList) yield [field, Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))]
    for (const [part, changed] of withoutOneField(value))
      yield [`${field}.${part}`, Object.assign(copy, { [name]: changed })]
    if (isList) return
  }
}

const UNSEEN: Record<string, string> = {
  'invitations.accept 410': 'needs an invitation that expires between the lookup and the call',
  'exports.cancel 204': 'the contract allows 204; the sandbox answers 200',
  'exports.download 206': "the sandbox's files cannot be resumed; see test/server/proxy/files.test.ts",
  'backups.download 206': "the sandbox's files cannot be resumed; see test/server/proxy/files.test.ts",
  'openapi 502': 'needs a caller whose user was never read',
  'openapi 504': 'needs a caller whose user was never read',
  'openapi default': 'means a failure of the gateway itself',
  'portal.me 502': 'needs a caller whose user was never read',
  'portal.me 504': 'needs a caller whose user was never read',
  'portal.me default': 'means a failure of the gateway itself',
  'portal.report-data default': 'means a failure of the gateway itself',
  'portal.events 501': 'needs a deployment without live streams; see test/server/portal/events',
  'organizations.tech-support 404': 'callers have the needed role only at existing organizations'
}

t.test('every described answer occurred, except the answers in UNSEEN', async (t) => {
  const missingAnswers = [...contract.operations].flatMap(([id, { responses }]) =>
    Object.keys(responses).flatMap((status) => (contract.seen.get(id)?.has(status) ? [] : `${id} ${status}`))
  )
  t.strictSame(missingAnswers.toSorted(), Object.keys(UNSEEN).toSorted())
})
