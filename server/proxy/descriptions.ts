// What openapi.json tells of the proxied calls beside what their rows take, put together for a row of the table. It decides
// nothing: no call is checked, changed or refused by it. Texts and examples live in descriptions/, a file for each area.
import Type from 'typebox'
import type { RouteDocs } from '../types.ts'
import { alarms } from './descriptions/alarms.ts'
import type { Area } from './descriptions/area.ts'
import { control } from './descriptions/control.ts'
import { dataServices } from './descriptions/data-services.ts'
import { notifications } from './descriptions/notifications.ts'
import { organizations } from './descriptions/organizations.ts'
import { people } from './descriptions/people.ts'
import { projectsAndDevices } from './descriptions/projects-and-devices.ts'
import { recover } from './descriptions/recover.ts'
import { registration } from './descriptions/registration.ts'
import { reportsAndExports } from './descriptions/reports-and-exports.ts'
import { serviceAccounts } from './descriptions/service-accounts.ts'
import type { ProxyRow } from './table.ts'

export const AREAS: readonly Area[] = [
  people,
  organizations,
  projectsAndDevices,
  serviceAccounts,
  registration,
  notifications,
  dataServices,
  reportsAndExports,
  control,
  alarms,
  recover
]

/** What a path parameter of that name holds, and one that could be. */
export const PARAMETERS: Record<string, [meaning: string, example: string]> = {
  organizationId: ['Id of an integrator or a customer.', '1'],
  customerId: ['Id of a customer.', '9'],
  userId: ['Id of a user.', 'u-17'],
  projectId: ['Id of a project.', '3'],
  deviceId: ['Id of a device.', 'd-7'],
  deviceUuid: ['Uuid of a device.', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80'],
  serviceAccountId: ['Id of a service account.', 'sa-2'],
  invitationId: ['Id of an invitation.', 'inv-4'],
  reportId: ['Id of a report.', 'rep-11'],
  exportId: ['Id of an export.', 'exp-5'],
  backupId: ['Id of a backup.', 'bak-8'],
  code: ['The code that the device shows: 8 characters, valid for 15 minutes.', 'AB12CD34']
}

/** Null for a row that nobody has described. */
export function docsOf({ id, path }: ProxyRow): RouteDocs | null {
  const area = AREAS.find(({ rows }) => Object.hasOwn(rows, id))
  const described = area?.rows[id]
  if (area === undefined || described === undefined) return null
  const { name, description } = area
  return { ...described, area: { name, description }, params: parametersOf(path) }
}

function parametersOf(path: string) {
  const names = path.split('/').flatMap((segment) => /^:(\w+)$/.exec(segment)?.[1] ?? [])
  return Type.Object(
    Object.fromEntries(
      names.map((name) => {
        const [description = '', example] = PARAMETERS[name] ?? []
        return [name, Type.String({ description, examples: [example] })]
      })
    )
  )
}
