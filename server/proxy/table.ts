// The calls that are passed on, as data: a call that is in no row is 404 and reaches no upstream. A row says who may
// make it, at which scope and with what; no wildcards, no expressions, no code. Rows live in routes/.
import type { TObject, TSchema } from 'typebox'
import type { Flag } from '#shared/entities.ts'
import type { Action } from '#shared/permissions.ts'
import type { Api } from '../config/settings.ts'
import type { Check, RouteDocs, ScopeFinder } from '../types.ts'
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

/** What is said of a row in openapi.json is data as well: `area`, `summary`, `answers`, … */
export interface ProxyRow extends Omit<RouteDocs, 'params' | 'headers'> {
  /** Stable name: metric label, log field, row of the access grid. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** `signed-in` for calls about the caller alone, `self` where the path names the caller. */
  action: Action | 'signed-in' | 'self'
  /** A second action that must be allowed there as well. */
  also?: Action
  /** Where the action must be allowed; not for `self`, nor for `signed-in` without a check. */
  scope?: ScopeFinder
  /** What else must hold. */
  check?: Check
  /** The parameters that the query may have, a closed schema; without it none. */
  query?: TObject
  /** The body, a closed schema of bounded parts; without it there is none. */
  body?: TSchema
  /** Bytes of the largest body, where 16 KiB are not enough for what the schema allows. */
  bodyLimit?: number
  /** Identifiers that only the upstream can prove to belong where the call was allowed. */
  upstreamProves?: readonly string[]
  upstream: Api
  /** The flag without which the row does not exist. */
  flag?: Flag
  /** It changes a customer's projects or devices: their snapshot is dropped. */
  changesInventory?: true
  /** Its answer is the short-lived address of a file, perhaps at another host: the caller gets the file. */
  leadsToFile?: true
  /** Its answer must not be stored: it holds a secret, or an address that opens without one. */
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
