// The type of a row of the proxy's table.
import type { Flag } from '#shared/entities.ts'
import type { Action } from '#shared/permissions.ts'
import type { AccessRule, Change, RouteDocs, Takes } from '../types.ts'

/** The fields of `RouteDocs` describe the row in openapi.json. `self`, and `signed-in` without `check`, have no scope. */
export interface ProxyRow
  extends Omit<RouteDocs, 'params' | 'headers'>,
    Partial<Omit<AccessRule, 'action'>>,
    Takes {
  /** Stable name, used as metric label, as log field and in the access grid. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path of the call at the gateway and at the upstream. Its third segment names the API. */
  path: string
  /** `signed-in` for calls about the caller, `self` if the path names the caller. */
  action: Action | 'signed-in' | 'self'
  /** Identifiers whose ownership only the upstream can check. */
  upstreamProves?: readonly string[]
  /** Parameters of the path that are secrets: logs, audit lines and spans show their names only. */
  secretParams?: readonly string[]
  /** The call exists only if this flag is on. */
  flag?: Flag
  /** What the call changes for a customer: the gateway reads it again. */
  changes?: Change
  /** The inventory changes only in its fields: no project or device comes or goes. */
  changesOnlyFields?: true
  /** The answer redirects to a file, perhaps on another host: the gateway sends the file to the caller. */
  leadsToFile?: true
  /** The answer must not be cached: it contains a secret, or an address that works without a secret. */
  tellsSecret?: true
}
