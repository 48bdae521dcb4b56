// Declarations of routes: access, closed schemas, proofs of identifiers, and their description.
import Fastify, { type RouteOptions } from 'fastify'
import t from 'tap'
import Type, { type TSchema } from 'typebox'
import { fieldNames, idFields, listBounds, openPart, type PlainSchema } from '#server/access/bounded.ts'
import { declarePlugin } from '#server/access/declare.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { closed, id, link, listOf, optional, orNull, roleLink, text, time, whole } from '#server/schemas.ts'
import type { Access, Takes } from '#server/types.ts'
import { oneOf } from '#shared/answers/parts.ts'

type Declared = Pick<RouteOptions, 'url' | 'schema'> & {
  method?: string
  access?: unknown
  id?: string
  takes?: Takes
  upstreamProves?: string[]
}

async function gatewayWith(...routes: Declared[]) {
  const app = Fastify({ exposeHeadRoutes: false })
  await app.register(declarePlugin)
  for (const { url, method = 'GET', access, id, schema = {}, takes, upstreamProves } of routes) {
    const config = {
      ...(access === undefined ? {} : { access: access as Access }),
      ...(id ? { id } : {}),
      ...(takes ? { takes } : {}),
      ...(upstreamProves ? { upstreamProves } : {})
    }
    app.route({ url, method, config, schema, handler: async () => 'answered' })
  }
  return app
}

t.test('refuses to start with a route without a valid access declaration, and names it', async (t) => {
  const at = (scope: string, more = {}) => ({ action: 'devices:view', scope, ...more })
  const cases: [name: string, route: Declared, told: RegExp][] = [
    ['no access', { url: '/a' }, /GET \/a declares no access/],
    [
      'an unknown action',
      { url: '/a', access: { action: 'devices:fly', scope: 'root' } },
      /unknown action devices:fly/
    ],
    [
      'a role for an action',
      { url: '/a', access: { action: 'partner_admin', scope: 'root' } },
      /unknown action/
    ],
    ['an unknown scope', { url: '/a', access: at('galaxy') }, /unknown scope galaxy/],
    [
      'an unknown second action',
      { url: '/a', access: at('root', { also: 'devices:fly' }) },
      /unknown action devices:fly/
    ],
    ['a scope of every object', { url: '/a', access: at('toString') }, /unknown scope toString/],
    [
      'an unknown check',
      { url: '/a', access: at('root', { check: 'horoscope' }) },
      /unknown check horoscope/
    ],
    ['a check of every object', { url: '/a', access: at('root', { check: 'constructor' }) }, /unknown check/],
    ['no organization', { url: '/a', access: at('organization') }, /lacks the parameter :organizationId/],
    ['no customer', { url: '/a/:organizationId', access: at('customer') }, /lacks the parameter :customerId/],
    ['another name', { url: '/a/:customerIds', access: at('customer') }, /lacks the parameter :customerId/],
    [
      'part of a segment',
      { url: '/a/x-:customerId', access: at('customer') },
      /lacks the parameter :customerId/
    ],
    ['no project', { url: '/a/:id', access: at('project') }, /lacks the parameter :projectId/],
    ['no device', { url: '/a/:id', access: at('device') }, /lacks the parameter :deviceId/],
    ['no user', { url: '/a/:id', access: 'self' }, /lacks the parameter :userId/],
    ['another method without it', { url: '/a', method: 'DELETE' }, /DELETE \/a declares no access/]
  ]
  for (const [name, route, told] of cases) {
    const app = await gatewayWith({ url: '/fine', access: 'public' }, route)
    await t.rejects(async () => void (await app.ready()), { message: told }, name)
  }
})

