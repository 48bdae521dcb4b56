import t from 'tap'
import { problems } from '#server/errors.ts'
import { searchAlarms } from '#server/upstreams/alarms.ts'
import { createOrganizationDirectory } from '#server/upstreams/organization-directory.ts'
import { fetchCustomers } from '#server/upstreams/organizations.ts'
import { arrayParts, countValues, parseJson } from '#server/upstreams/parse-json.ts'
import { toUser } from '#server/upstreams/users.ts'
import { readVisibility, visibilityOf } from '#server/upstreams/visibility.ts'
import { clientOf, startTinyUpstream } from '../../support/tiny-upstream.ts'

const LIMITS = { maxDepth: 3, maxValues: 6 }
const TOO_LARGE = new Error('502 upstream_too_large')
const GARBLED = /502 upstream_garbled/
const bytesOf = (json: string) => new TextEncoder().encode(json)
const parse = (json: string, limits = LIMITS) => parseJson(bytesOf(json), limits)

t.test('refuses JSON with one level or one value too many', async (t) => {
  t.strictSame(parse('[[[1]]]'), [[[1]]])
  t.throws(() => parse('[[[[1]]]]'), TOO_LARGE)
  t.throws(() => parse('{"a":{"b":{"c":[]}}}'), TOO_LARGE)
  t.strictSame(parse('[1,2,3,4,5,6]'), [1, 2, 3, 4, 5, 6])
  t.throws(() => parse('[1,2,3,4,5,6,7]'), TOO_LARGE)
  t.throws(() => parse('[{},{},{},{}]'), TOO_LARGE)
})

t.test('does not count brackets and commas in strings', async (t) => {
  const text = String.raw`{"[[[[,,,,\"{{{{\\":"}],[{,,,\\\""}`
  t.equal(countValues(bytesOf(text), LIMITS), 1)
  t.strictSame(parse(text), JSON.parse(text))
})

t.test('refuses text that is not JSON, and truncated JSON', async (t) => {
  for (const json of ['', '[', '{"a', '{"a":"\\', ']]]]', '\u{1F600}', '[1,,2]'])
    t.throws(() => parse(json), problems.upstreamGarbled(), json)
})

t.test('stops reading at the limit', async (t) => {
  const brackets = Buffer.alloc(32 * 2 ** 20, '[')
  const start = process.cpuUsage().user
  t.throws(() => parseJson(brackets, LIMITS), TOO_LARGE)
  t.ok(process.cpuUsage().user - start < 20_000, 'reads only a few bytes')
})

const parts = (json: string, elements = 2) =>
  [...arrayParts(bytesOf(json), elements)].map((part) => Buffer.from(part).toString())

t.test('splits an array only between its elements', async (t) => {
  t.strictSame(parts('\ufeff [1,[2,2,2],{"a":3,"b":3},"4,],[","\\",5"]\n'), [
    '[1,[2,2,2]]',
    '[{"a":3,"b":3},"4,],["]',
    '["\\",5"]'
  ])
  t.strictSame(parts('[1,2]'), ['[1,2]'])
  t.strictSame(parts('[ ]'), ['[ ]'])
})

t.test('refuses to split text that is not an array of JSON values', async (t) => {
  for (const json of [
    '',
    '{}',
    '{"a":[]}',
    '[1,2',
    '1,2]',
    ']1[',
    '[1,2],[3,4]',
    '[1,2] 3',
    '[{},{}},{},[{}]',
    '["]'
  ])
    t.throws(
      () => parts(json).map((part) => parse(part, { maxDepth: 9, maxValues: 9 })),
      problems.upstreamGarbled(),
      json
    )
})

t.test('keeps assignments of known roles at well-formed scopes', async (t) => {
  const role = (roleName: unknown, scope: unknown, number?: number) => ({
    id: 7,
    scope,
    roleName,
    ...(number === undefined ? {} : { _links: { role: { href: `/roles/${number}` } } })
  })
  const cases: [name: string, assignment: unknown, role: string | null][] = [
    ['an unknown role', role('viewer', '/'), null],
    ['an unknown role and number', role('viewer', '/', 12), null],
    ['a number without a role', role('', '/', 0), null],
    ['no role', { id: 'a', scope: '/' }, null],
    ['a malformed scope', role('partner_admin', '/organizations/1/'), null],
    ['an empty scope', role('partner_admin', ''), null],
    ['no scope', role('partner_admin', undefined), null],
    ['a scope that is not a string', role('partner_admin', ['/']), null],
    ['null', null, null],
    ['a string', 'partner_admin', null],
    ['a known role', role('partner_admin', '/organizations/1'), 'partner_admin'],
    ['a longer name', role('NCP_Partner_Admin (EU)', '/organizations/1', 99), 'partner_admin'],
    ['a name and the number of another role', role('customer_user', '/', 1), 'customer_user'],
    ['a number without a name', role(undefined, '/', 4), 'customer_admin']
  ]
  for (const [name, assignment, expected] of cases) {
    const { roleAssignments } = toUser({ id: 'u', roleAssignments: [assignment] })
    t.strictSame(
      roleAssignments.map(({ role }) => role),
      expected === null ? [] : [expected],
      name
    )
  }
  for (const roleAssignments of [undefined, null, {}, 'x'])
    t.strictSame(toUser({ id: 'u', roleAssignments }).roleAssignments, [])
})

