// Queries and bodies with mistakes, made from the schemas of the table: the API gets exactly the declared fields that were
// decided on, or nothing.
import t, { type Test } from 'tap'
import { PROXY_TABLE, type ProxyRow } from '#server/proxy/table.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Random, randomFrom } from '#test/sandbox/seed/random.ts'
import { startPortal } from '#test/support/portal.ts'
import { sentCookies } from '../../support/sent-cookies.ts'
import { fits, fitting, holdersIn, namesOf, type Shape } from './fuzz-values.ts'
import { targetOf } from './grid-oracle.ts'
import { startGridUpstream } from './grid-upstream.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20261122)

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const upstream = await startGridUpstream(t, sandbox)
const portal = await startPortal(t, {
  startedSandbox: sandbox,
  env: { UPSTREAM_URL: upstream.url, LOG_LEVEL: 'error', SESSION_CALLS_PER_MINUTE: '1000000' }
})
const ours = targetOf(NOTABLE.northwind, sandbox.state)
const known = namesOf(ours)
const cookies = new Map<string, string>()
for (const name of ['partner.admin', 'global.admin', 'invited.user'])
  cookies.set(name, (await sentCookies((await portal.as(name)).jar)).join('; '))

function callerOf({ scope, check }: ProxyRow): string {
  if (check === 'own-invitation') return 'invited.user'
  return scope === 'root' ? 'global.admin' : 'partner.admin'
}

function pathOf(row: ProxyRow): string {
  const own = { userId: row.action === 'self' ? 'u-partner-admin' : ours.parameters.userId }
  const invitation = row.check === 'own-invitation' ? { invitationId: 'invitation-of-oneself' } : {}
  const parameters: Record<string, string | undefined> = { ...ours.parameters, ...own, ...invitation }
  return row.path.replace(/::|:(\w+)/g, (_, name) => (name ? (parameters[name] ?? 'x') : ':'))
}

interface Sent {
  body?: string | undefined
  type?: string
  query?: string
}

async function send(row: ProxyRow, { body, type = 'application/json', query = '' }: Sent) {
  upstream.passed.length = 0
  const { statusCode, payload } = await portal.app.inject({
    method: row.method,
    url: pathOf(row) + query,
    headers: {
      'x-portal-csrf': '1',
      origin: portal.url,
      cookie: cookies.get(callerOf(row)) ?? '',
      'x-customer-id': ours.id,
      ...(body === undefined
        ? {}
        : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) })
    },
    ...(body === undefined ? {} : { payload: body })
  })
  return { status: statusCode, text: payload, passed: [...upstream.passed] }
}

function plainQuery({ query, scope }: ProxyRow): string {
  const required = [...((query as Shape | undefined)?.required ?? [])]
  if (scope === 'query-organization') required.push('customerId')
  return required.length === 0 ? '' : `?${required.map((name) => `${name}=${known[name]}`).join('&')}`
}

const OTHER_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'OrganizationId',
  'SystemGuids',
  'x',
  ''
] as const
const OTHER_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  'x',
  '',
  '/organizations/5',
  [],
  {},
  [['x']],
  { id: 'x' },
  'x'.repeat(5000)
] as const

const otherCase = (name: string, random: Random) =>
  random.pick([
    name.toUpperCase(),
    name.charAt(0).toUpperCase() + name.slice(1),
    `${name} `,
    `${name}\u0000`
  ] as const)

type Bend = (value: unknown, random: Random) => unknown

const inObject =
  (change: (fields: Record<string, unknown>, random: Random) => void): Bend =>
  (value, random) => {
    const objects = holdersIn(value).filter((holder) => !Array.isArray(holder))
    if (objects.length > 0) change(random.pick(objects) as Record<string, unknown>, random)
    return value
  }
const someName = (fields: object, random: Random) => random.pick(['x', ...Object.keys(fields)])
const put = (fields: object, name: string, value: unknown) =>
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })

const UNCHANGED: Bend = (value) => value
const BENDS: Bend[] = [
  UNCHANGED,
  inObject((fields, random) => {
    const name = someName(fields, random)
    put(fields, otherCase(name, random), fields[name] ?? 'x')
  }),
  inObject((fields, random) => {
    const name = someName(fields, random)
    put(fields, otherCase(name, random), fields[name] ?? 'x')
    delete fields[name]
  }),
  inObject((fields, random) => put(fields, random.pick(OTHER_NAMES), random.pick(OTHER_VALUES))),
  inObject((fields, random) => put(fields, someName(fields, random), random.pick(OTHER_VALUES))),
  inObject((fields, random) => {
    const name = someName(fields, random)
    put(fields, name, [fields[name]])
  }),
  inObject((fields, random) => {
    const name = someName(fields, random)
    put(fields, name, { [name]: fields[name] })
  }),
  (value, random) => {
    const lists = holdersIn(value).filter(Array.isArray)
    const list = lists.length > 0 ? random.pick(lists) : []
    if (list.length > 0) list.push(...Array.from({ length: 1000 }, () => list[0]))
    return value
  },
  (value, random) => random.pick([[value], { body: value }, [[value]], null, 'x', 7, true] as const),
  (value, random) => {
    let deep = value
    for (let levels = random.below(300); levels >= 0; levels -= 1)
      deep = random.below(2) === 0 ? [deep] : { x: deep }
    return deep
  }
]

