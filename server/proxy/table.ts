// The proxied calls, as data. A call without a row is answered 404 and reaches no upstream. A row says who may make a call, at
// which scope and with which fields. It contains no wildcard, regular expression or code. The rows are in routes/.
import type { Flag } from '#shared/entities.ts'
import type { Action } from '#shared/permissions.ts'
import type { AccessRule, RouteDocs, Takes } from '../types.ts'
import { alarms } from './routes/alarms.ts'
import { control } from './routes/control.ts'
import { dataServices } from './routes/data-services.ts'
import { management } from './routes/management.ts'
import { notifications } from './routes/notifications.ts'
import { people } from './routes/people.ts'
import { recover } from './routes/recover.ts'
import { registration } from './routes/registration.ts'
import { reportsAndExports } from './routes/reports-and-exports.ts'
import { serviceAccounts } from './routes/service-accounts.ts'

/** The fields of `RouteDocs` describe the row in openapi.json. `self` and `signed-in` without a check have no scope. */
export interface ProxyRow
  extends Omit<RouteDocs, 'params' | 'headers'>,
    Partial<Omit<AccessRule, 'action'>>,
    Takes {
  /** Stable name: metric label, log field and row of the access grid. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The upstream's own path; its third segment names the API. */
  path: string
  /** `signed-in` for calls about the caller, `self` if the path names the caller. */
  action: Action | 'signed-in' | 'self'
  /** Identifiers whose owner only the upstream knows. */
  upstreamProves?: readonly string[]
  /** The row exists only with this flag. */
  flag?: Flag
  /** The call changes a customer's projects or devices: the gateway drops their snapshot. */
  changesInventory?: true
  /** The answer is the short-lived address of a file, perhaps on another host: the caller gets the file. */
  leadsToFile?: true
  /** The answer must not be stored: it contains a secret, or an address that works without one. */
  tellsSecret?: true
}

export const PROXY_TABLE: readonly ProxyRow[] = [
  ...people,
  ...management,
  ...serviceAccounts,
  ...registration,
  ...notifications,
  ...dataServices,
  ...reportsAndExports,
  ...control,
  ...alarms,
  ...recover
]
