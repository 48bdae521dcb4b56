// The proxied calls, as data. The gateway answers a call without a row with 404. A row says who may make a call, at which
// scope and with which fields. It contains no wildcard, regular expression or code. The rows are in routes/.

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
import type { ProxyRow } from './row.ts'

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
