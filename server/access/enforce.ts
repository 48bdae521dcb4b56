// Decides about access: the only place where a caller is refused. Decides before the body is read, or, if the decision needs
// the body, once it is parsed; then only for callers who hold the action at some scope. Decides again if the body takes long
// to arrive. Forwards the parsed query and body.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Action, mayAnywhere } from '#shared/permissions.ts'
import { isId, ROOT_SCOPE } from '#shared/scopes.ts'
import { Problem, problems } from '../errors.ts'
import { fieldPicker, type RecordedBefore, type RecordedFields } from '../observability/recorded-fields.ts'
import type { Access, AccessRule, Caller, Clock } from '../types.ts'
import { isAllowed } from './allowed.ts'
import { CHECKS } from './checks.ts'
import { takesOf } from './declare.ts'
import type { Lookups } from './lookups.ts'
import { type BodyReader, bodyReader } from './read-body.ts'
import { type QueryReader, queryReader } from './read-query.ts'
import { type Call, FINDERS, type KnownObject, scopeOf } from './scope-of.ts'

interface Decision {
  /** Actions that must all be allowed at the scope. */
  actions: readonly Action[]
  /** Whether the body must be read to decide. */
  needsBody: boolean
  query: QueryReader
  /** Null for a route that takes no body. */
  body: BodyReader | null
  /** Picks the fields that the audit trail records. */
  record: (input: unknown) => RecordedFields | null
  /** Picks the fields of the object before the call that it records too. */
  recordBefore: Decision['record'] | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Created once per route from its access, query and body. */
    decision?: Decision
  }
  interface FastifyRequest {
    /** The time of the last decision on a call with a body, by this machine's clock. */
    decidedAt: number
    /**
     * Throws if the session has ended, or if another call has read that the roles have ended. Calls no upstream, unless the
     * route's check repeats.
     */
    confirmAccess(): Promise<void>
    /**
     * Decides again during a long answer, with roles that are at most ROLES_MAX_AGE_SECONDS old. Throws 401 after a sign-out,
     * 403 if the roles no longer allow the call.
     */
    decideAgain(): Promise<void>
  }
}

/** Age at which a decision is made again before the call is sent, because sessions and roles may have ended meanwhile. */
const DECISION_FRESH_MS = 1_000

interface Options {
  lookups: Lookups
  localClock: Clock
}