t.test('refuses to start with an open schema', async (t) => {
  const open = Type.Object({ name: text(5) })
  const endless = closed({ things: optional(Type.Array(text(5))) })
  const free = closed({ name: optional(Type.String()) })
  const cases: [route: Partial<Declared>, told: RegExp][] = [
    [{ takes: { body: open } }, /GET \/a has an open body: it takes undeclared fields/],
    [{ takes: { body: Type.Unknown() } }, /open body: it takes anything/],
    [{ takes: { query: endless } }, /open query: things takes any number of items/],
    [{ takes: { query: free } }, /open query: name takes text of any length/],
    [{ schema: { querystring: open } }, /open query: it takes undeclared fields/],
    [{ schema: { params: free } }, /open params: name takes text of any length/]
  ]
  for (const [route, told] of cases) {
    const app = await gatewayWith({ url: '/a', access: 'signed-in', ...route })
    await t.rejects(async () => void (await app.ready()), { message: told })
  }
})

t.test('refuses to start with an identifier that is neither proved nor declared as unproved', async (t) => {
  const access = { action: 'devices:view', scope: 'customer' }
  const body = closed({ deviceId: optional(id()), things: listOf(closed({ project: link('projects') }), 3) })
  const cases: [route: Declared, told: RegExp][] = [
    [{ url: '/a/:customerId/:reportId', access, takes: {} }, /proves reportId nowhere and does not say so/],
    [{ url: '/a/:reportId', access: 'signed-in', takes: {} }, /proves reportId nowhere/],
    [{ url: '/a/:userId/:reportId', access: 'self', takes: {} }, /proves reportId nowhere/],
    [{ url: '/a/:customerId', access, takes: { body } }, /proves deviceId nowhere/],
    [
      { url: '/a/:customerId', access, takes: { body }, upstreamProves: ['deviceId'] },
      /proves project nowhere/
    ],
    [
      { url: '/a/:customerId', access, takes: { query: closed({ actorId: optional(id()) }) } },
      /proves actorId nowhere/
    ],
    [
      { url: '/a/:customerId', access, takes: {}, upstreamProves: ['customerId'] },
      /names customerId as unproved, which it is not/
    ],
    [{ url: '/a/:customerId', access, takes: {}, upstreamProves: ['reportId'] }, /names reportId as unproved/]
  ]
  for (const [route, told] of cases) {
    const app = await gatewayWith(route)
    await t.rejects(async () => void (await app.ready()), { message: told }, route.url)
  }
  const app = await gatewayWith(
    { url: '/a/:customerId/:reportId', access, takes: {}, upstreamProves: ['reportId'] },
    {
      url: '/b/:customerId',
      access: { ...access, check: 'placement' },
      takes: { body },
      upstreamProves: ['deviceId']
    }
  )
  await app.ready()
})

t.test('refuses to start with one id for two routes', async (t) => {
  const route = (url: string, method = 'GET') => ({ url, method, id: 'things.get', access: 'public' })
  const app = await gatewayWith(route('/a'), route('/b'))
  await t.rejects(async () => void (await app.ready()), /the route id things.get is used twice/)
})

t.test('lists all mistakes at once', async (t) => {
  const app = await gatewayWith(
    { url: '/a' },
    { url: '/b' },
    { url: '/c', access: { action: 'x', scope: 'root' } }
  )
  await t.rejects(async () => void (await app.ready()), /GET \/a [^\n]+\n {2}GET \/b [^\n]+\n {2}GET \/c /)
})

t.test('collects routes of plugins that are registered later', async (t) => {
  const app = await gatewayWith()
  await app.register(async (scope) => {
    await scope.register(async (deeper) => {
      deeper.get('/deep', async () => 'unguarded')
    })
  })
  await t.rejects(async () => void (await app.ready()), /GET \/deep declares no access/)
})

