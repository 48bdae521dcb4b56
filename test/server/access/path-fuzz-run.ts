// Sends addresses that parsers may read differently. The upstream must receive only canonical addresses of rows that
// the same caller may also call directly; the access grid checks those rights.
import t from 'tap'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Random, randomFrom } from '#test/sandbox/seed/random.ts'
import { startPortal } from '#test/support/portal.ts'
import { type RawAnswer, sendAlone, sendPipelined } from '../../support/raw-http.ts'
import { startRecordingUpstream } from '../../support/recording-upstream.ts'
import { sentCookies } from '../../support/sent-cookies.ts'
import { ORACLE, type Target, targetOf } from './grid-oracle.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20261120)

// Without stack traces, refusals take much less time.
Error.stackTraceLimit = 0

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())
const { state } = sandbox
const upstream = await startRecordingUpstream(t, sandbox)
const portal = await startPortal(t, {
  startedSandbox: sandbox,
  // All calls in flight fit into a caller's share: a busy gateway refuses calls, which says nothing about access.
  env: { UPSTREAM_URL: upstream.url, CALLS_IN_FLIGHT: '1000', UPSTREAM_CONNECTIONS: '1000' }
})
const port = Number(new URL(portal.url).port)

const CALLERS = ['', 'customer.user', 'partner.user', 'partner.admin', 'custom.user', 'customer.multi']
const cookies = new Map<string, string>()
for (const name of CALLERS)
  if (name !== '') cookies.set(name, (await sentCookies((await portal.as(name)).jar)).join('; '))

const CUSTOMERS = [
  NOTABLE.northwind,
  ...NOTABLE.custom,
  NOTABLE.multi[1],
  NOTABLE.withoutProjects,
  NOTABLE.otherPartnersCustomer
]
const TARGETS = [...CUSTOMERS, NOTABLE.partner, NOTABLE.partnerWithoutTechView].map((id) =>
  targetOf(id, state)
)
const USERS = [...CALLERS.slice(1), 'global.admin'].map((name) => `u-${name.replace('.', '-')}`)

