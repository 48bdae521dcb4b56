// The access decision: the one place where a caller is refused. It runs before a body is read; decisions that need the body
// are made as soon as it is parsed, and only for callers who hold the action somewhere. The parsed query and body are what
// goes upstream.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isId } from '#shared/ids.ts'
import { may, mayAnywhere } from '#shared/permissions.ts'
import { ROOT_SCOPE } from '#shared/scopes.ts'
import { Problem, problems } from '../errors.ts'
import type { AccessRule, Caller } from '../types.ts'
import { CHECKS } from './checks.ts'
import { takesOf } from './declare.ts'
import type { GrantLookups } from './grants.ts'
import { type BodyReader, bodyReader } from './read-body.ts'
import { type QueryReader, queryReader } from './read-query.ts'
import { type Call, FINDERS, type Lookups } from './scope-of.ts'

type AllLookups = Lookups & GrantLookups

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Readers of its query and body; made from what the route takes. */
    reads?: { query: QueryReader; body: BodyReader | null }
  }
}

/** Must be registered before the routes that it decides on, in their scope. */
export const enforcePlugin = fp(async (app: FastifyInstance, { lookups }: { lookups: AllLookups }) => {
  app.decorateRequest('scope', null)
  app.decorateRequest('upstreamQuery', '')

  app.addHook('onRoute', (route) => {
    const { query, body, bodyLimit } = takesOf(route)
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit
    const reads = { query: queryReader(query), body: body === undefined ? null : bodyReader(body) }
    route.config = { ...route.config, reads }
  })

  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const { access, reads } = request.routeOptions.config
    if (access === 'public') return
    const { caller } = request
    if (!caller) throw refused(request, 'no caller', problems.notSignedIn())
    if (access === undefined || reads === undefined)
      throw refused(request, 'no access declared', problems.forbidden())
    if (!Object.values(request.params as Record<string, string>).every(isId)) throw problems.notFound()
    if (typeof access === 'object' && !mayForAny(caller, access))
      throw refused(request, `${access.action} nowhere`, problems.forbidden())
    const query = reads.query.read(request.query)
    request.query = query
    request.upstreamQuery = reads.query.write(query)

    if (access === 'self') {
      const { userId } = request.params as { userId?: string }
      if (userId !== caller.user.id) throw refused(request, "another person's", problems.forbidden())
    } else if (access !== 'signed-in' && !FINDERS[access.scope].needsBody) {
      request.scope = await allow({ request, caller, body: undefined }, access)
      if (!needsBody(access)) await check({ request, caller, body: undefined }, access)
    }
    if (reads.body === null && announcesBody(request)) throw noBody()
  })

  app.addHook('preHandler', async (request) => {
    const { access, reads } = request.routeOptions.config
    if (request.is404 || access === 'public' || !reads) return
    if (reads.body === null) {
      if (Buffer.isBuffer(request.body) && request.body.length > 0) throw noBody()
      return
    }
    const body = reads.body(request.body)
    let decided = body
    if (typeof access === 'object' && needsBody(access)) {
      const call = { request, caller: request.caller as Caller, body }
      request.scope ??= await allow(call, access)
      decided = (await check(call, access)) ?? body
    }
    if (decided === undefined) return
    request.body = Buffer.from(JSON.stringify(decided))
    // An upstream that chose its parser by another type would read something else than was decided.
    request.headers['content-type'] = 'application/json'
  })

  /** The scope where the call belongs and is allowed, proved; otherwise throws. */
  async function allow(call: Call, access: AccessRule): Promise<string> {
    const { scope, prove } = await FINDERS[access.scope].find(call, lookups)
    const missing = [access.action, access.also ?? []]
      .flat()
      .find((action) => !isAllowed(call.caller, action, access, scope))
    if (missing !== undefined) throw refused(call.request, `${missing} at ${scope}`, problems.forbidden())
    await prove?.()
    call.request.log.debug({ action: access.action, scope, caller: call.caller.kind }, 'allowed')
    return scope
  }

  /** What else must hold; may give another body to send. */
  async function check(call: Call, { action, check }: AccessRule): Promise<unknown> {
    if (check === undefined) return undefined
    const scope = call.request.scope ?? ROOT_SCOPE
    return CHECKS[check].run({ ...call, scope, action }, lookups).catch((error) => {
      throw error instanceof Problem && error.status === 403
        ? refused(call.request, error.message, error)
        : error
    })
  }
})

/** Whether the caller may make the call for any object at all: known before anything of the call is read. */
function mayForAny({ user }: Caller, { action, also, scope }: AccessRule): boolean {
  if (scope === 'own-organization') return true
  return [action, also ?? []]
    .flat()
    .every((one) => one === 'signed-in' || mayAnywhere(user.roleAssignments, one))
}

function isAllowed(
  { user }: Caller,
  action: AccessRule['action'],
  { scope: finder }: AccessRule,
  scope: string
): boolean {
  const { roleAssignments, organizationId } = user
  if (action === 'signed-in' || finder === 'anywhere') return true
  if (may(roleAssignments, action, scope)) return true
  return finder === 'own-organization' && organizationId !== null && scope.endsWith(`/${organizationId}`)
}

function needsBody({ scope, check }: AccessRule): boolean {
  return FINDERS[scope].needsBody === true || (check !== undefined && CHECKS[check].needsBody)
}

/** Whether a body follows that is known of before it is read. The bodies of GET are never read. */
function announcesBody({ method, headers }: FastifyRequest): boolean {
  if (Number(headers['content-length'] ?? 0) > 0) return true
  return method === 'GET' && headers['transfer-encoding'] !== undefined
}

function noBody(): Problem {
  return problems.badRequest('This call takes no body.')
}

function refused<T>(request: FastifyRequest, reason: string, problem: T): T {
  request.log.info({ route: request.routeOptions.config.id, caller: request.caller?.kind, reason }, 'refused')
  return problem
}