t.test('lists the declared routes', async (t) => {
  const app = await gatewayWith(
    { url: '/a', access: 'public', id: 'a' },
    { url: '/b', access: 'signed-in' },
    { url: '/c/:userId', access: 'self', id: 'c' },
    {
      url: '/d/:customerId',
      method: 'DELETE',
      access: { action: 'devices:view', scope: 'customer' },
      id: 'd'
    }
  )
  await app.ready()
  t.strictSame(app.declaredRoutes, [
    { id: 'a', method: 'GET', path: '/a', access: 'public' },
    { id: 'GET /b', method: 'GET', path: '/b', access: 'signed-in' },
    { id: 'c', method: 'GET', path: '/c/:userId', access: 'self' },
    {
      id: 'd',
      method: 'DELETE',
      path: '/d/:customerId',
      access: { action: 'devices:view', scope: 'customer' }
    }
  ])
})

const openIn = (schema: TSchema) => openPart(schema as PlainSchema)

t.test('names the open part of a schema', async (t) => {
  const within = (part: TSchema) => closed({ things: optional(listOf(closed({ a: part }), 3)) })
  const cases: [schema: TSchema, told: RegExp][] = [
    [Type.Object({}), /^it takes undeclared fields$/],
    [Type.Object({}, { additionalProperties: true }), /undeclared fields/],
    [within(Type.Object({ b: text(1) })), /^things\/items\/a takes undeclared fields$/],
    [within(Type.Array(text(1))), /^things\/items\/a takes any number of items$/],
    [within(listOf(Type.String(), 3)), /^things\/items\/a\/items takes text of any length$/],
    [within(Type.String({ pattern: '^a*$' })), /takes text of any length/],
    [within(Type.String({ format: 'date-time' })), /takes text of any length/],
    [within(Type.Integer()), /takes any number$/],
    [within(Type.Integer({ minimum: 0 })), /takes any number$/],
    [within(Type.Unknown()), /takes anything$/],
    [within(Type.Any()), /takes anything$/],
    [within(Type.Record(Type.String(), text(1))), /undeclared fields/],
    [within(Type.Unsafe({ type: ['string', 'null'] })), /takes anything$/],
    [within(orNull(Type.String())), /^things\/items\/a\/anyOf\/0 takes text of any length$/]
  ]
  for (const [schema, told] of cases) t.match(openIn(schema), told)
})

t.test('finds the parts of rows closed', async (t) => {
  for (const part of [
    text(3),
    id(),
    link('projects'),
    roleLink,
    time(),
    whole(0, 9),
    oneOf(['a']),
    orNull(id())
  ])
    t.equal(openIn(closed({ part: optional(part) })), null)
  t.equal(openIn(listOf(closed({}), 3)), null)
})

t.test('finds fields, identifiers and lists at every level', async (t) => {
  const schema = closed({
    project: link('projects'),
    role: roleLink,
    name: text(9),
    points: listOf(closed({ cloudId: optional(id()), name: text(9) }), 7),
    device: Type.Union([id(), closed({ deviceUuid: id() })])
  }) as PlainSchema
  t.strictSame(idFields(schema), ['project', 'cloudId', 'device', 'deviceUuid'])
  t.strictSame(listBounds(schema), ['points 7'])
  t.strictSame(listBounds(listOf(id(), 3) as PlainSchema), ['items 3'])
  t.strictSame(
    [...fieldNames(schema)].sort(),
    ['cloudId', 'device', 'deviceUuid', 'name', 'points', 'project', 'role'].sort()
  )
})

t.test('finds every field named like an identifier in the rows', async (t) => {
  // Kinds, and the label of a host, are words and numbers.
  const kinds = ['metricsId', 'eventTypeId', 'hostId']
  for (const { id: row, query, body } of PROXY_TABLE)
    for (const schema of [query ?? [], body ?? []].flat()) {
      const named = [...fieldNames(schema as PlainSchema)].filter((name) => /(?:Id|Uuid|Guid)s?$/.test(name))
      const found = idFields(schema as PlainSchema)
      t.strictSame(
        named.filter((name) => !found.includes(name) && !kinds.includes(name)),
        [],
        row
      )
    }
})