type TextBend = (text: string, random: Random) => string

const TEXT_BENDS: TextBend[] = [
  (text, random) => doubled(text, random, (name) => name),
  (text, random) =>
    doubled(text, random, (name) => `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`),
  (text) => `${text} ${text}`,
  (text) => text.slice(0, -1),
  (text) => `\ufeff${text}`,
  (text) => new URLSearchParams({ body: text }).toString(),
  () => '',
  (text) => `--x\r\ncontent-disposition: form-data; name="body"\r\n\r\n${text}\r\n--x--`
]

function doubled(text: string, random: Random, spell: (name: string) => string): string {
  const fields = [...text.matchAll(/"(\w+)":/g)]
  if (fields.length === 0) return `${text}x`
  const { index = 0, 1: name = '' } = random.pick(fields)
  return `${text.slice(0, index)}"${spell(name)}":null,${text.slice(index)}`
}

const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x'
] as const

/** The value of a text that is JSON without a field given twice; null for others. */
function plainly(text: string): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    // Serialized again, a text with a field given twice has fewer names.
    const count = (json: string) => [...json.matchAll(/"(?:[^"\\]|\\.)*"\s*:/g)].length
    return count(text) === count(JSON.stringify(value)) ? { value } : null
  } catch {
    return null
  }
}

function asSent({ check }: ProxyRow, decided: unknown, value: unknown): unknown {
  const named = Object.hasOwn(Object(value), 'delete')
  if (!check?.endsWith('-grants') || named || typeof decided !== 'object') return decided
  const { delete: _ended, ...fields } = decided as Record<string, unknown>
  return fields
}

const withBody = PROXY_TABLE.filter(({ body }) => body !== undefined)
const failures: string[] = []
const tell = (row: ProxyRow, said: string, status: number, what: string) =>
  failures.push(`${row.id} ${status}: ${said} ${what.slice(0, 200)}`)

async function tryBodies(t: Test, count: number): Promise<void> {
  const random = randomFrom(SEED)
  let passedOn = 0
  for (const row of withBody) {
    const shape = row.body as Shape
    let ofRow = 0
    for (let index = 0; index < count; index += 1) {
      // The first one is passed on.
      const bend = index === 0 ? UNCHANGED : random.pick(BENDS)
      const value = bend(structuredClone(fitting(shape, random, known)), random)
      const text = JSON.stringify(value)
      const body = index % 4 === 1 ? random.pick(TEXT_BENDS)(text, random) : text
      const { status, passed } = await send(row, { body, type: random.pick(TYPES), query: plainQuery(row) })
      const read = plainly(body)
      const fine = (read !== null && fits(shape, read.value)) || (body === '' && row.id === 'remote.connect')
      if (status >= 500) tell(row, 'failed', status, body)
      const refusal = Buffer.byteLength(body) > (row.bodyLimit ?? 16_384) ? 413 : 400
      if (!fine && (status !== refusal || passed.length > 0)) tell(row, 'was let in', status, body)
      if (passed.length === 0) {
        if (status < 400) tell(row, 'was answered by nobody', status, body)
        continue
      }
      ofRow += 1
      const got = passed[0]?.body ?? ''
      const decided = got === '' ? undefined : JSON.parse(got)
      if (decided !== undefined && !fits(shape, decided)) tell(row, `sent ${got}`, status, body)
      if (JSON.stringify(asSent(row, decided, read?.value)) !== JSON.stringify(read?.value))
        tell(row, `became ${got}`, status, body)
    }
    // A rule may refuse the few bodies of a short run.
    if (count >= 100) t.ok(ofRow > 0, `${row.id}: ${ofRow} of ${count} were passed on`)
    passedOn += ofRow
  }
  t.comment(`seed ${SEED}, ${withBody.length * count} bodies, ${passedOn} passed on`)
  t.ok(passedOn > withBody.length)
  t.strictSame(failures.splice(0).slice(0, 20), [])
}

