// How the bodies of the management API become ours, and how long an organization is remembered.
import t from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { createUpstreamClient } from '#server/upstreams/client.ts'
import { createOrganizationDirectory } from '#server/upstreams/organization-directory.ts'
import { fetchCustomers } from '#server/upstreams/organizations.ts'
import { openUpstreams } from '#server/upstreams/transport/pools.ts'
import { toUser } from '#server/upstreams/users.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

t.test('a user’s assignments are those of known roles at well-formed scopes', async (t) => {
  const role = (roleName: unknown, scope: unknown, number?: number) => ({
    id: 7,
    scope,
    roleName,
    ...(number === undefined ? {} : { _links: { role: { href: `/roles/${number}` } } })
  })
  const cases: [name: string, given: unknown, kept: string | null][] = [
    ['an unknown role', role('viewer', '/'), null],
    ['an unknown role and number', role('viewer', '/', 12), null],
    ['a number of no role', role('', '/', 0), null],
    ['no role at all', { id: 'a', scope: '/' }, null],
    ['a malformed scope', role('partner_admin', '/organizations/1/'), null],
    ['an empty scope', role('partner_admin', ''), null],
    ['no scope', role('partner_admin', undefined), null],
    ['a scope that is no text', role('partner_admin', ['/']), null],
    ['nothing', null, null],
    ['a text', 'partner_admin', null],
    ['a known role', role('partner_admin', '/organizations/1'), 'partner_admin'],
    ['a decorated name', role('NCP_Partner_Admin (EU)', '/organizations/1', 99), 'partner_admin'],
    ['a name before a number', role('customer_user', '/', 1), 'customer_user'],
    ['a number in the place of a name', role(undefined, '/', 4), 'customer_admin']
  ]
  for (const [name, given, kept] of cases) {
    const { roleAssignments } = toUser({ id: 'u', roleAssignments: [given] })
    t.strictSame(
      roleAssignments.map(({ role }) => role),
      kept === null ? [] : [kept],
      name
    )
  }
  for (const roleAssignments of [undefined, null, {}, 'x'])
    t.strictSame(toUser({ id: 'u', roleAssignments }).roleAssignments, [])
})

t.test('a user without an id is no user; anything else may be missing', async (t) => {
  for (const body of [null, undefined, [], 'u', {}, { id: '' }, { id: null }, { id: {} }])
    t.throws(() => toUser(body), /502 upstream_garbled/, JSON.stringify(body))
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

t.test('organizations', async (t) => {
  const upstream = await startTinyUpstream(t)
  const config = readConfig({
    OIDC_ISSUER: 'http://localhost:1',
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
    UPSTREAM_URL: upstream.url
  })
  const upstreams = openUpstreams(config)
  t.teardown(() => upstreams.close())
  const client = createUpstreamClient(upstreams, 1000)
  const bearer = {
    accessToken: async () => 'token',
    replaceToken: async () => null,
    user: { id: 'u-1', roleAssignments: [], organizationId: null, userType: 'UNASSIGNED' as const }
  }
  const answerWith = (status: number, body: unknown) => {
    upstream.answer = (_request, response) => response.writeHead(status).end(JSON.stringify(body))
  }

  t.test('one is asked for once in half a minute, however many wait', async (t) => {
    const time = { now: 1000 }
    const directory = createOrganizationDirectory(client, () => time.now)
    answerWith(200, { id: 9, orgName: 'Nine', partnerId: 1, projectCount: -3, deviceCount: '7' })
    const found = await Promise.all(Array.from({ length: 20 }, () => directory.find('9', bearer)))
    t.equal(upstream.received.length, 1)
    t.strictSame(found[19], {
      id: '9',
      orgName: 'Nine',
      isTechViewEnabled: false,
      projectCount: 0,
      deviceCount: 0,
      partnerId: '1'
    })
    time.now += 30_000
    await directory.find('9', bearer)
    t.equal(upstream.received.length, 1)
    time.now += 1
    await directory.find('9', bearer)
    t.equal(upstream.received.length, 2)
  })

  t.test('a failure is not remembered, and an id cannot lead elsewhere', async (t) => {
    const directory = createOrganizationDirectory(client, Date.now)
    answerWith(404, {})
    await t.rejects(directory.find('none', bearer), /404 not_found/)
    answerWith(200, { id: 'none' })
    t.match(await directory.find('none', bearer), { id: 'none', partnerId: null })
    await t.rejects(
      directory.find('../users?x=/', bearer),
      /502 upstream_garbled/,
      'an answer of another one'
    )
    t.equal(upstream.received.at(-1)?.url, '/api/v2/management/organizations/..%2Fusers%3Fx%3D%2F')
  })

  t.test('a list with something that is no organization is garbled', async (t) => {
    answerWith(200, { _embedded: { customers: [{ id: 1 }, {}] } })
    await t.rejects(fetchCustomers(client, '1', bearer), /502 upstream_garbled/)
    answerWith(200, { _embedded: { customers: [{ id: 1 }] } })
    t.match(await fetchCustomers(client, '1', bearer), [{ id: '1', orgName: '' }])
  })
})
