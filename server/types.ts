// What the gateway adds to Fastify's types: a route's declared access and description, and who is calling.
import type { FastifyBaseLogger } from 'fastify'
import type { TObject, TProperties, TSchema } from 'typebox'
import type { User } from '#shared/entities.ts'
import type { Action } from '#shared/permissions.ts'
import type { RequestTrace } from './observability/trace.ts'

/** How a route finds the scope that it will really touch: from the path, the query, the body; see access/scope-of.ts. */
export type ScopeFinder =
  | 'root'
  | 'anywhere'
  | 'organization'
  | 'own-organization'
  | 'customer'
  | 'project'
  | 'device'
  | 'device-uuid'
  | 'customer-device'
  | 'query-device'
  | 'query-organization'
  | 'service-account'
  | 'export'
  | 'user'
  | 'invitation'
  | 'claimed-customer'
  | 'body-organization'
  | 'body-device'

/** What else must hold of a call; see access/checks.ts. */
export type Check =
  | 'systems'
  | 'query-system'
  | 'report-devices'
  | 'batch-devices'
  | 'source-is-device'
  | 'own-invitation'
  | 'new-project'
  | 'device-change'
  | 'placement'
  | 'user-grants'
  | 'account-grants'
  | 'invitation-grants'
  | 'new-account-grants'

/**
 * Who may call a route: `self` is a call about the user named in the path, who must be the caller. With an action,
 * those who hold it at the scope found.
 */
export type Access = 'public' | 'signed-in' | 'self' | AccessRule

export interface AccessRule {
  action: Action | 'signed-in'
  /** A second action that must be allowed there as well. */
  also?: Action
  scope: ScopeFinder
  check?: Check
}

/** What a request may have beside its path, as closed schemas. Without a schema it must have none. */
export interface Takes {
  query?: TObject
  /** JSON. An optional schema is one of a body that may be missing. */
  body?: TSchema
  /** Bytes of the largest body; without it, what the server takes of any call (http/limits.ts). */
  bodyLimit?: number
}

/** The user of a caller, as the upstream gave it. */
export interface CallerUser extends User {
  /** What the upstream shows the user, see upstreams/visibility.ts. Never sent to a client. */
  visibility?: string
}

export interface Caller {
  kind: 'session' | 'bearer'
  /** The client of a bearer caller. */
  clientId?: string
  user: CallerUser
  /** Throws 401 once the session or the token has ended, 503 when the store cannot say. Asks it once a second at most. */
  assertSignedIn(): Promise<void>
  /** The same, and the user with roles no older than ROLES_MAX_AGE_SECONDS: asked at each step of long work. */
  currentUser(): Promise<CallerUser>
  /** Asks the upstream again who this is, once in a request, so that changed roles take effect at once. */
  rereadUser(): Promise<CallerUser>
  /** A valid access token, refreshed when needed. Throws a Problem when there is none to be had. */
  accessToken(): Promise<string>
  /** A token other than `refused`, which an upstream answered 401; null when there is no other, or none that would help. */
  replaceToken(refused: string): Promise<string | null>
  /** Of the request that the caller makes. */
  trace?: RequestTrace
}

/** One answer of a route. */
export interface Answer {
  /** Without it, what its status says. */
  description?: string
  /** Headers with their meaning. */
  headers?: Readonly<Record<string, string>>
  /** JSON. A schema with an `$id` becomes a component of that name. */
  schema?: TSchema
  /** One JSON text a line, for callers that accept it. */
  lines?: TSchema
  /** Bytes of any type. */
  file?: true
}

/** A problem of RFC 9457 that a route answers with, beside those of all routes. */
export interface Refusal {
  description: string
  /** The upstream's error code. */
  code?: string
  /** The id of a problem of ours; without it, the upstream's own is passed on. */
  problem?: string
}

/** What openapi.json says of a route, beside its path, its access and the schemas that check its requests. */
export interface RouteDocs {
  /** Routes of one area are listed together. */
  area: { readonly name: string; readonly description: string }
  summary: string
  description?: string
  /** Of a route that does not check its path itself. */
  params?: TObject
  headers?: TProperties
  /** By status. */
  answers: Readonly<Record<number, Answer>>
  /** By status. */
  refusals?: Readonly<Record<number, Refusal>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Of a route whose calls are passed on. */
    takes?: Takes
    /** Names of identifiers that only the upstream can prove; every other one is proved before the call is passed on. */
    upstreamProves?: readonly string[]
    /** A route without it is not in openapi.json. */
    docs?: RouteDocs
    /** Stable name of the route: metric label, log field, row of the access grid. */
    id?: string
  }
  interface FastifyRequest {
    /** Set before the access decision on every route that is not public. */
    caller: Caller | null
    /** The scope on which access was decided; null for routes that are about none. */
    scope: string | null
    /** The query as it was decided on, for an upstream: `?…`, or empty. */
    upstreamQuery: string
  }
}

/** Milliseconds since 1970, UTC. Injected so that tests can move it. */
export type Clock = () => number
export type Log = FastifyBaseLogger

/** Texts that are kept for a week, for any replica. Neither call rejects: what cannot be kept is forgotten. */
export interface Notes {
  read(name: string): Promise<string | null>
  write(name: string, text: string): Promise<void>
}
