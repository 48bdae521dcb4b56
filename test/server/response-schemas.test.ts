// Every own endpoint that answers an object sends exactly the fields that its schema declares.
import Fastify, { type RouteOptions } from 'fastify'
import t from 'tap'
import { authRoutes } from '#server/auth/routes.ts'
import { type PortalServices, portalRoutes } from '#server/portal/routes.ts'
import { leastConfig } from '../support/least-config.ts'

/** Routes that answer without a body, redirect, stream, or answer with an upstream's records. */
const WITHOUT_SCHEMA = [
  'auth.callback',
  'auth.login',
  'auth.sessions.end',
  'auth.sessions.end-others',
  'portal.alarms',
  'portal.events',
  'portal.organization-alarms',
  'portal.point-values',
  'portal.points'
]

interface Schema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** A value with every field of the schema; objects also have the `extra` fields. */
function sampleOf(schema: Schema, extra: object): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], extra)
  const { properties, items } = schema
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, sampleOf(field, extra)])
    return { ...Object.fromEntries(fields), ...extra }
  }
  if (items) return [sampleOf(items, extra)]
  // A free value, such as the value of a record.
  if (schema.type === undefined) return 21.5
  if (schema.format === 'date-time') return '2026-03-01T12:00:00.000Z'
  const samples: Record<string, unknown> = { string: 'a "text"', integer: 3, number: 1.5, boolean: true }
  const [type = ''] = [schema.type ?? []].flat()
  if (!(type in samples)) throw new Error(`no sample for the type ${type}`)
  return samples[type]
}

const schemaOf = ({ schema }: RouteOptions) => (schema?.response as Record<number, Schema> | undefined)?.[200]

const routes: RouteOptions[] = []
const app = Fastify({ exposeHeadRoutes: false })
app.setValidatorCompiler(() => () => true)
app.addHook('onRoute', (route) => {
  routes.push(route)
  route.handler = async () => sampleOf(schemaOf(route) ?? {}, { undeclared: 'secret' })
})
const config = leastConfig()
await app.register(portalRoutes, { prefix: '/portal', config } as PortalServices & { prefix: string })
await app.register(authRoutes, { config } as Parameters<typeof authRoutes>[1])
await app.ready()

t.test('only routes without an own answer have no schema for it', (t) => {
  const ids = routes.filter((route) => !schemaOf(route)).map(({ config }) => config?.id)
  t.strictSame(ids.sort(), WITHOUT_SCHEMA)
  t.ok(routes.length > WITHOUT_SCHEMA.length + 10)
  t.end()
})

for (const route of routes) {
  const schema = schemaOf(route)
  if (schema)
    t.test(`${route.config?.id} drops undeclared fields and sends all declared ones`, async (t) => {
      const method = String(route.method) as 'GET'
      const { body, statusCode } = await app.inject({ method, url: route.url })
      t.equal(statusCode, 200, body)
      t.strictSame(JSON.parse(body), sampleOf(schema, {}))
    })
}
