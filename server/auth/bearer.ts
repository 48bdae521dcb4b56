// Identifies internal services by a JWT access token of the authority (RFC 9068). Reads the user and roles from the upstream
// (current-user.ts) and caches them by token.
import { hash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { User } from '#shared/answers/portal.ts'
import { Problem, problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import type { Bearer } from '../upstreams/client.ts'
import { connectionShare } from '../upstreams/transport/pools.ts'
import { type VerifyJwt, whyUnverified } from './authority/jwks.ts'
import type { AuthContext } from './context.ts'
import type { CurrentUsers, KnownUser } from './current-user.ts'

const USERS_CACHED = 2_000

interface Options extends Pick<AuthContext, 'config' | 'localClock' | 'log'> {
  verify: VerifyJwt
  currentUsers: CurrentUsers
  fetchUser: (bearer: Bearer, limit: AbortSignal) => Promise<User>
}

/**
 * The caller of a bearer token. Throws 401 for an invalid token, 403 for a token without the scope of the method.
 * @param admit runs after the token is verified, before any upstream call; rejects to refuse the call
 */
export type BearerCaller = (
  authorization: string,
  method: string,
  admit: (clientId: string, subject: string) => Promise<void>
) => Promise<Caller>

export function createBearerCaller(options: Options): BearerCaller {
  const { config, verify, currentUsers, fetchUser, localClock, log } = options
  const audience = config.OIDC_AUDIENCE
  const users = new LRUCache<string, KnownUser>({ max: USERS_CACHED })

  return async (authorization, method, admit) => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1]
    if (!token || audience === undefined) throw badToken()
    const claims = await claimsOf(token, audience)
    const { client_id: clientId } = claims
    if (typeof clientId !== 'string' || typeof claims.sub !== 'string')
      throw refusalOf('its client_id or its sub is not a string')
    await admit(clientId, claims.sub)

    const scope = method === 'GET' || method === 'HEAD' ? 'ncp:read' : 'ncp:write'
    if (!scopesOf(claims).includes(scope)) throw problems.lacksScope(scope)

    const bearer: Bearer = { accessToken: async () => token, replaceToken: async () => null }
    const tokenHash = hash('sha256', token, 'base64url')
    const assertSignedIn = async () => {
      if (localClock() >= Number(claims.exp) * 1000) throw badToken()
    }
    const currentUser = async () => {
      await assertSignedIn()
      caller.user = await userOf(tokenHash, bearer)
      return caller.user
    }
    const user = await userOf(tokenHash, bearer)
    const methods = { assertSignedIn, currentUser, rereadUser: currentUser }
    const share = connectionShare({ kind: 'bearer', clientId, user })
    const caller: Caller = { kind: 'bearer', clientId, user, share, ...bearer, ...methods }
    return caller
  }

  async function userOf(tokenHash: string, bearer: Bearer): Promise<User> {
    const cached = users.get(tokenHash)
    if (cached && currentUsers.isRecent(tokenHash, cached.readAt)) return cached.user
    return currentUsers.read(tokenHash, cached, {
      fetch: (limit) => fetchUser(bearer, limit),
      async keep(fetched) {
        users.set(tokenHash, fetched)
        return fetched.user
      },
      async refuse(problem) {
        users.delete(tokenHash)
        return badToken(problem)
      }
    })
  }

  async function claimsOf(token: string, audience: string): Promise<JWTPayload> {
    try {
      const { payload } = await verify(token, {
        audience,
        requiredClaims: ['exp', 'iat', 'sub', 'client_id'],
        // Refuses ID tokens and logout tokens (RFC 9068, section 2.1).
        typ: 'at+jwt'
      })
      return payload
    } catch (error) {
      throw error instanceof Problem ? error : refusalOf(whyUnverified(error), error)
    }
  }

  function refusalOf(reason: string, cause?: unknown): Problem {
    log.info({ reason, code: (cause as { code?: string } | undefined)?.code }, 'refused an access token')
    return badToken(cause)
  }
}

/** The scopes of a token: one string in `scope` (RFC 9068, section 2.2.3), which some authorities name `scp`. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  return [scope, scp].flat().flatMap((value) => (typeof value === 'string' ? value.split(' ') : []))
}

function badToken(cause?: unknown): Problem {
  return new Problem(401, 'bad_token', {
    title: 'Not signed in',
    detail: 'The access token is missing, expired or not meant for this service.',
    cause
  })
}
