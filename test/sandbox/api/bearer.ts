// Verifies the bearer token of a call and finds its user. Only the gateway checks roles.
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { UserRecord } from '../records/people.ts'
import type { State } from '../state.ts'
import { ApiProblem } from './problems.ts'

export interface Trust {
  issuer: string
  audience: string | string[]
  key: KeyObject
  isRefused: (claims: JWTPayload) => boolean
}

const VERIFIED_MAX = 1_000

const callers = new WeakMap<FastifyRequest, UserRecord>()

export function callerOf(request: FastifyRequest): UserRecord {
  const caller = callers.get(request)
  if (!caller) throw new ApiProblem(401, 'unauthorized', 'A bearer token is required')
  return caller
}

// A browser opens these addresses without a token; random parts protect the addresses.
const WITHOUT_TOKEN = /^\/(files|remote)\//

export function requireBearer(api: FastifyInstance, state: State, trust: Trust): void {
  const { issuer, audience, key } = trust
  /** The claims of tokens whose signature has been verified: a caller sends a token many times. */
  const verifiedClaims = new LRUCache<string, JWTPayload>({ max: VERIFIED_MAX })

  async function claimsOf(token: string): Promise<JWTPayload> {
    const known = verifiedClaims.get(token)
    if (known && Number(known.exp) * 1000 > Date.now()) return known
    const { payload } = await jwtVerify(token, key, {
      issuer,
      audience,
      typ: 'at+jwt',
      requiredClaims: ['exp']
    })
    verifiedClaims.set(token, payload)
    return payload
  }

  api.addHook('onRequest', async (request) => {
    if (request.method === 'GET' && WITHOUT_TOKEN.test(request.url)) return
    const [scheme, token] = (request.headers.authorization ?? '').split(' ')
    if (scheme?.toLowerCase() !== 'bearer' || !token)
      throw new ApiProblem(401, 'unauthorized', 'A bearer token is required')
    const claims = await claimsOf(token).catch(() => refuse('The bearer token is invalid or has expired'))
    if (trust.isRefused(claims)) refuse('The bearer token is invalid or has expired')
    const user = state.users.get(claims.sub ?? '') ?? refuse('The bearer token belongs to an unknown user')
    if (user.status === 'DISABLED') refuse('The user is disabled')
    callers.set(request, user)
  })
}

function refuse(message: string): never {
  throw new ApiProblem(401, 'invalidToken', message)
}
