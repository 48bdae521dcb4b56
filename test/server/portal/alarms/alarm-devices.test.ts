import t from 'tap'
import { type AlarmWithCustomer, withDevices } from '#server/portal/alarms/alarm-devices.ts'
import type { Caller } from '#server/types.ts'
import type { Role } from '#shared/permissions.ts'

const customerOf = (id: string) => ({
  id,
  orgName: `Customer ${id}`,
  scope: `/organizations/1/customers/${id}`
})

const alarm = (uuid: string, customerId: string, systemGuid: string) =>
  ({ uuid, systemGuid, customer: customerOf(customerId) }) as AlarmWithCustomer

const callerWith = (role: Role) =>
  ({ user: { roleAssignments: [{ id: 'r', role, scope: '/organizations/1' }] } }) as unknown as Caller

const device = (systemGuid: string) => ({
  systemGuid,
  deviceUuid: `uuid of ${systemGuid}`,
  deviceName: `name of ${systemGuid}`,
  projectName: null
})

/** Snapshots of customers with these systems. A customer without systems never answers. */
function snapshotsOf(systemsByCustomer: Record<string, string[]>) {
  const asked: string[] = []
  const of = (customerId: string) => {
    asked.push(customerId)
    const systems = systemsByCustomer[customerId]
    if (!systems) return new Promise(() => {})
    const found = (guids: string[]) => systems.filter((guid) => guids.includes(guid)).map(device)
    return Promise.resolve({ customer: { systems: async (guids: string[]) => found(guids) } })
  }
  return { asked, snapshots: { of } as unknown as Parameters<typeof withDevices>[2] }
}

t.test('reads no devices for a caller who may not see them', async (t) => {
  const { asked, snapshots } = snapshotsOf({ 7: ['s-1'] })
  const [named] = await withDevices([alarm('a', '7', 's-1')], callerWith('noaccess'), snapshots)
  t.equal(named?.device, null)
  t.strictSame(asked, [])
})

t.test('answers without the devices of a customer that is not read in time', async (t) => {
  const { snapshots } = snapshotsOf({ 7: ['s-1'] })
  const alarms = [alarm('a', '7', 's-1'), alarm('b', '9', 's-2')]
  const named = await withDevices(alarms, callerWith('partner_user'), snapshots, 1)
  t.strictSame(
    named.map((entry) => entry.device?.deviceName),
    ['name of s-1', undefined]
  )
})

t.test('asks each customer once, and knows no device of another customer or of no system', async (t) => {
  const { asked, snapshots } = snapshotsOf({ 7: ['s-1', ''], 9: [] })
  const alarms = [alarm('a', '7', 's-1'), alarm('b', '7', ''), alarm('c', '9', 's-1'), alarm('d', '7', 's-1')]
  const named = await withDevices(alarms, callerWith('partner_user'), snapshots)
  t.strictSame(
    named.map((entry) => entry.device?.deviceUuid),
    ['uuid of s-1', undefined, undefined, 'uuid of s-1']
  )
  t.strictSame(asked, ['7', '9'])
})
