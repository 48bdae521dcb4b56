// All upstream APIs.
import type { Upstream } from '../api/upstream.ts'
import { backups } from './backups.ts'
import { alarmCommands } from './data/alarm-commands.ts'
import { alarms } from './data/alarms.ts'
import { entityModel } from './data/entity-model.ts'
import { exports } from './data/exports.ts'
import { pointCommands } from './data/point-commands.ts'
import { reports } from './data/reports.ts'
import { telemetry } from './data/telemetry.ts'
import { usage } from './data/usage.ts'
import { files } from './files.ts'
import { auditLog } from './management/audit-log.ts'
import { devices } from './management/devices.ts'
import { invitations } from './management/invitations.ts'
import { organizations } from './management/organizations.ts'
import { projects } from './management/projects.ts'
import { registration } from './management/registration.ts'
import { roles } from './management/roles.ts'
import { serviceAccounts } from './management/service-accounts.ts'
import { users } from './management/users.ts'
import { notifications } from './notifications.ts'
import { remote } from './remote.ts'

export const UPSTREAMS: Upstream[] = [
  ...[users, roles, invitations, serviceAccounts, organizations, projects, devices, auditLog, registration],
  ...[notifications, entityModel, usage, telemetry, pointCommands, alarmCommands, alarms, reports, exports],
  ...[backups, remote, files]
]