t.test('refuses a user without an id; other fields may be missing', async (t) => {
  for (const body of [null, undefined, [], 'u', {}, { id: '' }, { id: null }, { id: {} }])
    t.throws(() => toUser(body), GARBLED, JSON.stringify(body))
  t.strictSame(toUser({ id: 7, userType: 'ROBOT', fullName: 9, organizationId: 3, email: '' }), {
    id: '7',
    organizationId: '3',
    organizationName: null,
    fullName: '',
    email: null,
    userType: 'UNASSIGNED',
    roleAssignments: []
  })
})

const CUSTOMER = '/organizations/1/customers/9'

let assignments = 0
function assign(more: object = {}) {
  assignments += 1
  const links = { self: { href: `/roleAssignments/${assignments}` }, role: { href: '/roles/5' } }
  return { id: `r-${assignments}`, scope: CUSTOMER, roleName: 'customer_user', _links: links, ...more }
}
let users = 0
function visibilityWith(more: object) {
  users += 1
  return readVisibility({
    id: `u-${users}`,
    fullName: `User ${users}`,
    organizationId: '1',
    userType: 'PARTNER',
    roleAssignments: [assign()],
    ...more
  })
}
const PAIR = () => [assign({ roleName: 'ncp_partner_admin', scope: '/organizations/1' }), assign()]

t.test('users with unknown assignments share no cache', async (t) => {
  const cases: [name: string, user: object][] = [
    ['an unknown user type', { userType: 'ROBOT' }],
    ['assignments that are not a list', { roleAssignments: 'customer_user' }],
    ['a null assignment', { roleAssignments: [null] }],
    ...['viewer', '', undefined, 'customer_user_all_floors', 'customer_user all floors', 'custom_view'].map(
      (roleName): [string, object] => [`role ${roleName}`, { roleAssignments: [assign({ roleName })] }]
    ),
    ...['/projects/p-1', `${CUSTOMER}/projects/p-1`, '', ['/']].map((scope): [string, object] => [
      `scope ${scope}`,
      { roleAssignments: [assign(), assign({ scope })] }
    ]),
    ['an unknown field', { roleAssignments: [assign({ floors: [1] })] }],
    ['an unknown link', { roleAssignments: [assign({ _links: { project: { href: '/projects/p-1' } } })] }]
  ]
  for (const [name, user] of cases) t.not(visibilityWith(user), visibilityWith(user), name)
  const user = { id: 'u', ...cases[4]?.[1] }
  t.equal(readVisibility(user), readVisibility(user), 'the same user has the same visibility')
})

t.test('users of different organizations, types, roles or scopes share no cache', async (t) => {
  const variants = [
    {},
    { organizationId: '2' },
    { userType: 'CUSTOMER' },
    { roleAssignments: [] },
    { roleAssignments: PAIR() },
    ...[
      { scope: `${CUSTOMER}9` },
      { roleName: 'customer_admin' },
      { roleName: 'ncp_customer_user' },
      { roleNumber: 5 },
      { _links: { role: { href: '/roles/6' } } }
    ].map((more) => ({ roleAssignments: [assign(more)] }))
  ]
  t.equal(new Set(variants.map(visibilityWith)).size, variants.length)
})

t.test('users with equal assignments, in any order, share a cache', async (t) => {
  t.equal(visibilityWith({ roleAssignments: PAIR() }), visibilityWith({ roleAssignments: PAIR().reverse() }))
  t.equal(visibilityWith({ roleAssignments: undefined }), visibilityWith({ roleAssignments: [] }))
  for (const roleName of ['noaccess', 'NO_ACCESS', 'custom', 'ncp_nds_operator']) {
    const user = () => visibilityWith({ roleAssignments: [assign({ roleName, scope: '/organizations/1' })] })
    t.equal(user(), user(), roleName)
  }
})

t.test('a user without visibility shares no cache', async (t) => {
  const bearer = { accessToken: async () => '', replaceToken: async () => null }
  const visibilityFor = (id: string) => visibilityOf({ user: { id }, ...bearer })
  t.equal(visibilityFor('u-1'), visibilityFor('u-1'))
  t.not(visibilityFor('u-1'), visibilityFor('u-2'))
})

