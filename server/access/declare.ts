// Default deny that cannot be forgotten: every route declares its access, and one that does not stops the start.
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { ACTIONS } from '#shared/permissions.ts'
import type { Access } from '../types.ts'
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
      const problem = problemOf(route)
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

function problemOf(route: RouteOptions): string | null {
  const access = route.config?.access
  const has = (parameter: string) => route.url.split('/').includes(`:${parameter}`)
  if (access === undefined) return 'declares no access'
  if (access === 'public' || access === 'signed-in') return null
  if (access === 'self') return has('userId') ? null : 'lacks the parameter :userId'
  const { action, scope, check } = access
  if (action !== 'signed-in' && !ACTIONS.includes(action)) return `names the unknown action ${action}`
  if (!Object.hasOwn(FINDERS, scope)) return `names the unknown scope ${scope}`
  if (check !== undefined && !Object.hasOwn(CHECKS, check)) return `names the unknown check ${check}`
  const { parameter } = FINDERS[scope]
  return parameter === null || has(parameter) ? null : `lacks the parameter :${parameter}`
}
