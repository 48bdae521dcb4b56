// Lists the sessions of the signed-in person and ends those of other browsers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { OwnSessions, SignedOut } from '#shared/answers/session.ts'
import { problems } from '../errors.ts'
import type { AuthContext } from './context.ts'
import { signedIn } from './sessions/plugin.ts'
import type { EndedFrom, Session, SessionStore } from './sessions/store.ts'

type Options = Pick<AuthContext, 'sessions' | 'authority' | 'audit' | 'recorder'>

export type OwnSessionEnds = ReturnType<typeof createOwnSessionEnds>

export function createOwnSessionEnds({ sessions, authority, audit, recorder }: Options) {
  /**
   * Revokes the tokens of a session that another browser ended, the first time it is called. Skips them while a running session
   * has the same sign-in at the authority, because some authorities would revoke the tokens of that session too.
   */
  async function revokeEnded(id: string): Promise<void> {
    const session = await sessions.takeEnded(id)
    if (session === null) return
    const { authoritySessionId: sid, furtherRefresh } = session.data
    if (sid === null || !(await sessions.isInUse(sid))) await authority.revoke(session.tokens, furtherRefresh)
  }

  /** Revokes the sessions that this process has used. The next call of its browser revokes any other: its cookie has the id. */
  function revokeKnown(names: readonly string[]): void {
    for (const id of names.map(sessions.knownId)) if (id !== undefined) void revokeEnded(id).catch(() => {})
  }

  function record(request: FastifyRequest, { user }: Session['data'], count: number, outcome: string): void {
    if (count === 0) return
    const origin = { requestId: request.id, clientIp: request.ip }
    audit({ event: 'sign-out', userId: user.id, target: { sessions: count }, outcome, ...origin })
    recorder.signOut('person', count)
  }

  async function end(data: Session['data'], name: string, from: EndedFrom): Promise<boolean> {
    const hasEnded = await sessions.removeOne(data.subject, name, from)
    if (hasEnded) revokeKnown([name])
    return hasEnded
  }

  return {
    record,
    revokeEnded,
    /** Ends a session of the same person; false if it does not exist. */
    async endOne(request: FastifyRequest, { data }: Session, name: string): Promise<boolean> {
      const hasEnded = await end(data, name, 'person')
      record(request, data, Number(hasEnded), 'ended from another browser')
      return hasEnded
    },
    /** Ends all sessions of the person except the given one. */
    async endOthers(request: FastifyRequest, { id, data }: Session): Promise<void> {
      const endedNames = await sessions.removeAll('subject', data.subject, 'person', sessions.nameOf(id))
      revokeKnown(endedNames)
      record(request, data, endedNames.length, 'ended from another browser')
    },
    /** Ends the oldest sessions of a person beyond `allowed.sessions`, but never the one named `allowed.name`. */
    async endOldest(
      request: FastifyRequest,
      data: Session['data'],
      allowed: { sessions: number; name: string }
    ): Promise<void> {
      const ownSessions = await sessions.ofPerson(data.subject)
      const others = ownSessions.filter(({ name }) => name !== allowed.name)
      const surplus = others.sort((a, b) => b.createdAt - a.createdAt).slice(allowed.sessions - 1)
      const results = await Promise.all(surplus.map(({ name }) => end(data, name, 'newer')))
      record(request, data, results.filter(Boolean).length, 'ended by a newer sign-in')
    }
  }
}

interface RouteOptions {
  sessions: SessionStore
  ends: OwnSessionEnds
  /** Ends the session of this browser. */
  endOwnSession: (request: FastifyRequest, reply: FastifyReply) => Promise<SignedOut>
}

/** Routes that list the person's sessions, and end one of them, all others, or all. */
export async function ownSessionRoutes(app: FastifyInstance, options: RouteOptions): Promise<void> {
  const { sessions, ends, endOwnSession } = options

  app.get('/auth/sessions', route('auth.sessions', OwnSessions), async (request): Promise<OwnSessions> => {
    const { id, data } = signedIn(request)
    const ownName = sessions.nameOf(id)
    const ownSessions = await sessions.ofPerson(data.subject)
    return {
      sessions: ownSessions.map(({ name, browser, system, network, createdAt, seenAt }) => ({
        id: name,
        browser,
        system,
        network,
        since: new Date(createdAt).toISOString(),
        lastUsed: new Date(seenAt).toISOString(),
        current: name === ownName
      }))
    }
  })

  app.delete<{ Params: { sessionId: string } }>(
    '/auth/sessions/:sessionId',
    route('auth.sessions.end'),
    async (request, reply) => {
      const session = signedIn(request)
      const { sessionId } = request.params
      if (sessionId === sessions.nameOf(session.id)) await endOwnSession(request, reply)
      else if (!(await ends.endOne(request, session, sessionId)))
        throw problems.notFound('This session has ended already.')
      return reply.code(204).send()
    }
  )

  app.delete('/auth/sessions', route('auth.sessions.end-others'), async (request, reply) => {
    await ends.endOthers(request, signedIn(request))
    return reply.code(204).send()
  })

  app.post('/auth/logout/everywhere', route('auth.logout-everywhere', SignedOut), async (request, reply) => {
    // Ends the other sessions first: after a store failure the person needs their own session to try again.
    await ends.endOthers(request, signedIn(request))
    return endOwnSession(request, reply)
  })
}

/** Low, because each call may concern all sessions of a person. */
const CALLS_PER_MINUTE = 20

/** @param answer without it the route answers without a body */
const route = (id: string, answer?: TSchema) => ({
  config: { access: 'public' as const, id, callsPerMinute: CALLS_PER_MINUTE },
  schema: answer ? { response: { 200: answer } } : {}
})
