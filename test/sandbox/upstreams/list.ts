// Every upstream API area there is. A new one is a file in a folder beside this and a name in the list.

import type { Upstream } from '../api/upstream.ts'
import { alarms } from './alarms/alarms.ts'
import { alarmCommands } from './control/alarms.ts'
import { pointCommands } from './control/points.ts'
import { entityModel } from './data/entity-model.ts'
import { reports } from './data/reports.ts'
import { telemetry } from './data/telemetry.ts'
import { usage } from './data/usage.ts'
import { exports } from './exports/exports.ts'
import { files } from './files.ts'
import { auditLog } from './management/audit-log.ts'
import { devices } from './management/devices.ts'
import { invitations } from './management/invitations.ts'
import { organizations } from './management/organizations.ts'
import { projects } from './management/projects.ts'
import { roles } from './management/roles.ts'
import { serviceAccounts } from './management/service-accounts.ts'
import { subscriptions } from './management/subscriptions.ts'
import { users } from './management/users.ts'
import { inApp } from './notifications/in-app.ts'
import { preferences } from './notifications/preferences.ts'
import { backups } from './recover/backups.ts'
import { registration } from './registration/registration.ts'
import { remoteLogout } from './remote/logout.ts'
import { remoteSession } from './remote/session.ts'

export const UPSTREAMS: Upstream[] = [
  users,
  roles,
  invitations,
  serviceAccounts,
  organizations,
  projects,
  devices,
  subscriptions,
  auditLog,
  registration,
  preferences,
  inApp,
  entityModel,
  usage,
  telemetry,
  pointCommands,
  alarmCommands,
  alarms,
  reports,
  exports,
  backups,
  remoteSession,
  remoteLogout,
  files
]
