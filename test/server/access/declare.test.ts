// Declarations of routes: access, closed schemas and proofs of identifiers.
import Fastify, { type RouteOptions } from 'fastify'
import t, { type Test } from 'tap'
import Type, { type TSchema } from 'typebox'
import { fieldNames, idFields, listBounds, openPart, type PlainSchema } from '#server/access/bounded.ts'
import { declarePlugin } from '#server/access/declare.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { closed, id, link, listOf, optional, orNull, roleLink, text, time, whole } from '#server/schemas.ts'
import type { Takes } from '#server/types.ts'
import { oneOf } from '#shared/answers/parts.ts'

type Declared = Pick<RouteOptions, 'url' | 'schema'> & {
  method?: string
  access?: unknown
  id?: string
  takes?: Takes
  upstreamProves?: string[]
  secretParams?: string[]
}

async function gatewayWith(...routes: Declared[]) {
  const app = Fastify({ exposeHeadRoutes: false })
  await app.register(declarePlugin)
  for (const { url, method = 'GET', schema = {}, ...config } of routes)
    app.route({ url, method, config: config as object, schema, handler: async () => 'answered' })
  return app
}

async function refuses(t: Test, message: RegExp, routes: Declared[], name = `${message}`) {
  const app = await gatewayWith(...routes)
  await t.rejects(async () => void (await app.ready()), { message }, name)
}

t.test('refuses to start if a route lacks a valid access declaration, and names the route', async (t) => {
  const at = (scope: string, more = {}) => ({ action: 'devices:view', scope, ...more })
  const cases: [name: string, access: unknown, message: RegExp, url?: string, method?: string][] = [
    ['no access', undefined, /GET \/a declares no access/],
    ['an unknown action', { action: 'devices:fly', scope: 'root' }, /unknown action devices:fly/],
    ['a role as the action', { action: 'partner_admin', scope: 'root' }, /unknown action/],
    ['an unknown scope', at('galaxy'), /unknown scope galaxy/],
    ['an unknown second action', at('root', { also: 'devices:fly' }), /unknown action devices:fly/],
    ['an inherited property as the scope', at('toString'), /unknown scope toString/],
    ['an unknown check', at('root', { check: 'horoscope' }), /unknown check horoscope/],
    ['an inherited property as the check', at('root', { check: 'constructor' }), /unknown check/],
    ['no organization', at('organization'), /lacks the parameter :organizationId/],
    ['no customer', at('customer'), /lacks the parameter :customerId/, '/a/:organizationId'],
    ['a similar name', at('customer'), /lacks the parameter :customerId/, '/a/:customerIds'],
    ['part of a segment', at('customer'), /lacks the parameter :customerId/, '/a/x-:customerId'],
    ['no project', at('project'), /lacks the parameter :projectId/, '/a/:id'],
    ['no device', at('device'), /lacks the parameter :deviceId/, '/a/:id'],
    ['no user', 'self', /lacks the parameter :userId/, '/a/:id'],
    ['no access for another method', undefined, /DELETE \/a declares no access/, '/a', 'DELETE']
  ]
  for (const [name, access, message, url = '/a', method = 'GET'] of cases) {
    const route = { url, method, ...(access === undefined ? {} : { access }) }
    await refuses(t, message, [{ url: '/fine', access: 'public' }, route], name)
  }
})

t.test('refuses to start with an open schema', async (t) => {
  const openObject = Type.Object({ name: text(5) })
  const endlessList = closed({ things: optional(Type.Array(text(5))) })
  const freeText = closed({ name: optional(Type.String()) })
  const cases: [route: Partial<Declared>, message: RegExp][] = [
    [{ takes: { body: openObject } }, /GET \/a has an open body: it takes undeclared fields/],
    [{ takes: { body: Type.Unknown() } }, /open body: it takes anything/],
    [{ takes: { query: endlessList } }, /open query: things takes any number of items/],
    [{ takes: { query: freeText } }, /open query: name takes text of any length/],
    [{ schema: { querystring: openObject } }, /open query: it takes undeclared fields/],
    [{ schema: { params: freeText } }, /open params: name takes text of any length/]
  ]
  for (const [route, message] of cases)
    await refuses(t, message, [{ url: '/a', access: 'signed-in', ...route }])
})

t.test('refuses to start with a schema that nothing checks', async (t) => {
  const schema = closed({ name: text(5) })
  for (const part of ['querystring', 'params', 'headers', 'body']) {
    const route = { url: '/a', method: 'POST', schema: { [part]: schema } }
    const message = new RegExp(`POST /a has a schema of its ${part} that nothing checks`)
    await refuses(t, message, [{ ...route, access: 'public' }])
    if (part === 'headers' || part === 'body') await refuses(t, message, [{ ...route, access: 'signed-in' }])
  }
})