async function tryNoBodies(t: Test): Promise<void> {
  for (const row of PROXY_TABLE.filter(({ body }) => body === undefined)) {
    for (const body of ['{}', '{"organizationId":"200"}', 'x=1', ' ']) {
      const { status, passed, text } = await send(row, { body, query: plainQuery(row) })
      t.equal(status, 400, `${row.id} with ${body}`)
      t.match(text, /This call takes no body/)
      t.strictSame(passed, [])
    }
    t.equal((await send(row, { query: plainQuery(row) })).passed.length, 1, `${row.id} without any`)
  }
}

type Pairs = [name: string, value: string][]
const written = (pairs: Pairs) =>
  pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')

const QUERY_BENDS: ((pairs: Pairs, random: Random, shape: Shape) => [text: string, fine: boolean])[] = [
  (pairs) => [written(pairs), true],
  (pairs) => [
    `&&${pairs.map(([name, value]) => `${name}=${[...encodeURIComponent(value)].join('')}`).join('&&')}`,
    true
  ],
  (pairs, random) => {
    const at = random.below(pairs.length)
    const [name, value] = pairs[at] ?? ['', '']
    return [written(pairs.with(at, [otherCase(name, random), value])), false]
  },
  (pairs, random, { properties = {} }) => {
    const [name = '', value = ''] = random.pick(pairs)
    return [`${written(pairs)}&${name}=${encodeURIComponent(value)}`, properties[name]?.type === 'array']
  },
  (pairs, random) => [`${written(pairs)}&${random.pick(OTHER_NAMES)}=1`, false],
  (pairs, random) => [`${written(pairs)}&${random.pick(pairs)[0]}[]=1`, false],
  (pairs) => [`x=1;${written(pairs)}`, false],
  (pairs, random, { properties = {} }) => {
    const at = random.below(pairs.length)
    const [name] = pairs[at] ?? ['']
    const wrong = random.pick([
      '',
      '1.5',
      '1e3',
      ' 1',
      '0x1',
      '-1',
      'TRUE',
      'null',
      '[]',
      '00',
      '1;deviceId=d-1'
    ] as const)
    const { items, ...declared } = properties[name] ?? {}
    return [written(pairs.with(at, [name, wrong])), fits(items ?? declared, wrong)]
  },
  (pairs, random) => {
    const at = random.below(pairs.length)
    return [written(pairs.with(at, [pairs[at]?.[0] ?? '', 'x'.repeat(2000)])), false]
  }
]

async function tryQueries(t: Test, count: number): Promise<void> {
  const random = randomFrom(SEED)
  let passedOn = 0
  for (const row of PROXY_TABLE) {
    const shape = (row.query ?? { type: 'object' }) as Shape
    const body =
      row.body === undefined ? undefined : JSON.stringify(fitting(row.body as Shape, random, known))
    const claims = row.scope === 'export'
    for (let index = 0; index < count; index += 1) {
      const values = Object.entries(fitting(shape, random, known) as object)
      const pairs = values.flatMap(([name, value]): Pairs => [value].flat().map((one) => [name, String(one)]))
      if (pairs.length === 0) {
        if (row.query) continue
        const { status, passed } = await send(row, { body, query: `?${random.pick(OTHER_NAMES)}=1` })
        if (status !== 400 || passed.length > 0) tell(row, 'was let in', status, 'a query')
        continue
      }
      const [query, fine] = random.pick(QUERY_BENDS as [(typeof QUERY_BENDS)[number]])(pairs, random, shape)
      const { status, passed } = await send(row, { body, query: `?${query}` })
      if (status >= 500) tell(row, 'failed', status, query)
      if (!fine && (status !== 400 || passed.length > 0)) tell(row, 'was let in', status, query)
      const [got] = passed
      if (got === undefined) continue
      passedOn += 1
      const sent = [...new URLSearchParams(query)].filter(([name]) => name !== '' && !claims)
      if (JSON.stringify([...new URLSearchParams(got.query)].sort()) !== JSON.stringify(sent.sort()))
        tell(row, `became ${got.query}`, status, query)
    }
  }
  t.comment(`${passedOn} queries were passed on`)
  t.ok(passedOn > 3 * count)
  t.strictSame(failures.splice(0).slice(0, 20), [])
}

export function tryFields(bodies: number, queries: number): void {
  t.test(`${bodies} bodies for each row`, (t) => tryBodies(t, bodies))
  t.test('a body for each row that takes none', tryNoBodies)
  t.test(`${queries} queries for each row`, (t) => tryQueries(t, queries))
  t.test('no unexpected failure was logged', async (t) => {
    t.strictSame(portal.logged.filter((line) => /"level":"(?:error|fatal)"/.test(line)).slice(0, 3), [])
  })
}
