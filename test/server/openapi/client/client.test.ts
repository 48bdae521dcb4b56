// The committed typed client is the one that the gateway serves, and it works against the gateway. The type checker also checks
// its examples. UPDATE_EXAMPLES=1 updates the file.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { clientSource } from '#server/openapi/client/source.ts'
import { comment, typeOf } from '#server/openapi/client/types.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { examples } from './examples.ts'
import { clientCredentials, createPortalClient, PortalProblem } from './portal-client.ts'

const FILE = new URL('portal-client.ts', import.meta.url)
const sandbox = await openSandbox(t)
const portal = await startPortal(t, { startedSandbox: sandbox, env: { OIDC_AUDIENCE: sandbox.audience } })
const token = (scope = 'ncp:read', fetch = globalThis.fetch, now = Date.now) =>
  clientCredentials({
    tokenUrl: `${sandbox.issuer}/token`,
    clientId: 'internal-service',
    clientSecret: 'sandbox',
    scope,
    fetch,
    now
  })
const client = createPortalClient({ baseUrl: portal.url, token: token() })
const northwind = { customerId: NOTABLE.northwind }

t.test('the committed client is the one that the gateway serves to signed-in callers', async (t) => {
  t.equal((await fetch(`${portal.url}/api/client.ts`)).status, 401)
  const browser = await portal.as('partner.admin')
  const answer = await browser.call('/api/client.ts')
  const source = await answer.text()
  t.match(answer.headers.get('content-type'), /^text\/plain/)
  if (process.env.UPDATE_EXAMPLES) writeFileSync(FILE, source)
  t.equal(readFileSync(FILE, 'utf8'), source, 'UPDATE_EXAMPLES=1 updates the client')
  t.notMatch(source, /^import /m)
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
  t.equal((await browser.call('/api/client.ts', { headers })).status, 304)
  const document = await browser.call('/api/openapi.json', { headers })
  t.equal(document.status, 200, 'the client may change while the document does not')
})

t.test('a keyword that has no type is an error, not a wider type', async (t) => {
  t.throws(() => typeOf({ type: 'object', not: {} } as object), /keyword not/)
  t.throws(() => typeOf({ type: 'date' }), /type date/)
  const document = { info: { title: 'x', version: '1', description: '' }, tags: [] }
  const schemas = { A: { type: 'string', contains: {} } as object }
  t.throws(
    () => clientSource({ ...document, paths: {}, components: { schemas, responses: {} } }),
    /keyword contains/
  )
})

t.test('types say what a schema says', async (t) => {
  const cases: [schema: object, type: string][] = [
    [{}, 'unknown'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { type: ['integer', 'null'] } }, '(number | null)[]'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'string', const: 'a' }, '"a"'],
    [{ anyOf: [{ type: 'boolean' }, { $ref: '#/components/schemas/A' }] }, 'boolean | Schemas.A'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', patternProperties: { '^.*$': { type: 'number' } } }, 'Record<string, number>'],
    [{ type: 'object', properties: { a: { type: 'null' } }, required: ['a'] }, '{\n"a": null\n}'],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: true },
      '{\n"a"?: unknown\n} & Record<string, unknown>'
    ]
  ]
  for (const [schema, type] of cases) t.equal(typeOf(schema), type)
  t.equal(comment('ends */ here'), '/** ends *\\/ here */\n')
})

t.test('a call returns typed data, and an unchanged tree costs no transfer', async (t) => {
  const tree = await client.call('portal.tree', { path: northwind })
  t.equal(tree.status, 200)
  if (tree.status !== 200) return
  const names: string[] = tree.data.projects.flatMap(({ devices }) =>
    devices.map((device) => device.deviceName)
  )
  t.ok(names.length > 0)
  t.match(tree.requestId, /^[\da-f-]{36}$/)
  const again = await client.call('portal.tree', {
    path: northwind,
    headers: { 'if-none-match': tree.etag ?? '' }
  })
  t.match(again, { status: 304, data: undefined })
})

t.test('items come from all pages, and lines as they arrive', async (t) => {
  const uuids: string[] = []
  for await (const device of client.items('portal.devices', { path: northwind, query: { size: 20 } }))
    uuids.push(device.deviceUuid)
  const lines: string[] = []
  for await (const device of client.lines('portal.tree', { path: northwind })) lines.push(device.deviceUuid)
  t.ok(uuids.length > 20, 'more than a page')
  t.strictSame(lines.toSorted(), uuids.toSorted())
})

