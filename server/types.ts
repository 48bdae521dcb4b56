// The gateway's additions to Fastify's types: a route's declared access and description, and the caller.
import type { FastifyBaseLogger } from 'fastify'
import type { TObject, TProperties, TSchema } from 'typebox'
import type { User } from '#shared/answers/portal.ts'
import type { Action } from '#shared/permissions.ts'

/** Names a function of access/scope-of.ts, which finds the scope of a call from its path, query or body. */
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

/** Names a function of access/checks.ts, which checks a further condition of a call. */
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
  | 'stream-subjects'

/**
 * The callers that a route admits. `self`: only the user in the path. A rule: callers who hold the action at the scope of the
 * call.
 */
export type Access = 'public' | 'signed-in' | 'self' | AccessRule

export interface AccessRule {
  action: Action | 'signed-in'
  /** A second action that must be allowed there as well. */
  also?: Action
  scope: ScopeFinder
  check?: Check
}

/** The query and body that a route accepts, as closed schemas. Without a schema the route accepts none. */
export interface Takes {
  query?: TObject
  /** JSON. With an optional schema the body may be missing. */
  body?: TSchema
  /** Maximum size of the body in bytes; by default the server's limit (http/limits.ts). */
  bodyLimit?: number
  /**
   * Fields of the query and body that the audit trail records, such as `points.cloudId`. Never secrets, codes, or texts that
   * people write to each other.
   */
  recorded?: readonly string[]
  /** Fields of the object in the path that the audit trail records as they were before the call, if the gateway knows them. */
  recordedBefore?: readonly string[]
}

/** The user of a caller, as read from the upstream. */
export interface CallerUser extends User {
  /** See upstreams/visibility.ts. Never sent to a client. */
  visibility?: string
}

export interface Caller {
  kind: 'session' | 'bearer'
  /** The client of a bearer caller. */
  clientId?: string
  /** The name of the caller's session, which gives no access. */
  sessionName?: string
  user: CallerUser
  /** Names the caller whose share of an API's connections its calls use, see `connectionShare`. */
  share: string
  /** Throws 401 after the end of the session or token, 503 if the store fails. Reads the store at most once a second. */
  assertSignedIn(): Promise<void>
  /** Like assertSignedIn; returns the user, with roles at most ROLES_MAX_AGE_SECONDS old. Call before each step of long work. */
  currentUser(): Promise<CallerUser>
  /** For a session, reads the user again, once per request, to use changed roles at once. For a bearer, like currentUser. */
  rereadUser(): Promise<CallerUser>
  /** A valid access token, refreshed if needed. Throws a Problem if there is none. */
  accessToken(): Promise<string>
  /** Another token after an upstream answered 401 to `refused`; null if there is none, or another one would not help. */
  replaceToken(refused: string): Promise<string | null>
}

/** One answer of a route. */
export interface Answer {
  /** By default the meaning of the status. */
  description?: string
  /** Headers with their meaning. */
  headers?: Readonly<Record<string, string>>
  /** JSON. A schema with an `$id` becomes a component of that name. */
  schema?: TSchema
  /** Whether it contains records of an upstream, which keep fields that the schema does not name. */
  hasUpstreamRecords?: true
  /** One JSON text per line, for callers that accept this format. */
  lines?: TSchema
  /** Server-sent events. */
  events?: TSchema
  /** CSV, for callers that accept this format. */
  csv?: true
  /** Bytes of any type. */
  file?: true
}

/** A problem of RFC 9457 that a route may answer, in addition to those of all routes. */
export interface Refusal {
  description: string
  /** The upstream's error code. */
  code?: string
  /** The id of our own problem; otherwise the upstream's problem is forwarded. */
  problem?: string
}

/** The description of a route in openapi.json, in addition to its path, access and request schemas. */
export interface RouteDocs {
  /** Routes of one area are listed together. */
  area: { readonly name: string; readonly description: string }
  summary: string
  description?: string
  /** Path parameters of a route without a schema for them. */
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
    /** Query and body of a proxy route. */
    takes?: Takes
    /** Identifiers whose ownership only the upstream can check. The gateway checks all others before forwarding. */
    upstreamProves?: readonly string[]
    /** Parameters of the path whose values are never recorded. */
    secretParams?: readonly string[]
    /** A route without it is not in openapi.json. */
    docs?: RouteDocs
    /** The answer lasts: it neither extends the session nor counts as a call in flight. */
    isStream?: true
    /** A person may open the address of the answer in the browser. */
    opensInBrowser?: true
    /** Stable name of the route: metric label, log field, row of the access grid. */
    id?: string
  }
  interface FastifyRequest {
    /** Set before the access decision on every route that is not public. */
    caller: Caller | null
    /** The scope at which access was decided; null for routes without a scope. */
    scope: string | null
    /** The checked query for an upstream: `?…`, or empty. */
    upstreamQuery: string
  }
}

/** Returns milliseconds since 1970, UTC. Injected so that tests can set the time. */
export type Clock = () => number
export type Log = FastifyBaseLogger

/** Texts that all replicas share. Neither method rejects; a text is lost if storing it fails. */
export interface Notes {
  read(name: string): Promise<string | null>
  write(name: string, text: string, lifetimeMs: number): Promise<void>
}

/**
 * What a call changes for a customer: its projects and devices, its alarms, or its saved backups. The readings that it concerns
 * are read again first.
 */
export type Change = 'inventory' | 'alarms' | 'backups'

/** Leases that all replicas share: one replica at a time has a lease. All methods reject if the store fails. */
export interface Leases {
  /** Takes the lease for `ms` milliseconds; false if the lease is taken. */
  takeLease(key: string, owner: string, ms: number): Promise<boolean>
  /** Lets the lease last `ms` milliseconds from now if the owner still has it. */
  renewLease(key: string, owner: string, ms: number): Promise<boolean>
  releaseLease(key: string, owner: string): Promise<void>
}

/** Encrypts messages between replicas as one word. */
export interface MessageEncryption {
  encrypt(text: string): string
  /** Null for a message of somebody without the secrets. */
  decrypt(message: string): string | null
}