/** Must be registered before the routes that it decides on, in their scope. */
export const enforcePlugin = fp(async (app: FastifyInstance, { lookups, localClock }: Options) => {
  app.decorateRequest('decidedAt', 0)
  app.decorateRequest('confirmAccess', confirmAccess)
  app.decorateRequest('decideAgain', decideAgain)
  app.decorateRequest('scope', null)
  app.decorateRequest('upstreamQuery', '')
  // The hooks below read queries and bodies by their schemas, and every parameter of a path is an identifier.
  app.setValidatorCompiler(() => () => true)

  app.addHook('onRoute', (route) => {
    const { query, body, bodyLimit, recorded = [], recordedBefore } = takesOf(route)
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit
    const { access } = route.config ?? {}
    const decision: Decision = {
      actions: typeof access === 'object' ? actionsOf(access) : [],
      needsBody: typeof access === 'object' && needsBody(access),
      query: queryReader(query),
      body: body === undefined ? null : bodyReader(body),
      record: fieldPicker(recorded),
      recordBefore: recordedBefore === undefined ? null : fieldPicker(recordedBefore)
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
    if (typeof access === 'object') requireAtSomeScope(request, caller, access, decision)
    const query = decision.query.read(request.query)
    request.query = query
    request.upstreamQuery = decision.query.write(query)
    request.recorded = decision.record(query)
    await decideBeforeBody(request, caller, access, decision)
    if (decision.body !== null) request.decidedAt = localClock()
    else if (announcesBody(request)) throw noBody()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const { access, decision } = request.routeOptions.config
    if (request.is404 || access === 'public' || access === undefined || !decision) return done()
    if (decision.body !== null)
      return void decideAfterBody(request, access, decision).then(() => done(), done)
    done(Buffer.isBuffer(request.body) && request.body.length > 0 ? noBody() : undefined)
  })

  const isOutdated = ({ decidedAt }: FastifyRequest) =>
    Math.abs(localClock() - decidedAt) >= DECISION_FRESH_MS

  /** Decides what does not depend on the body. */
  async function decideBeforeBody(
    request: FastifyRequest,
    caller: Caller,
    access: Access,
    decision: Decision
  ) {
    if (access === 'self') {
      const { userId } = request.params as { userId?: string }
      if (userId !== caller.user.id) throw refusal(request, 'another user', problems.forbidden())
    } else if (typeof access === 'object' && !FINDERS[access.scope].needsBody) {
      const call = { request, caller, body: undefined }
      request.scope = await allow(call, access, decision)
      if (access.check !== undefined && !decision.needsBody) await check(call, access)
    }
  }

  /** Decides what depends on the body; repeats the first decision if the body took long to arrive. */
  async function decideAfterBody(request: FastifyRequest, access: Access, decision: Decision): Promise<void> {
    const caller = request.caller as Caller
    if (isOutdated(request)) {
      await caller.assertSignedIn()
      // A user who was read within ROLES_MAX_AGE_SECONDS may have the roles of the time when the headers arrived.
      await caller.rereadUser()
      request.decidedAt = localClock()
      if (typeof access === 'object') requireAtSomeScope(request, caller, access, decision)
      await decideBeforeBody(request, caller, access, decision)
    }
    await decideOnBody(request, decision)
  }

  async function confirmAccess(this: FastifyRequest): Promise<void> {
    await (this.caller as Caller).assertSignedIn()
    await decideWithKnownRoles(this)
  }

  async function decideAgain(this: FastifyRequest): Promise<void> {
    await (this.caller as Caller).currentUser()
    await decideWithKnownRoles(this).catch((error) => {
      throw error instanceof Problem && error.status === 403 ? problems.rolesChanged() : error
    })
  }

  /** Decides at the scope that was proved when the call arrived. */
  async function decideWithKnownRoles(request: FastifyRequest): Promise<void> {
    const caller = request.caller as Caller
    const { access, decision } = request.routeOptions.config
    if (typeof access !== 'object' || !decision) return
    requireAtSomeScope(request, caller, access, decision)
    const call = { request, caller, body: undefined }
    requireAtScope(call, access, decision, request.scope ?? ROOT_SCOPE)
    if (access.check !== undefined && CHECKS[access.check].repeats) await check(call, access)
  }

  /** Checks the body by its schema and the route's check, and puts what is sent upstream in its place. */
  async function decideOnBody(request: FastifyRequest, decision: Decision): Promise<void> {
    const { access } = request.routeOptions.config
    const body = decision.body?.(request.body)
    // Before the check, so that a refusal says what the caller wanted.
    request.recorded = decision.record(body) ?? request.recorded
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
  async function allow(call: Call, access: AccessRule, decision: Decision): Promise<string> {
    const finder = FINDERS[access.scope]
    const organizationId = await finder.organizationOf(call, lookups)
    const scope = await scopeOf(organizationId, finder, call, lookups)
    requireAtScope(call, access, decision, scope)
    if (finder.belongs) {
      const readObject = await finder.belongs(call, organizationId ?? '', lookups)
      if (readObject === null) throw problems.notFound()
      if (decision.recordBefore) call.request.before = beforeOf(await readObject(), decision.recordBefore)
    }
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

/** Throws unless the caller may make the call for some object. */
function requireAtSomeScope(
  request: FastifyRequest,
  { user }: Caller,
  { scope, action }: AccessRule,
  { actions }: Decision
): void {
  if (scope === 'own-organization' || actions.every((name) => mayAnywhere(user.roleAssignments, name))) return
  throw refusal(request, `${action} at no scope`, problems.forbidden())
}

/** Throws unless the caller may make the call at the scope. */
function requireAtScope(call: Call, access: AccessRule, { actions }: Decision, scope: string): void {
  const deniedAction = actions.find((action) => !isAllowed(call.caller, action, access.scope, scope))
  if (deniedAction !== undefined)
    throw refusal(call.request, `${deniedAction} at ${scope}`, problems.forbidden())
}

/** What the audit trail records of an object as it was before the call. */
function beforeOf(object: KnownObject | null, record: Decision['record']): RecordedBefore | null {
  const recorded = record(object?.fields)
  if (object === null || recorded === null) return null
  const { readAt } = object
  return {
    before: recorded.fields,
    ...(readAt === null ? {} : { beforeReadAt: new Date(readAt).toISOString() })
  }
}

function actionsOf({ action, also }: AccessRule): Action[] {
  return [action, also].filter((name) => name !== undefined && name !== 'signed-in')
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
