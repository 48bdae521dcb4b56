// Decides about access: the only place where a caller is refused. Decides before the body is read, or, if the decision needs
// the body, once it is parsed; then only for callers who hold the action at some scope. Forwards the parsed query and body.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Action, may, mayAnywhere } from '#shared/permissions.ts'
import { isId, ROOT_SCOPE } from '#shared/scopes.ts'
import { Problem, problems } from '../errors.ts'
import type { AccessRule, Caller } from '../types.ts'
import { CHECKS } from './checks.ts'
import { takesOf } from './declare.ts'
import type { Lookups } from './lookups.ts'
import { type BodyReader, bodyReader } from './read-body.ts'
import { type QueryReader, queryReader } from './read-query.ts'
import { type Call, FINDERS, scopeOf } from './scope-of.ts'

interface Decision {
  /** Actions that must all be allowed at the scope. */
  actions: readonly Action[]
  /** Whether the body must be read to decide. */
  needsBody: boolean
  query: QueryReader
  /** Null for a route that takes no body. */
  body: BodyReader | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Created once per route from its access, query and body. */
    decision?: Decision
  }
}

/** Must be registered before the routes that it decides on, in their scope. */
export const enforcePlugin = fp(async (app: FastifyInstance, { lookups }: { lookups: Lookups }) => {
  app.decorateRequest('scope', null)
  app.decorateRequest('upstreamQuery', '')

  app.addHook('onRoute', (route) => {
    const { query, body, bodyLimit } = takesOf(route)
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit
    const { access } = route.config ?? {}
    const decision: Decision = {
      actions: typeof access === 'object' ? actionsOf(access) : [],
      needsBody: typeof access === 'object' && needsBody(access),
      query: queryReader(query),
      body: body === undefined ? null : bodyReader(body)
    }
    route.config = { ...route.config, decision }
  })

  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const { access, decision } = request.routeOptions.config
    if (access === 'public') return
    const { caller } = request
    if (!caller) throw refusal(request, 'no caller', problems.notSignedIn())
    if (access === undefined || decision === undefined)
      throw refusal(request, 'no access declared', problems.forbidden())
    if (!Object.values(request.params as Record<string, string>).every(isId)) throw problems.notFound()
    if (typeof access === 'object' && !mayForAny(caller, access, decision))
      throw refusal(request, `${access.action} at no scope`, problems.forbidden())
    const query = decision.query.read(request.query)
    request.query = query
    request.upstreamQuery = decision.query.write(query)

    if (access === 'self') {
      const { userId } = request.params as { userId?: string }
      if (userId !== caller.user.id) throw refusal(request, 'another user', problems.forbidden())
    } else if (access !== 'signed-in' && !FINDERS[access.scope].needsBody) {
      const call = { request, caller, body: undefined }
      request.scope = await allow(call, access, decision)
      if (access.check !== undefined && !decision.needsBody) await check(call, access)
    }
    if (decision.body === null && announcesBody(request)) throw noBody()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const { access, decision } = request.routeOptions.config
    if (request.is404 || access === 'public' || !decision) return done()
    if (decision.body !== null) return void decideByBody(request, decision).then(() => done(), done)
    done(Buffer.isBuffer(request.body) && request.body.length > 0 ? noBody() : undefined)
  })

  async function decideByBody(request: FastifyRequest, decision: Decision): Promise<void> {
    const { access } = request.routeOptions.config
    const body = decision.body?.(request.body)
    let bodyToSend = body
    if (typeof access === 'object' && decision.needsBody) {
      const call = { request, caller: request.caller as Caller, body }
      request.scope ??= await allow(call, access, decision)
      bodyToSend = (await check(call, access)) ?? body
    }
    if (bodyToSend === undefined) return
    request.body = Buffer.from(JSON.stringify(bodyToSend))
    // The upstream might parse another content type differently.
    request.headers['content-type'] = 'application/json'
  }

  /** The proved scope of the call. Throws if the call is not allowed there. */
  async function allow(call: Call, access: AccessRule, { actions }: Decision): Promise<string> {
    const finder = FINDERS[access.scope]
    const home = await finder.home(call, lookups)
    const scope = await scopeOf(home, finder, call, lookups)
    const deniedAction = actions.find((action) => !isAllowed(call.caller, action, access, scope))
    if (deniedAction !== undefined)
      throw refusal(call.request, `${deniedAction} at ${scope}`, problems.forbidden())
    if (finder.belongs && !(await finder.belongs(call, home ?? '', lookups))) throw problems.notFound()
    call.request.log.debug({ action: access.action, scope, caller: call.caller.kind }, 'allowed')
    return scope
  }

  /** Runs the route's check, which may return another body to send. */
  async function check(call: Call, { action, check }: AccessRule): Promise<unknown> {
    if (check === undefined) return undefined
    const scope = call.request.scope ?? ROOT_SCOPE
    return CHECKS[check].run({ ...call, scope, action }, lookups).catch((error) => {
      throw error instanceof Problem && error.status === 403
        ? refusal(call.request, error.message, error)
        : error
    })
  }
})

/** Whether the caller may make the call for some object. */
function mayForAny({ user }: Caller, { scope }: AccessRule, { actions }: Decision): boolean {
  return scope === 'own-organization' || actions.every((one) => mayAnywhere(user.roleAssignments, one))
}

function actionsOf({ action, also }: AccessRule): Action[] {
  return [action, also ?? []].flat().filter((one) => one !== 'signed-in')
}

function isAllowed({ user }: Caller, action: Action, { scope: finder }: AccessRule, scope: string): boolean {
  const { roleAssignments, organizationId } = user
  if (finder === 'anywhere') return true
  if (may(roleAssignments, action, scope)) return true
  return finder === 'own-organization' && organizationId !== null && scope.endsWith(`/${organizationId}`)
}

function needsBody({ scope, check }: AccessRule): boolean {
  return Boolean(FINDERS[scope].needsBody || (check && CHECKS[check].needsBody))
}

/** Whether the headers announce a body. Fastify never reads the body of a GET request. */
function announcesBody({ method, headers }: FastifyRequest): boolean {
  if (Number(headers['content-length'] ?? 0) > 0) return true
  return method === 'GET' && headers['transfer-encoding'] !== undefined
}

function noBody(): Problem {
  return problems.badRequest('This call takes no body.')
}

function refusal<T>(request: FastifyRequest, reason: string, problem: T): T {
  request.log.info({ route: request.routeOptions.config.id, caller: request.caller?.kind, reason }, 'refused')
  return problem
}