t.test('calls to an upstream', async (t) => {
  const upstream = await startTinyUpstream(t)
  const client = clientOf(t, upstream.url)
  const viewer = {
    accessToken: async () => 'token',
    replaceToken: async () => null,
    user: { id: 'u-1', userType: 'CUSTOMER' as const }
  }
  const answerWith = (status: number, body: unknown) => {
    upstream.answer = (_request, response) => response.writeHead(status).end(JSON.stringify(body))
  }
  t.beforeEach(() => {
    upstream.received.length = 0
  })

  t.test('reads an organization once in 30 s', async (t) => {
    const time = { now: 1000 }
    const directory = createOrganizationDirectory(client, () => time.now)
    answerWith(200, { id: 9, orgName: 'Nine', partnerId: 1, projectCount: -3, deviceCount: '7' })
    const organizations = await Promise.all(Array.from({ length: 20 }, () => directory.find('9', viewer)))
    t.strictSame(organizations[19], {
      id: '9',
      orgName: 'Nine',
      isTechViewEnabled: false,
      projectCount: 0,
      deviceCount: 0,
      partnerId: '1'
    })
    const calls = [upstream.received.length]
    for (const laterMs of [30_000, 1, -5_000, 0]) {
      time.now += laterMs
      await directory.find('9', viewer)
      calls.push(upstream.received.length)
    }
    t.strictSame(calls, [1, 1, 2, 3, 3], 'reads again after 30 s, and after the clock was set back')
  })

  t.test('does not cache a failure, and escapes ids in paths', async (t) => {
    const directory = createOrganizationDirectory(client, Date.now)
    answerWith(404, {})
    await t.rejects(directory.find('none', viewer), /404 not_found/)
    answerWith(200, { id: 'none' })
    t.match(await directory.find('none', viewer), { id: 'none', partnerId: null })
    await t.rejects(directory.find('../users?x=/', viewer), GARBLED, 'refuses an answer with another id')
    t.equal(upstream.received.at(-1)?.url, '/api/v2/management/organizations/..%2Fusers%3Fx%3D%2F')
  })

  t.test('asks for the customers of an organization by the type of the user', async (t) => {
    answerWith(200, { _embedded: { customers: [] } })
    await fetchCustomers(client, '1', viewer)
    t.match(upstream.received.at(-1)?.url, /\/organizations\/1\/customers\?userType=CUSTOMER&page=0/)
  })

  t.test('limits the id of an organization to 128 characters, and the name to 1,000', async (t) => {
    const fetchWith = (organization: object) => {
      answerWith(200, { _embedded: { customers: [{ id: 1 }, organization] } })
      return fetchCustomers(client, '1', viewer)
    }
    await t.rejects(fetchWith({}), GARBLED)
    await t.rejects(fetchWith({ id: 'x'.repeat(129) }), GARBLED)
    const [id, orgName] = ['x'.repeat(128), 'x'.repeat(1_000)]
    t.match(await fetchWith({ id, orgName }), [
      { id: '1', orgName: '' },
      { id, orgName }
    ])
    t.match(await fetchWith({ id, orgName: `${orgName}x` }), [{}, { orgName: '' }])
  })

  t.test('reads no number of projects or devices that is endless', async (t) => {
    upstream.answer = (_request, response) =>
      response.end('{"_embedded":{"customers":[{"id":1,"projectCount":1e999,"deviceCount":7}]}}')
    t.match(await fetchCustomers(client, '1', viewer), [{ projectCount: 0, deviceCount: 7 }])
  })

  t.test('reads alarms in pages of 200, and only as many as requested', async (t) => {
    const countsFor = async (totalElements: number, count: number, perPage = 200, from = 0) => {
      upstream.received.length = 0
      upstream.answer = ({ url = '' }, response) => {
        const query = new URL(url, 'http://x').searchParams
        const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
        const alarms = Array.from({ length: perPage }, (_, index) => number * size + index)
        const page = { totalElements, totalPages: Math.ceil(totalElements / size) }
        response.end(JSON.stringify({ _embedded: { alarms }, page }))
      }
      const source = { client, customerId: '9', bearer: viewer }
      const filter = { sourceStates: [], ackStates: [] }
      const order = { sort: 'timestamp', order: 'desc' } as const
      const result = await searchAlarms(source, filter, order, { from, count })
      t.strictSame(
        result.items,
        [...result.items.keys()].map((index) => from + index)
      )
      t.equal(result.totalElements, totalElements)
      return [upstream.received.length, result.items.length]
    }
    t.strictSame(await countsFor(1_000_000, 200), [1, 200])
    t.strictSame(await countsFor(1_000_000, 201), [2, 201])
    t.strictSame(await countsFor(1_000_000, 1_000), [5, 1_000])
    t.strictSame(await countsFor(1_000_000, 25, 30), [1, 25], 'when a page is longer than requested')
    t.match(upstream.received[0]?.url, /[?&]size=25$/)
    t.strictSame(await countsFor(400, 1_000), [2, 400])
    t.strictSame(await countsFor(1_000_000, 25, 25, 75), [1, 25], 'from the middle')
    t.strictSame(await countsFor(1_000_000, 500, 200, 500), [3, 500], 'from the middle of a page')
  })
})
