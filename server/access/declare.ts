// Default deny: every route declares its access, its requests are closed and bounded, and each identifier that it forwards is
// proved or declared unproved. Otherwise the gateway does not start.
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { TObject } from 'typebox'
import { ACTIONS } from '#shared/permissions.ts'
import type { Access, Takes } from '../types.ts'
import { idFields, openPart, type PlainSchema } from './bounded.ts'
import { CHECKS } from './checks.ts'
import { FINDERS } from './scope-of.ts'

export interface DeclaredRoute {
  id: string
  method: string
  path: string
  access: Access
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route with its declared access, complete once the application is ready. */
    declaredRoutes: readonly DeclaredRoute[]
  }
}

/** Collects the declarations. Must be registered before any route. */
export const declarePlugin = fp(async (app: FastifyInstance) => {
  const routes: DeclaredRoute[] = []
  const wrong: string[] = []
  app.decorate('declaredRoutes', routes)

  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      const problem = problemOf(route) ?? openOf(route) ?? unprovedOf(route)
      if (problem) wrong.push(`${method} ${route.url} ${problem}`)
      const access = route.config?.access ?? 'public'
      routes.push({ id: route.config?.id ?? `${method} ${route.url}`, method, path: route.url, access })
    }
  })

  app.addHook('onReady', async () => {
    const seen = new Set<string>()
    for (const { id, method } of routes) {
      if (seen.has(`${method} ${id}`)) wrong.push(`the route id ${id} is used twice`)
      seen.add(`${method} ${id}`)
    }
    if (wrong.length > 0)
      throw new Error(`Routes without a valid access declaration:\n  ${wrong.join('\n  ')}`)
  })
})

/** The query and body of a route: declared by proxy routes, otherwise taken from Fastify's schema. */
export function takesOf({ config, schema }: Pick<RouteOptions, 'config' | 'schema'>): Takes {
  if (config?.takes) return config.takes
  return schema?.querystring ? { query: schema.querystring as TObject } : {}
}

const parametersOf = ({ url }: RouteOptions) =>
  url.split('/').flatMap((segment) => /^:(\w+)$/.exec(segment)?.[1] ?? [])

function problemOf(route: RouteOptions): string | null {
  const access = route.config?.access
  const has = (parameter: string) => parametersOf(route).includes(parameter)
  if (access === undefined) return 'declares no access'
  if (access === 'public' || access === 'signed-in') return null
  if (access === 'self') return has('userId') ? null : 'lacks the parameter :userId'
  const { action, also, scope, check } = access
  const unknown = [action, also ?? []].flat().find((one) => one !== 'signed-in' && !ACTIONS.includes(one))
  if (unknown !== undefined) return `names the unknown action ${unknown}`
  if (!Object.hasOwn(FINDERS, scope)) return `names the unknown scope ${scope}`
  if (check !== undefined && !Object.hasOwn(CHECKS, check)) return `names the unknown check ${check}`
  const { parameter } = FINDERS[scope]
  return parameter === undefined || has(parameter) ? null : `lacks the parameter :${parameter}`
}

/** Undeclared fields and unbounded lists must not be forwarded. */
function openOf(route: RouteOptions): string | null {
  const { query, body } = takesOf(route)
  for (const [part, schema] of Object.entries({ query, body, params: route.schema?.params })) {
    const open = schema === undefined ? null : openPart(schema as PlainSchema)
    if (open !== null) return `has an open ${part}: ${open}`
  }
  return null
}

/** Each forwarded identifier must be proved to belong to the call's scope, or be declared unproved. */
function unprovedOf(route: RouteOptions): string | null {
  const { access, takes, upstreamProves = [] } = route.config ?? {}
  if (takes === undefined) return null
  const passed = [
    ...parametersOf(route),
    ...[takes.query ?? [], takes.body ?? []].flat().flatMap((schema) => idFields(schema as PlainSchema))
  ]
  const proved = [...provedBy(access), ...upstreamProves]
  const unproved = passed.find((name) => !proved.includes(name))
  if (unproved !== undefined) return `neither proves ${unproved} nor declares it unproved`
  const idle = upstreamProves.find((name) => !passed.includes(name) || provedBy(access).includes(name))
  return idle === undefined ? null : `declares ${idle} unproved, but proves it or does not forward it`
}

function provedBy(access: Access | undefined): readonly string[] {
  if (access === 'self') return ['userId']
  if (typeof access !== 'object') return []
  const { parameter, proves } = FINDERS[access.scope]
  const checked = access.check && CHECKS[access.check].proves
  return [parameter ?? [], proves ?? [], checked ?? []].flat()
}
