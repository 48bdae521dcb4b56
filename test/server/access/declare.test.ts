import Fastify, { type RouteOptions } from 'fastify'
import t from 'tap'
import { declarePlugin } from '#server/access/declare.ts'
import type { Access } from '#server/types.ts'

type Declared = Pick<RouteOptions, 'url'> & { method?: string; access?: unknown; id?: string }

async function gatewayWith(...routes: Declared[]) {
  const app = Fastify({ exposeHeadRoutes: false })
  await app.register(declarePlugin)
  for (const { url, method = 'GET', access, id } of routes) {
    const config = { ...(access === undefined ? {} : { access: access as Access }), ...(id ? { id } : {}) }
    app.route({ url, method, config, handler: async () => 'answered' })
  }
  return app
}

t.test('a route without a valid access declaration stops the start, and is named', async (t) => {
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

t.test('one id for two routes stops the start', async (t) => {
  const route = (url: string, method = 'GET') => ({ url, method, id: 'things.get', access: 'public' })
  const app = await gatewayWith(route('/a'), route('/b'))
  await t.rejects(async () => void (await app.ready()), /the route id things.get is used twice/)
})

t.test('all that is wrong is told at once', async (t) => {
  const app = await gatewayWith(
    { url: '/a' },
    { url: '/b' },
    { url: '/c', access: { action: 'x', scope: 'root' } }
  )
  await t.rejects(async () => void (await app.ready()), /GET \/a [^\n]+\n {2}GET \/b [^\n]+\n {2}GET \/c /)
})

t.test('routes of plugins registered later are collected too', async (t) => {
  const app = await gatewayWith()
  await app.register(async (scope) => {
    await scope.register(async (deeper) => {
      deeper.get('/deep', async () => 'unguarded')
    })
  })
  await t.rejects(async () => void (await app.ready()), /GET \/deep declares no access/)
})

t.test('what is declared rightly starts and is listed', async (t) => {
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