const hex = (text: string, upper = false) =>
  [...Buffer.from(text, 'latin1')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .map((code) => (upper ? code.toUpperCase() : code))
    .join('')

const words = (text: string): string[] => text.trim().split(/[ \n]+/)

const SLASHES = words(`
  // /// /./ /././ /x/../ /../ \\ /\\ \\/ %2f %2F /%2f %5c %5C %252f %25%32%66 %255c /%2e/ /%2E/
  /%2e%2e/ /.%2e/ /%2e./ /x/%2e%2e/ /x/..%2f /..;/ /.;/ /;/ /;a=b/ /..%3b/ /x/..;x=y/ /%252e/
  /%252e%252e/ /%u002e/ %u2215 %c0%af %e0%80%af %ef%bc%8f %e2%81%84 \xc0\xaf \xef\xbc\x8f /%c0%ae/
  /%c0%ae%c0%ae/ /%e0%80%ae/ /\xc0\xae/ /%00/ /%0a/ /%0d%0a/ /%09/ /%20/ /+/ /~/ /*/ /%2a/ /:/ /.../
  /%3f/ /%23/
`)
const TAILS = words(`
  ; ;a=b ;a=b;c=d ;jsessionid=1 %3b %3Ba=b %253b . .. %2e %20 %09 %00 %0a %0d %7f %80 %ff %c0%80
  %e2%80%8b %ef%bb%bf %u0000 % %% %2 %zz ~ .json . , : %3a @ %40 = & + %2b %2c ! * ' ( $ %24 ^ | \` {
  } [ ] < " \x80 \xff \xc3\xa9 \xe2\x80\xae %c3%a9 %F0%9F%92%A9 %3f %3fa=b %253f %26 %25
`)
const ENDS = words(`
  / // /. /.. /../ /./ ? ?? ?/ ?/../x ?a=b ?; %3f /%2e /%2e%2e /%20 /; /%2f . %2e /index.html /users
  /../users /..%2fusers ?% ?a=%zz ?a=%00 ?\xff ?a=/../ # #x #?a=b #/../users ?a=b#c %23 %23x
`)
const STARTS = words(`
  / /. /.. /./ /%2e /%2f \\ /\\ /; /;/ /api/.. /api/v1/.. /x/.. /%2e%2e /%00 /api/portal/v1/..
  /auth/.. /API /Api/.. http://localhost http://elsewhere.example.com https://localhost:1
  HTTP://LOCALHOST http:/ http: * //localhost /http://localhost \xa0
`)
const QUERY_NAMES = words(`
  customerId organizationId deviceId customerid customerId[] customerId%5b%5d customer%49d
  %63ustomerId x customerId%00 +customerId
`)

const CONFUSING_BYTES = ['\0', '\t', '\v', '\f', ' ', '\x7f', '\x1b', '\x85', '\xa0', '\xff'] as const
const UPS = words(`
  ../ ..%2f %2e%2e/ ..\\ .%2e/ ..;/ %252e%252e/ ..%5c %c0%ae%c0%ae/ ../;/
`)

function wellFormedCall(random: Random): { method: string; path: string; body: string } {
  const { id, method, path } = random.pick(PROXY_TABLE)
  const target = random.pick(TARGETS)
  const { parameters } = target
  const fullPath = path.replace(/::|:(\w+)/g, (_, name) => {
    if (name === 'userId' && random.below(2) === 0) return random.pick(USERS)
    return name ? parameters[name] || 'x-1' : ':'
  })
  return { method, path: fullPath, body: bodyOf(id, method, target) }
}

/** A body with each field that the call needs; empty for a method without one. */
function bodyOf(id: string, method: string, target: Target): string {
  if (method === 'GET' || method === 'DELETE') return ''
  return JSON.stringify(ORACLE[id]?.body?.(target) ?? {})
}

type Mutation = (path: string, random: Random) => string

const insertAt = (path: string, random: Random, text: string, removeCount = 0): string => {
  const at = random.below(path.length)
  return path.slice(0, at) + text + path.slice(at + removeCount)
}

const MUTATIONS: Mutation[] = [
  // A character in another form.
  (path, random) => {
    const at = 1 + random.below(Math.max(1, path.length - 1))
    const forms = [
      hex,
      (text: string) => hex(text, true),
      (text: string) => hex(hex(text)),
      (text: string) => `%25${hex(text).slice(1)}`,
      (text: string) => `%u00${hex(text).slice(1)}`
    ]
    return path.slice(0, at) + random.pick(forms)(path[at] ?? 'x') + path.slice(at + 1)
  },
  // A slash in another form.
  (path, random) => {
    const slashes = [...path.matchAll(/\//g)].map(({ index }) => index)
    const at = random.pick(slashes.length > 0 ? slashes : [0])
    return path.slice(0, at) + random.pick(SLASHES) + path.slice(at + 1)
  },
  // A segment with a suffix.
  (path, random) => {
    const segments = path.split('/')
    const at = random.below(segments.length)
    segments[at] += random.pick(TAILS)
    return segments.join('/')
  },
  // A segment with letters of the other case.
  (path, random) => {
    const segments = path.split('/')
    const at = random.below(segments.length)
    const segment = segments[at] ?? ''
    segments[at] =
      random.below(2) === 0 ? segment.toUpperCase() : segment.charAt(0).toUpperCase() + segment.slice(1)
    return segments.join('/')
  },
  (path, random) => path + random.pick(ENDS),
  (path, random) => random.pick(STARTS) + (random.below(2) === 0 ? path : path.slice(1)),
  // Up from an allowed path and down to another path.
  (path, random) => {
    const otherSegments = wellFormedCall(random).path.split('/')
    const firstIndex = random.below(otherSegments.length)
    const ups = random.pick(UPS).repeat(1 + random.below(8))
    return `${path}/${ups}${otherSegments.slice(firstIndex).join('/')}`
  },
  // A string at any position.
  (path, random) => insertAt(path, random, random.pick([...TAILS, ...SLASHES]), random.below(2)),
  // A byte that confuses parsers, anywhere or at the end.
  (path, random) => {
    const suffix = random.pick(random.below(8) === 0 ? CONFUSING_BYTES : TAILS)
    return random.below(2) === 0 ? path + suffix : insertAt(path, random, suffix)
  },
  // A segment added, removed or repeated.
  (path, random) => {
    const segments = path.split('/')
    const at = 1 + random.below(segments.length - 1)
    segments.splice(
      at,
      random.below(2),
      ...([[], ['.'], [segments[at] ?? ''], ['', '']][random.below(4)] ?? [])
    )
    return segments.join('/')
  },
  // A query that names a customer or user.
  (path, random) => {
    const pairs = Array.from({ length: 1 + random.below(2) }, () => {
      const { id, parameters } = random.pick(TARGETS)
      return `${random.pick(QUERY_NAMES)}=${random.pick([id, parameters.deviceId, random.pick(USERS)])}`
    })
    return (
      path + random.pick(QUERY_STARTS) + pairs.join(random.pick(['&', ';', '&&', '?', '%26', '#', '&x=?']))
    )
  }
]
const QUERY_STARTS = ['?', '?', '??', '?&', '&', '%3f', ';', '?;', '#', '#?', '#x='] as const

const CLAIMS = [
  '',
  `${NOTABLE.northwind}, ${NOTABLE.otherPartnersCustomer}`,
  `${NOTABLE.northwind}/../${NOTABLE.otherPartnersCustomer}`,
  NOTABLE.northwind.toUpperCase(),
  '%2e'
]
const MUTATION_COUNTS = [0, 1, 1, 1, 1, 1, 1, 2, 2, 3] as const

interface Attempt {
  target: string
  request: string
}

function attempt(random: Random): Attempt {
  const caller = random.pick(CALLERS)
  const { method, path, body } = wellFormedCall(random)
  let target = path
  for (let count = random.pick(MUTATION_COUNTS); count > 0; count -= 1)
    target = random.pick(MUTATIONS)(target, random)
  const claim = random.below(3) === 0 ? random.pick(CLAIMS) : random.pick(TARGETS).id
  return { target, request: requestOf(method, target, body, caller, claim) }
}

function requestOf(method: string, target: string, body: string, caller: string, claim: string): string {
  const headers = [
    `${method} ${target} HTTP/1.1`,
    'host: localhost',
    `origin: ${portal.url}`,
    'x-portal-csrf: 1',
    `x-customer-id: ${claim}`,
    ...(caller === '' ? [] : [`cookie: ${cookies.get(caller)}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`])
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}`
}

const endsConnection = (target: string) => !/^\/[\x21-\x7e]*$/.test(target)

/** Returns the answers in the order of the attempts. */
async function send(attempts: readonly Attempt[]): Promise<(RawAnswer | undefined)[]> {
  const answers: (RawAnswer | undefined)[] = []
  const indexes = [...attempts.keys()].filter((index) => !endsConnection(attempts[index]?.target ?? ''))
  const requests = indexes.map((index) => attempts[index]?.request ?? '')
  for (const [at, answer] of (await sendPipelined(port, requests)).entries())
    answers[indexes[at] ?? 0] = answer
  const queue = attempts.entries()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const [index, { target, request }] of queue)
        if (endsConnection(target)) answers[index] = await sendAlone(port, request)
    })
  )
  return answers
}

const CANONICAL = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+,=:@"<>[\]^`{|}-]|%[2-9a-f][\da-f])+)+$/i
const DELIMITER = /%(?:2[ef5]|5c|3[bf]|23|7f)/i
const isCanonical = (target: string) => CANONICAL.test(target.split('?')[0] ?? '') && !DELIMITER.test(target)
const ROWS = PROXY_TABLE.map(({ method, path }) => {
  const pattern = path.replace(/::|:\w+/g, (part) => (part === '::' ? ':' : '[^/]+'))
  return new RegExp(`^${method} ${pattern}$`)
})
/** Decodes every character of the target that needs no encoding. */
function plainOf(target: string): string {
  const [path = '', ...query] = target.split('?')
  return [encodeURI(path.split('/').map(decodeURIComponent).join('/')), ...query].join('?')
}
const rowOf = (method: string, target: string) =>
  ROWS.findIndex((row) => row.test(`${method} ${plainOf(target).split('?')[0]}`))

const nameOf = ({ by, method, target }: { by: string; method: string; target: string }) =>
  `${by} ${method} ${target}`

export function tryPaths(count: number): void {
  t.test(`none of ${count} addresses reaches an object that its caller may not see`, async (t) => {
    const random = randomFrom(SEED)
    const attempts = Array.from({ length: count }, () => attempt(random))
    const answers = await send(attempts)
    const failures = attempts.flatMap(({ request }, index) => {
      const status = answers[index]?.status ?? 0
      return status >= 500 || status === 0 ? [`${status}: ${request.split('\r\n')[0]}`] : []
    })
    t.strictSame(failures.slice(0, 20), [], 'the gateway answers no call with 5xx')
    const forwarded = [...new Map(upstream.forwarded.map((call) => [nameOf(call), call])).values()]
    const calls = forwarded.filter(({ method, target }) => isCanonical(target) && rowOf(method, target) >= 0)
    t.strictSame(
      forwarded.filter((call) => !calls.includes(call)).map(nameOf),
      [],
      'the upstream receives only canonical addresses of rows'
    )
    upstream.forwarded.length = 0
    const repeated = calls.flatMap(({ by, method, target }) => {
      const { id = '' } = PROXY_TABLE[rowOf(method, target)] ?? {}
      const caller = state.users.get(by)?.username ?? ''
      return TARGETS.map((claimed) => ({
        name: nameOf({ by, method, target: plainOf(target) }),
        request: requestOf(method, plainOf(target), bodyOf(id, method, claimed), caller, claimed.id)
      }))
    })
    const repeatedAnswers = await sendPipelined(
      port,
      repeated.map(({ request }) => request)
    )
    const indexesByName = Map.groupBy(repeated.keys(), (index) => repeated[index]?.name ?? '')
    const allowedNames = new Set(upstream.forwarded.map(nameOf))
    t.strictSame(
      [...indexesByName]
        .filter(([name]) => !allowedNames.has(name))
        .map(([name, indexes]) => `${name}: ${indexes.map((index) => repeatedAnswers[index]?.status)}`),
      [],
      'the callers may also make these calls directly'
    )
    const rows = new Set(forwarded.map(({ method, target }) => rowOf(method, target)))
    t.comment(`seed ${SEED}, ${forwarded.length} forwarded, ${rows.size} of ${ROWS.length} rows reached`)
    t.ok(rows.size > ROWS.length / 3)
    const lookups = [...upstream.lookups]
    t.ok(lookups.length > 20)
    t.ok(lookups.every(isCanonical))
    const errorLines = portal.logged.filter((line) => /"level":"(?:error|fatal)"/.test(line))
    t.strictSame(errorLines.slice(0, 20), [])
  })
}
