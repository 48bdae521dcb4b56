// Default deny: every route declares its access, accepts only closed and bounded requests, and proves each identifier that it
// forwards or declares it unproved. Otherwise the gateway does not start.
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { TObject } from 'typebox'
import { ACTIONS } from '#shared/permissions.ts'
import { parametersOf } from '../route-facts.ts'
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
  const mistakes: string[] = []
  app.decorate('declaredRoutes', routes)

  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      const problem = problemOf(route) ?? uncheckedPartOf(route) ?? openPartOf(route) ?? unprovedIdOf(route)
      if (problem) mistakes.push(`${method} ${route.url} ${problem}`)
      const access = route.config?.access ?? 'public'
      routes.push({ id: route.config?.id ?? `${method} ${route.url}`, method, path: route.url, access })
    }
  })

  app.addHook('onReady', async () => {
    const routeKeys = new Set<string>()
    for (const { id, method } of routes) {
      if (routeKeys.has(`${method} ${id}`)) mistakes.push(`the route id ${id} is used twice`)
      routeKeys.add(`${method} ${id}`)
    }
    if (mistakes.length > 0)
      throw new Error(`Routes without a valid access declaration:\n  ${mistakes.join('\n  ')}`)
  })
})

/** The query and body of a route: declared by proxy routes, otherwise taken from Fastify's schema. */
export function takesOf({ config, schema }: Pick<RouteOptions, 'config' | 'schema'>): Takes {
  if (config?.takes) return config.takes
  return schema?.querystring ? { query: schema.querystring as TObject } : {}
}

function problemOf(route: RouteOptions): string | null {
  const access = route.config?.access
  const has = (parameter: string) => parametersOf(route.url).includes(parameter)
  if (access === undefined) return 'declares no access'
  const missing = route.config?.secretParams?.find((parameter) => !has(parameter))
  if (missing !== undefined) return `lacks the parameter :${missing}`
  if (access === 'public' || access === 'signed-in') return null
  if (access === 'self') return has('userId') ? null : 'lacks the parameter :userId'
  const { action, also, scope, check } = access
  const actions = [action, also].filter((name) => name !== undefined && name !== 'signed-in')
  const badAction = actions.find((name) => !ACTIONS.includes(name))
  if (badAction !== undefined) return `names the unknown action ${badAction}`
  if (!Object.hasOwn(FINDERS, scope)) return `names the unknown scope ${scope}`
  if (check !== undefined && !Object.hasOwn(CHECKS, check)) return `names the unknown check ${check}`
  const { parameter } = FINDERS[scope]
  return parameter === undefined || has(parameter) ? null : `lacks the parameter :${parameter}`
}

/** Fastify checks no schemas: enforce.ts reads the query and the parameters of a path, of routes that are not public. */
function uncheckedPartOf({ config, schema }: RouteOptions): string | null {
  const checkedParts = config?.access === 'public' ? [] : ['querystring', 'params']
  const parts = ['querystring', 'params', 'headers', 'body'] as const
  const part = parts.find((name) => schema?.[name] !== undefined && !checkedParts.includes(name))
  return part === undefined ? null : `has a schema of its ${part} that nothing checks`
}

/** The problem of a route that would forward undeclared fields or unbounded lists. */
function openPartOf(route: RouteOptions): string | null {
  const { query, body } = takesOf(route)
  for (const [part, schema] of Object.entries({ query, body, params: route.schema?.params })) {
    const problem = schema === undefined ? null : openPart(schema as PlainSchema)
    if (problem !== null) return `has an open ${part}: ${problem}`
  }
  return null
}

/** Each forwarded identifier must be proved to belong to the call's scope, or be declared unproved. */
function unprovedIdOf(route: RouteOptions): string | null {
  const { access, takes, upstreamProves = [] } = route.config ?? {}
  if (takes === undefined) return null
  const ids = parametersOf(route.url)
  for (const schema of [takes.query, takes.body]) {
    if (schema !== undefined) ids.push(...idFields(schema as PlainSchema))
  }
  const provedIds = [...provedBy(access), ...upstreamProves]
  const unprovedId = ids.find((name) => !provedIds.includes(name))
  if (unprovedId !== undefined) return `neither proves ${unprovedId} nor declares it unproved`
  const needless = upstreamProves.find((name) => !ids.includes(name) || provedBy(access).includes(name))
  return needless === undefined ? null : `declares ${needless} unproved, but proves it or does not forward it`
}

function provedBy(access: Access | undefined): readonly string[] {
  if (access === 'self') return ['userId']
  if (typeof access !== 'object') return []
  const { parameter, proves = [] } = FINDERS[access.scope]
  const checkProves = access.check === undefined ? [] : (CHECKS[access.check].proves ?? [])
  return [parameter, ...proves, ...checkProves].filter((name) => name !== undefined)
}
