// OpenID Connect Back-Channel Logout 1.0: the authority posts a token when a person has signed out, or one of their sessions
// has ended. The token is checked strictly (section 2.6) and accepted once.
import type { FastifyInstance } from 'fastify'
import type { JWTPayload } from 'jose'
import { isTimeClaim } from '../error-causes.ts'
import { Problem } from '../errors.ts'
import type { LogoutRefusal } from '../observability/recorder.ts'
import { TOLERANCE_SECONDS, type VerifyJwt, whyUnverified } from './authority/jwks.ts'
import type { AuthContext } from './context.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Accepted token types. Older authorities send `JWT` or no type, so the event identifies a logout token. */
const TOKEN_TYPES = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt']
/**
 * Time for which a used token is remembered: longer than any replica accepts it. It may have been issued `TOLERANCE_SECONDS`
 * ahead, and the clocks of two replicas may differ by twice that.
 */
const USED_REMEMBERED_SECONDS = 4 * TOLERANCE_SECONDS
const TOKEN_MAX_CHARACTERS = 16 * 1024
/** Everyone may post here, so the body is limited to a form with one token. */
const BODY_MAX_BYTES = 2 * TOKEN_MAX_CHARACTERS

interface Options
  extends Pick<AuthContext, 'config' | 'sessions' | 'encryption' | 'recorder' | 'localClock'> {
  verify: VerifyJwt
}

/**
 * Ends the sessions that the logout token names and returns their number. Throws a 400 problem for a bad token, and a 503
 * problem if the store fails: the authority may send the token again.
 */
export type BackchannelLogout = (logoutToken: unknown) => Promise<number>

export function createBackchannelLogout(options: Options): BackchannelLogout {
  const { config, verify, sessions, encryption, recorder, localClock } = options
  return async (logoutToken) => {
    if (typeof logoutToken !== 'string' || logoutToken.length > TOKEN_MAX_CHARACTERS)
      throw refuse('form', 'it is missing or too long')
    const claims = await checkedClaims(logoutToken)
    const [alias = ''] = encryption.aliases(claims.jti as string, 'logout token')
    const storeKey = `logout:${alias}`
    if ((await sessions.backend.recall(storeKey)) !== null) throw refuse('used', 'it was used before')
    // If the token has both, only `sid` counts: `sub` would end the person's other sessions as well.
    const endedNames =
      typeof claims.sid === 'string'
        ? await sessions.removeAll('authoritySession', claims.sid, 'authority')
        : await sessions.removeAll('subject', claims.sub as string, 'authority')
    // Marks the token as used last, because after a failure the authority sends the same token again.
    await sessions.backend.remember(storeKey, '1', USED_REMEMBERED_SECONDS * 1000)
    return endedNames.length
  }

  async function checkedClaims(token: string): Promise<JWTPayload> {
    const { payload, protectedHeader } = await verify(token, {
      audience: config.OIDC_CLIENT_ID,
      requiredClaims: ['iat', 'jti', 'events'],
      clockTolerance: TOLERANCE_SECONDS
    }).catch((error) => {
      throw error instanceof Problem ? error : refuse(reasonOf(error), whyUnverified(error), error)
    })
    const age = localClock() / 1000 - (payload.iat ?? 0)
    const events = payload.events as Record<string, unknown> | undefined
    const event = typeof events === 'object' && events !== null ? events[EVENT] : undefined
    if (Math.abs(age) > TOLERANCE_SECONDS)
      throw refuse('time', 'it was not issued within the last 10 minutes')
    const checks: [boolean, string][] = [
      [TOKEN_TYPES.includes(protectedHeader.typ?.toLowerCase()), 'its type is not logout+jwt'],
      [typeof event === 'object' && event !== null && !Array.isArray(event), 'it has no logout event'],
      [!('nonce' in payload), 'it has a nonce, as only ID tokens do'],
      [typeof payload.jti === 'string' && payload.jti !== '', 'it has no jti'],
      [isText(payload.sid) || isText(payload.sub), 'it names neither a session nor a person'],
      [payload.sid === undefined || isText(payload.sid), 'its sid is not a non-empty string'],
      [payload.sub === undefined || isText(payload.sub), 'its sub is not a non-empty string']
    ]
    const failedCheck = checks.find(([holds]) => !holds)
    if (failedCheck) throw refuse('claims', failedCheck[1])
    return payload
  }

  function refuse(reason: LogoutRefusal, why: string, cause?: unknown): Problem {
    recorder.logoutRefused(reason)
    return new Problem(400, 'bad_logout_token', {
      title: 'Bad request',
      detail: `The logout token is refused: ${why}.`,
      cause
    })
  }
}

/** Claims are checked after the signature. */
function reasonOf(error: unknown): LogoutRefusal {
  const { claim } = error as { claim?: unknown }
  if (typeof claim !== 'string') return 'signature'
  return isTimeClaim(claim) ? 'time' : 'claims'
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

interface RouteOptions extends Pick<AuthContext, 'audit' | 'recorder'> {
  backchannelLogout: BackchannelLogout
}

/** The endpoint for the authority's logout tokens. The token alone decides: no cookie, no CSRF check. */
export async function backchannelLogoutRoutes(
  app: FastifyInstance,
  { backchannelLogout, audit, recorder }: RouteOptions
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body)))
  )
  app.post(
    '/auth/backchannel-logout',
    { config: { id: 'auth.backchannel-logout', access: 'public' }, bodyLimit: BODY_MAX_BYTES },
    async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body.getAll('logout_token') : []
      const endedCount = await backchannelLogout(form.length === 1 ? form[0] : undefined).catch((error) => {
        const { id, options } = error instanceof Problem ? error : { id: 'internal', options: {} }
        request.log.warn(
          { problem: id, reason: options.detail, err: options.cause },
          'refused a logout token'
        )
        throw error
      })
      // The user is unknown here: sessions are encrypted, and the token is not stored.
      const entry = { userId: null, target: { sessions: endedCount }, outcome: 'ended by the authority' }
      audit({ event: 'sign-out', ...entry, requestId: request.id, clientIp: request.ip })
      recorder.signOut('authority', endedCount)
      return reply.header('cache-control', 'no-store').code(200).send()
    }
  )
}