t.test('refuses to start with an identifier that is neither proved nor declared as unproved', async (t) => {
  const body = closed({ deviceId: optional(id()), things: listOf(closed({ project: link('projects') }), 3) })
  const query = closed({ actorId: optional(id()) })
  const ofCustomer = (more: Partial<Declared>, rest = '') => ({
    ...{ url: `/a/:customerId${rest}`, takes: {} },
    ...{ access: { action: 'devices:view', scope: 'customer' }, ...more }
  })
  const cases: [route: Declared, message: RegExp][] = [
    [ofCustomer({}, '/:reportId'), /neither proves reportId nor declares it unproved/],
    [{ url: '/a/:reportId', access: 'signed-in', takes: {} }, /neither proves reportId/],
    [{ url: '/a/:userId/:reportId', access: 'self', takes: {} }, /neither proves reportId/],
    [ofCustomer({ takes: { body } }), /neither proves deviceId/],
    [ofCustomer({ takes: { body }, upstreamProves: ['deviceId'] }), /neither proves project/],
    [ofCustomer({ takes: { query } }), /neither proves actorId/],
    [ofCustomer({ upstreamProves: ['customerId'] }), /declares customerId unproved, but proves it/],
    [ofCustomer({ upstreamProves: ['reportId'] }), /declares reportId unproved/]
  ]
  for (const [route, message] of cases) await refuses(t, message, [route])
  const access = { action: 'devices:view', scope: 'customer', check: 'placement' }
  const app = await gatewayWith(
    ofCustomer({ upstreamProves: ['reportId'] }, '/:reportId'),
    ofCustomer({ access, takes: { body }, upstreamProves: ['deviceId'] })
  )
  await app.ready()
})

t.test('refuses to start if a secret is no parameter of the address', async (t) => {
  const route = (secretParams: string[]) => ({ url: '/a/:code', access: 'public', secretParams })
  await refuses(t, /GET \/a\/:code lacks the parameter :cod\n?$/, [route(['code', 'cod'])])
  await (await gatewayWith(route(['code']))).ready()
})

t.test('refuses to start if two routes have the same id', async (t) => {
  const route = (url: string) => ({ url, id: 'things.get', access: 'public' })
  await refuses(t, /the route id things.get is used twice/, [route('/a'), route('/b')])
})

t.test('lists all mistakes at once', async (t) => {
  const routes = [{ url: '/a' }, { url: '/b' }, { url: '/c', access: { action: 'x', scope: 'root' } }]
  await refuses(t, /GET \/a [^\n]+\n {2}GET \/b [^\n]+\n {2}GET \/c /, routes)
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
  const access = { action: 'devices:view', scope: 'customer' }
  const app = await gatewayWith(
    { url: '/a', access: 'public', id: 'a' },
    { url: '/b', access: 'signed-in' },
    { url: '/c/:customerId', method: 'DELETE', access, id: 'c' }
  )
  await app.ready()
  t.strictSame(app.declaredRoutes, [
    { id: 'a', method: 'GET', path: '/a', access: 'public' },
    { id: 'GET /b', method: 'GET', path: '/b', access: 'signed-in' },
    { id: 'c', method: 'DELETE', path: '/c/:customerId', access }
  ])
})

const openIn = (schema: TSchema) => openPart(schema as PlainSchema)

t.test('names the open part of a schema', async (t) => {
  const nest = (part: TSchema) => closed({ things: optional(listOf(closed({ a: part }), 3)) })
  const cases: [schema: TSchema, problem: RegExp][] = [
    [Type.Object({}), /^it takes undeclared fields$/],
    [Type.Object({}, { additionalProperties: true }), /undeclared fields/],
    [nest(Type.Object({ b: text(1) })), /^things\/items\/a takes undeclared fields$/],
    [nest(Type.Array(text(1))), /^things\/items\/a takes any number of items$/],
    [nest(listOf(Type.String(), 3)), /^things\/items\/a\/items takes text of any length$/],
    [nest(Type.String({ pattern: '^a*$' })), /takes text of any length/],
    [nest(Type.String({ format: 'date-time' })), /takes text of any length/],
    [nest(Type.Integer()), /takes any number$/],
    [nest(Type.Integer({ minimum: 0 })), /takes any number$/],
    [nest(Type.Unknown()), /takes anything$/],
    [nest(Type.Any()), /takes anything$/],
    [nest(Type.Record(Type.String(), text(1))), /undeclared fields/],
    [nest(Type.Unsafe({ type: ['string', 'null'] })), /takes anything$/],
    [nest(orNull(Type.String())), /^things\/items\/a\/anyOf\/0 takes text of any length$/]
  ]
  for (const [schema, problem] of cases) t.match(openIn(schema), problem)
})

t.test('accepts the closed schemas that proxied routes use', async (t) => {
  const parts = [text(3), id(), link('projects'), roleLink, time(), whole(0, 9), oneOf(['a']), orNull(id())]
  for (const part of parts) t.equal(openIn(closed({ part: optional(part) })), null)
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
  const names = ['cloudId', 'device', 'deviceUuid', 'name', 'points', 'project', 'role']
  t.strictSame([...fieldNames(schema)].sort(), names)
})

t.test('finds every field of proxied routes that has the name of an identifier', async (t) => {
  // Names of kinds and of a host's label, not of objects.
  const exceptions = ['metricsId', 'eventTypeId', 'hostId']
  for (const { id: row, query, body } of PROXY_TABLE)
    for (const schema of [query ?? [], body ?? []].flat() as PlainSchema[]) {
      const idNames = [...idFields(schema), ...exceptions]
      const suspects = [...fieldNames(schema)].filter((name) => /(?:Id|Uuid|Guid)s?$/.test(name))
      for (const name of suspects) t.ok(idNames.includes(name), `${row}: ${name}`)
    }
})
