// The access decision of a call: the one place where a caller is refused. It runs before a body is read; what only the
// body says is decided as soon as it is parsed, and what was parsed is what goes upstream.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { may, mayAnywhere } from '#shared/permissions.ts'
import { ROOT_SCOPE } from '#shared/scopes.ts'
import { Problem, problems } from '../errors.ts'
import type { AccessRule, Caller } from '../types.ts'
import { raw } from '../upstreams/fields.ts'
import { CHECKS } from './checks.ts'
import type { GrantLookups } from './grant-checks.ts'
import { type Call, FINDERS, type Lookups } from './scope-of.ts'

type AllLookups = Lookups & GrantLookups

export const enforcePlugin = fp(async (app: FastifyInstance, { lookups }: { lookups: AllLookups }) => {
  app.decorateRequest('scope', null)

  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const { access } = request.routeOptions.config
    if (access === 'public') return
    const { caller } = request
    if (!caller) throw refused(request, 'no caller', problems.notSignedIn())
    if (access === 'signed-in') return
    if (access === 'self') {
      const { userId } = request.params as { userId?: string }
      if (userId !== caller.user.id) throw refused(request, "another person's", problems.forbidden())
      return
    }
    if (access === undefined) throw refused(request, 'no access declared', problems.forbidden())
    if (FINDERS[access.scope].needsBody) return
    request.scope = await allow({ request, caller, body: undefined }, access)
    if (!readsBody(access)) await check({ request, caller, body: undefined }, access)
  })

  app.addHook('preHandler', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || typeof access !== 'object' || !readsBody(access)) return
    const body = parsed(request.body)
    refuseOtherFields(body, access.accepts)
    const call = { request, caller: request.caller as Caller, body }
    request.scope ??= await allow(call, access)
    request.body = serialized((await check(call, access)) ?? body)
    // An upstream that chose its parser by another type would read something else than was decided.
    request.headers['content-type'] = 'application/json'
  })

  /** The scope where the call belongs and is allowed, proved; otherwise throws. */
  async function allow(call: Call, access: AccessRule): Promise<string> {
    const { scope, prove } = await FINDERS[access.scope].find(call, lookups)
    if (!isAllowed(call.caller, access, scope))
      throw refused(call.request, `${access.action} at ${scope}`, problems.forbidden())
    await prove?.()
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

function isAllowed({ user }: Caller, { action, scope: finder }: AccessRule, scope: string): boolean {
  const { roleAssignments, organizationId } = user
  if (action === 'signed-in') return true
  if (finder === 'anywhere') return mayAnywhere(roleAssignments, action)
  if (may(roleAssignments, action, scope)) return true
  return finder === 'own-organization' && organizationId !== null && scope.endsWith(`/${organizationId}`)
}

function readsBody({ scope, check, accepts }: AccessRule): boolean {
  return (
    accepts !== undefined ||
    FINDERS[scope].needsBody === true ||
    (check !== undefined && CHECKS[check].needsBody)
  )
}

function refuseOtherFields(body: unknown, accepts: readonly string[] | undefined): void {
  if (accepts === undefined) return
  const other = Object.keys(raw(body)).find((field) => !accepts.includes(field))
  if (other !== undefined) throw problems.badRequest(`The field "${other}" is not part of this call.`)
}

function serialized(body: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(body))
  } catch {
    throw problems.badRequest('The body is nested too deeply.')
  }
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  } catch {
    throw problems.badRequest('The body must be JSON.')
  }
}

function refused<T>(request: FastifyRequest, reason: string, problem: T): T {
  request.log.info({ route: request.routeOptions.config.id, caller: request.caller?.kind, reason }, 'refused')
  return problem
}
