import t from 'tap'
import {
  fieldLabel,
  objectName,
  sentenceOf,
  shownValue,
  unnamedDevice
} from '#client/features/people/audit-log/audit-sentences.ts'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { auditEntry as entry } from '../../../../support/client/records.ts'

t.test('shows an unknown action as words, and an object without a name by its ID', async (t) => {
  t.equal(sentenceOf(entry({ action: 'TELEPORTED_THING' })), 'teleported thing AHU-3')
  t.equal(
    sentenceOf(entry({ action: 'PROJECT_DELETED', resource: { type: 'PROJECT', id: 'p-9', name: null } })),
    'deleted project p-9'
  )
  t.equal(sentenceOf(entry()), 'moved device AHU-3')
})

t.test('names the new project of a moved device', async (t) => {
  const changes = [{ field: 'projectName', before: 'East', after: 'West' }]
  t.equal(sentenceOf(entry({ changes })), 'moved device AHU-3 to project West')
  t.equal(
    sentenceOf(entry({ changes: [{ field: 'projectName', before: 'a', after: '$& > %' }] })),
    'moved device AHU-3 to project $& > %'
  )
})

const changed = (field: string, before: string | null, after: string | null) => ({
  changes: [{ field, before, after }]
})
const sentences: [sentence: string, rest: Partial<AuditLogEntry>][] = [
  ['locked a backup of AHU-3', { action: 'BACKUP_UPDATED', ...changed('retained', 'false', 'true') }],
  ['unlocked a backup of AHU-3', { action: 'BACKUP_UPDATED', ...changed('retained', 'true', 'false') }],
  [
    'changed the note of a backup of AHU-3',
    { action: 'BACKUP_UPDATED', ...changed('notes', null, 'Before the upgrade') }
  ],
  [
    'changed the note of a backup of AHU-3',
    { action: 'BACKUP_UPDATED', ...changed('notes', 'true', 'false') }
  ],
  [
    'changed a backup of AHU-3',
    {
      action: 'BACKUP_UPDATED',
      changes: [...changed('notes', 'a', 'b').changes, ...changed('retained', 'false', 'true').changes]
    }
  ],
  ['changed a backup of AHU-3', { action: 'BACKUP_UPDATED', outcome: 'FAILURE', changes: [] }],
  [
    'changed the location of device AHU-3 to Roof',
    { action: 'DEVICE_UPDATED', ...changed('location', 'Yard', 'Roof') }
  ],
  ['renamed device AHU-2 to AHU-3', { action: 'DEVICE_UPDATED', ...changed('deviceName', 'AHU-2', 'AHU-3') }],
  ['renamed device AHU-3 to AHU-4', { action: 'DEVICE_UPDATED', ...changed('deviceName', 'AHU-3', 'AHU-4') }],
  ['changed device AHU-3', { action: 'DEVICE_UPDATED', ...changed('vendor', 'a', 'b') }]
]
for (const [sentence, rest] of sentences)
  t.test(
    `a ${rest.action} of ${rest.changes?.map(({ field }) => field).join()} reads: ${sentence}`,
    async (t) => t.equal(sentenceOf(entry(rest)), sentence)
  )

t.test('an object without a name takes the name that the entry has elsewhere, else its id', async (t) => {
  const device = { id: 'd-3', deviceUuid: 'uuid-3', name: 'AHU-3' }
  const nameOf = (type: string, id: string, rest: Partial<AuditLogEntry> = {}) =>
    objectName(entry({ resource: { type, id, name: null }, ...rest }))
  t.equal(nameOf('BACKUP', 'bk-d-3-m1', { device }), 'AHU-3')
  t.equal(nameOf('DEVICE', 'd-3', { device }), 'AHU-3')
  t.equal(nameOf('POINT', 'c-1', { device }), 'c-1')
  t.equal(nameOf('USER', 'u-1'), 'Maria Ruiz')
  t.equal(nameOf('ORGANIZATION', 'c-9', { customerId: 'c-9', customerName: 'Northwind' }), 'Northwind')
  t.equal(nameOf('PROJECT', 'p-9'), 'p-9')
})

t.test('names a changed field in words', async (t) => {
  t.equal(fieldLabel('projectName'), 'Project name')
  t.equal(fieldLabel('notes'), 'Notes')
})

t.test('names the roles and scopes of changed access', async (t) => {
  const scope = '/organizations/1/customers/c-9'
  const nameOf = (at: string) => (at === scope ? 'Northwind' : at)
  const shown = (value: string) => shownValue('roleAssignments', value, nameOf)
  t.equal(
    shown(`ncp_customer_admin at ${scope}, ncp_nds_operator at /organizations/1/customers/x`),
    'Customer admin at Northwind, NDS operator at /organizations/1/customers/x'
  )
  t.equal(shown('customer_user'), 'Customer user')
  t.equal(shown('janitor at somewhere'), 'janitor at somewhere')
  t.equal(shown(''), '–')
})

t.test('names the device of an object, unless the object is a device', async (t) => {
  const device = { id: 'd-3', deviceUuid: 'uuid-3', name: 'AHU-3' }
  t.equal(unnamedDevice(entry({ device })), null)
  t.equal(unnamedDevice(entry()), null)
  const alarm = { type: 'ALARM', id: 'a-1', name: 'Filter Dirty' }
  t.equal(unnamedDevice(entry({ device, resource: alarm })), device)
})

t.test('hides a secret in a change', async (t) => {
  t.equal(shownValue('clientSecret', 'new'), '••••••')
  t.equal(shownValue('location', null), '–')
  t.equal(shownValue('location', 'Roof'), 'Roof')
})