t.test('a problem has its type, status and request', async (t) => {
  const problem = await client.call('portal.projects', { path: { customerId: 'c-none' } }).then(
    () => null,
    (error: PortalProblem) => error
  )
  t.ok(problem instanceof PortalProblem)
  t.match(problem, {
    status: 404,
    type: /^urn:portal:problem:/,
    requestId: /^[\da-f-]{36}$/,
    retryAfterMs: null
  })
})

t.test('events arrive as they happen, until the caller stops', async (t) => {
  for await (const event of client.events('portal.events', { query: northwind })) {
    if (event.event !== 'alarms') continue
    const { customerId, count } = event.data
    t.equal(customerId, NOTABLE.northwind)
    t.ok(count === null || count >= 0)
    break
  }
})

t.test('the example of the documentation is tested code, and works', async (t) => {
  const text = readFileSync(new URL('../../../../.github/operations/services.md', import.meta.url), 'utf8')
  const code = readFileSync(new URL('examples.ts', import.meta.url), 'utf8')
  const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(text) ?? []
  const [, lines = ''] = example.split('const token = ')
  t.ok(lines.length > 500)
  const onOneLine = (part: string) => part.replace(/\s+/g, ' ').trim()
  t.ok(onOneLine(code).includes(onOneLine(lines)), 'the document shows the tested lines')
  const found = await examples({
    baseUrl: portal.url,
    tokenUrl: `${sandbox.issuer}/token`,
    clientId: 'internal-service',
    clientSecret: 'sandbox',
    customerId: NOTABLE.northwind
  })
  t.match(found, { projects: /\w/, devices: Number, live: NOTABLE.northwind })
})

/** Answers of a portal that a test makes up; an error is a connection that fails. */
const madeUp = (...answers: (Response | Error)[]) => {
  const waits: number[] = []
  const made = createPortalClient({
    baseUrl: 'http://portal.example',
    token: async () => 'token',
    fetch: async () => {
      const answer = answers.shift() ?? Response.error()
      if (answer instanceof Error) throw answer
      return answer
    },
    wait: async (ms) => void waits.push(ms)
  })
  return { made, waits, left: answers }
}
const busy = (status: number, seconds: string) =>
  new Response('{}', { status, headers: { 'retry-after': seconds } })

t.test('a call that is refused with Retry-After is made again, twice at most', async (t) => {
  const { made, waits } = madeUp(busy(429, '1'), busy(503, '2'), Response.json({ projects: [] }))
  t.equal((await made.call('portal.projects', { path: northwind })).status, 200)
  t.strictSame(waits, [1000, 2000])
  const { made: busyPortal } = madeUp(busy(429, '1'), busy(429, '1'), busy(429, '1'))
  t.match(await busyPortal.call('portal.me').catch((error) => error), { status: 429 })
  t.match(
    await madeUp(busy(503, '61'))
      .made.call('portal.me')
      .catch((error) => error),
    { retryAfterMs: 61_000 },
    'not a long wait'
  )
})

t.test('an NDJSON answer that ends with a problem throws it after its lines', async (t) => {
  const problem = { type: 'urn:portal:problem:unavailable', title: 'x', status: 503, detail: 'The end.' }
  const body = `{"deviceUuid":"d-1"}\n${JSON.stringify(problem)}\n`
  const { made } = madeUp(new Response(body))
  const uuids: string[] = []
  const reading = async () => {
    for await (const { deviceUuid } of made.lines('portal.tree', { path: northwind })) uuids.push(deviceUuid)
  }
  t.match(await reading().catch((error) => error), { status: 503, message: 'The end.' })
  t.strictSame(uuids, ['d-1'])
})

t.test('all calls use one token until 80 % of its lifetime; a failed request is repeated', async (t) => {
  let [asked, now] = [0, 0]
  const fetchToken = async () => {
    asked += 1
    if (asked === 1) return new Response('no', { status: 500 })
    return Response.json({ access_token: `token ${asked}`, expires_in: 100 })
  }
  const next = token('ncp:read', fetchToken as typeof fetch, () => now)
  await t.rejects(next(), /answered 500: no/)
  t.strictSame(await Promise.all([next(), next()]), ['token 2', 'token 2'])
  now = 79_999
  t.equal(await next(), 'token 2')
  now = 80_000
  t.equal(await next(), 'token 3')
})
