// The pages that entries of the audit log link to.
import t from 'tap'
import { createLinks } from '#client/features/people/audit-log/audit-links.ts'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { user } from '../../../../support/client/gateway.ts'
import { auditRecord } from '../../../../support/client/records.ts'

const on = (type: string, id: string, name: string) => ({ resource: { type, id, name } })
const AHU_3 = { device: { id: 'd-3', deviceUuid: 'uuid-3', name: 'AHU 3' } }
const PAGES = '/customers/9/devicedetails'
const entry = (rest: object) => auditRecord(1, rest) as AuditLogEntry
const linksOf = (role: 'partner_admin' | 'partner_user') => createLinks(user(role, '/organizations/1'))

const ENTRIES: [what: string, rest: object, object: string | null, actor?: string | null][] = [
  ['a device', {}, '/customers/9?q=AHU+3'],
  ['a device whose name cannot be searched', on('DEVICE', 'd-3', 'R&D'), null],
  ['a project', on('PROJECT', 'p 1', 'East'), '/customers/9?project=p+1'],
  [
    'a project that could not be deleted',
    { action: 'PROJECT_DELETED', outcome: 'FAILURE', ...on('PROJECT', 'p-1', 'East') },
    '/customers/9?project=p-1'
  ],
  ['a deleted project', { action: 'PROJECT_DELETED', ...on('PROJECT', 'p-1', 'East') }, null],
  ['a person', { ...on('USER', 'u-8', 'Bo'), customerId: null }, '/users/u-8'],
  ['a service account', on('SERVICE_ACCOUNT', 'sa-1', 'Export'), '/customers/9/serviceaccount/sa-1'],
  ['a report', on('REPORT', 'r-1', 'Fans'), `${PAGES}/history?reportId=r-1`],
  ['a device with its UUID', AHU_3, `${PAGES}?deviceUuid=uuid-3`],
  [
    'a point',
    { ...AHU_3, ...on('POINT', 'c-7', 'Fan') },
    `${PAGES}/pointdetails?deviceUuid=uuid-3&cloudId=c-7`
  ],
  [
    'an alarm',
    { ...AHU_3, ...on('ALARM', 'a-1', 'Filter') },
    `${PAGES}?tab=alarms&deviceUuid=uuid-3&show=all&range=all&alarm=a-1`
  ],
  ['a backup', { ...AHU_3, ...on('BACKUP', 'b-1', 'AHU 3') }, '/customers/9/savedbackups?deviceUuid=uuid-3'],
  ['an object without a customer', { customerId: null }, null],
  ['an alarm without its device', on('ALARM', 'a-1', 'Filter'), null],
  [
    'an action of a service account',
    { actor: { id: 'sa-2', type: 'SERVICE_ACCOUNT', name: 'Robot' } },
    '/customers/9?q=AHU+3',
    null
  ]
]

for (const [what, rest, object, actor = '/users/u-7'] of ENTRIES)
  t.test(`${what} links to ${object ?? 'no page'} and ${actor ?? 'no actor'}`, async (t) => {
    const { ofObject, ofActor } = linksOf('partner_admin')
    t.equal(ofObject(entry(rest)), object)
    t.equal(ofActor(entry(rest)), actor)
  })

t.test('users and service accounts are linked only for people who may view them', async (t) => {
  const { ofObject, ofActor } = linksOf('partner_user')
  const serviceAccount = entry(on('SERVICE_ACCOUNT', 'sa-1', 'Export'))
  t.equal(ofObject(serviceAccount), null)
  t.equal(ofActor(serviceAccount), null)
  t.equal(ofObject(entry({ ...on('USER', 'u-8', 'Bo'), customerId: null })), null)
})

t.test('an object is linked below the integrator that a global admin has chosen', async (t) => {
  const admin = user('global_admin', '/', { userType: 'INTERNAL', organizationId: null })
  t.equal(createLinks(admin, '1').ofObject(entry({})), '/integrators/1/customers/9?q=AHU+3')
})
