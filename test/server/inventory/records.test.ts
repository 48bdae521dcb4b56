import t from 'tap'
import { toDevice, toProject, toSubscription } from '#server/inventory/records.ts'

const EMPTY_DEVICE = {
  id: '',
  deviceUuid: '',
  deviceName: '',
  hostId: '',
  location: '',
  projectName: null,
  systemGuid: '',
  createdDate: null,
  projectId: null,
  subscriptions: []
}

t.test('what is no object, or has nothing that is asked for, is a plain record', async (t) => {
  for (const item of [null, undefined, 1, 'text', true, [], [{ id: 'a' }], {}, { unasked: { id: 'b' } }]) {
    const name = JSON.stringify(item)
    t.strictSame(toDevice(item), EMPTY_DEVICE, name)
    t.strictSame(toProject(item), { id: '', projectName: '' }, name)
    t.strictSame(
      toSubscription(item),
      { deviceUuid: '', subscription: { offeringCode: '', startDate: '', endDate: '' } },
      name
    )
  }
})

t.test('values of another kind become plain ones', async (t) => {
  const odd = { deviceUuid: 7, deviceName: {}, hostId: [], location: null, projectName: 3, createdDate: '' }
  t.strictSame(toDevice({ id: 12, systemGuid: true, ...odd }), { ...EMPTY_DEVICE, id: '12' })
  t.strictSame(toProject({ id: 3, projectName: 4 }), { id: '3', projectName: '' })
  for (const planLimit of ['5', null, Number.NaN, Number.POSITIVE_INFINITY])
    t.notOk('planLimit' in toSubscription({ planLimit }).subscription, String(planLimit))
})

t.test('a device is called by its other name only when it has no own', async (t) => {
  t.equal(toDevice({ name: 'Other' }).deviceName, 'Other')
  t.equal(toDevice({ deviceName: '', name: 'Other' }).deviceName, 'Other')
  t.equal(toDevice({ deviceName: 'Own', name: 'Other' }).deviceName, 'Own')
})

t.test('all that an upstream tells is taken in one order, and nothing else', async (t) => {
  const given = {
    _links: { self: { href: '/devices/d-1' } },
    createdDate: '2024-11-04T08:15:00.000Z',
    systemGuid: 'g-1',
    projectId: 'p-9',
    projectName: 'East Wing',
    location: 'Roof',
    hostId: 'H-1',
    deviceName: 'AHU-1',
    deviceUuid: 'u-1',
    id: 'd-1'
  }
  const device = toDevice(given)
  t.strictSame(Object.keys(device), Object.keys(EMPTY_DEVICE))
  t.match(device, { id: 'd-1', projectName: 'East Wing', createdDate: '2024-11-04T08:15:00.000Z' })
  t.equal(device.projectId, null, 'which project it is in is decided by its name (§4)')
  t.strictSame(
    toSubscription({ deviceUuid: 'u-1', offeringCode: 'NDS', startDate: 'a', endDate: 'b', planLimit: 0 }),
    {
      deviceUuid: 'u-1',
      subscription: { offeringCode: 'NDS', startDate: 'a', endDate: 'b', planLimit: 0 }
    }
  )
})
