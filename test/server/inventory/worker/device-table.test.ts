import t from 'tap'
import type { DeviceFilter, DeviceQuery, SortOrder } from '#server/inventory/device-query.ts'
import { createDeviceTable } from '#server/inventory/worker/device-table.ts'

import type { Device } from '#shared/answers/customers.ts'
import { DEVICE_SEARCHED, DEVICE_SORTS, END_SORT, ENDED_DAYS } from '#shared/devices.ts'

import { chance } from '../../../support/chance.ts'

function device(fields: Partial<Device>): Device {
  return Object.freeze({
    id: 'd-1',
    deviceUuid: 'u-1',
    deviceName: 'AHU-1',
    hostId: 'Qnx-JACE-0001',
    location: 'Level 1',
    projectId: 'p-1',
    projectName: 'East Wing',
    systemGuid: 'g-1',
    createdDate: null,
    subscriptions: [],
    ...fields
  })
}

const EVERYTHING: DeviceQuery = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 1000 }
const find = (devices: readonly Device[], query: Partial<DeviceQuery>, nowMs = 0) =>
  createDeviceTable(devices).page({ ...EVERYTHING, ...query }, nowMs).items
const names = (devices: readonly Device[]) => devices.map(({ deviceName }) => deviceName)
const uuids = (devices: readonly Device[]) => devices.map(({ deviceUuid }) => deviceUuid)

const SPECIALS = [...`*<>"'%()&+/^|?[]\\`]
const DEVICES = Object.freeze([
  device({ deviceUuid: 'u-1', deviceName: `Mixed *<>"'%()&+/^|?[]\\ Name.`, hostId: 'H-1' }),
  device({ deviceUuid: 'u-2', deviceName: 'Chiller 12', hostId: 'Qnx-JACE-A82A', projectName: 'Pump House' }),
  device({ deviceUuid: 'u-3', deviceName: 'Boiler', hostId: 'H-3', location: 'Level 12', projectName: null })
])

t.test('finds nothing for a keyword with a special character', async (t) => {
  for (const character of SPECIALS) {
    t.strictSame(find(DEVICES, { q: character }), [], character)
    t.strictSame(find(DEVICES, { q: `mixed${character}` }), [], `mixed${character}`)
    t.strictSame(find(DEVICES, { q: ` ${character} ` }), [], `blanks around ${character}`)
  }
})

t.test('ignores white space and case in keyword and text', async (t) => {
  for (const keyword of ['chiller12', 'CHILLER 12', ' c h i l l e r\t1\n2 ', 'Chiller\u00a012'])
    t.strictSame(uuids(find(DEVICES, { q: keyword })), ['u-2'], JSON.stringify(keyword))
})

t.test('finds everything for an empty keyword', async (t) => {
  for (const keyword of ['', ' ', '\t\n\u00a0'])
    t.equal(find(DEVICES, { q: keyword }).length, 3, JSON.stringify(keyword))
})

t.test('searches only host id, name, project and location', async (t) => {
  const devices = [
    device({
      id: 'secret-id',
      deviceUuid: 'secret-uuid',
      systemGuid: 'secret-guid',
      projectId: 'secret-project',
      createdDate: 'secret-date',
      deviceName: 'field-a',
      hostId: 'field-b',
      projectName: 'field-c',
      location: 'field-d'
    })
  ]
  t.equal(find(devices, { q: 'secret' }).length, 0)
  t.equal(find(devices, { q: 'field-afield-b' }).length, 0, 'no match across two fields')
  for (const keyword of ['field-a', 'field-b', 'field-c', 'field-d'])
    t.equal(find(devices, { q: keyword }).length, 1, keyword)
  t.equal(find([device({ projectName: null })], { q: 'null' }).length, 0, 'a missing project')
})

t.test('sorts names by numbers and ignores accents and case', async (t) => {
  const devices = Object.freeze(
    ['AHU-10', 'AHU-2', 'ahu-1', 'Éclair', 'Zone', 'eclair 2'].map((deviceName, index) =>
      device({ deviceName, deviceUuid: `u-${index}` })
    )
  )
  const ascending = ['ahu-1', 'AHU-2', 'AHU-10', 'Éclair', 'eclair 2', 'Zone']
  t.strictSame(names(find(devices, { sort: 'deviceName', order: 'asc' })), ascending)
  t.strictSame(names(find(devices, { sort: 'deviceName', order: 'desc' })), [...ascending].reverse())
})

const BOUNDS: Record<string, [string | null, string]> = { hostId: ['A10', 'A2'], projectName: [null, 'A'] }

t.test('sorts by each column, a missing project first', async (t) => {
  for (const sort of DEVICE_SORTS) {
    const [first, second] = BOUNDS[sort] ?? ['A2', 'A10']
    const low = device({ deviceUuid: 'low', [sort]: first })
    const high = device({ deviceUuid: 'high', [sort]: second })
    t.strictSame(uuids(find([high, low], { sort, order: 'asc' })), ['low', 'high'], `${sort} ascending`)
    t.strictSame(uuids(find([low, high], { sort, order: 'desc' })), ['high', 'low'], `${sort} descending`)
  }
})

t.test('sorts host ids by character, ignoring case', async (t) => {
  const ids = ['Qnx-0B30', 'Qnx-00C0', 'qnx-0b2f', 'Qnx-100', 'Qnx-20', 'Qnx-3A']
  const devices = ids.map((hostId, index) => device({ hostId, deviceUuid: `u-${index}` }))
  t.strictSame(
    find(devices, { sort: 'hostId', order: 'asc' }).map(({ hostId }) => hostId),
    ['Qnx-00C0', 'qnx-0b2f', 'Qnx-0B30', 'Qnx-100', 'Qnx-20', 'Qnx-3A']
  )
})

t.test('sorts equal rows by name, then uuid, in both directions', async (t) => {
  const devices = [
    device({ deviceName: 'B', deviceUuid: '1' }),
    device({ deviceName: 'A', deviceUuid: '3' }),
    device({ deviceName: 'a', deviceUuid: '2' })
  ]
  for (const order of ['asc', 'desc'] as const)
    for (const arrival of [devices, [...devices].reverse()])
      t.strictSame(uuids(find(arrival, { sort: 'location', order })), ['2', '3', '1'], order)
  const frozen = Object.freeze([...devices])
  find(frozen, { sort: 'location', order: 'desc' })
  t.strictSame(uuids(frozen), ['1', '3', '2'], 'does not change the given list')
})

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const service = (offeringCode: string, fromDays: number, toDays: number) => ({
  offeringCode,
  startDate: new Date(NOW + fromDays * DAY_MS).toISOString(),
  endDate: new Date(NOW + toDays * DAY_MS).toISOString()
})

t.test('sorts by the first end of an active service, devices without one last in both orders', async (t) => {
  const devices = [
    device({ deviceUuid: 'none', deviceName: 'A' }),
    device({ deviceUuid: 'ended', deviceName: 'B', subscriptions: [service('NDS', -9, 0)] }),
    device({ deviceUuid: 'later', subscriptions: [service('NDS', -1, 400), service('Remote', -1, 90)] }),
    device({ deviceUuid: 'first', subscriptions: [service('Recover', -9, -1), service('NDS', -1, 2)] }),
    device({ deviceUuid: 'future', deviceName: 'C', subscriptions: [service('NDS', 1, 2)] }),
    device({ deviceUuid: 'second', subscriptions: [service('NDS', -1, 3)] })
  ]
  const sortedBy = (order: SortOrder) => uuids(find(devices, { sort: END_SORT, order }, NOW))
  t.strictSame(sortedBy('asc'), ['first', 'second', 'later', 'none', 'ended', 'future'])
  t.strictSame(sortedBy('desc'), ['later', 'second', 'first', 'none', 'ended', 'future'])
})

t.test('filters by service, by expiry, or by both in the same subscription', async (t) => {
  const devices = [
    device({ deviceUuid: 'none' }),
    device({ deviceUuid: 'ended', subscriptions: [service('NDS', -9, -1)] }),
    device({ deviceUuid: 'nds', subscriptions: [service('NDS', -1, 400), service('Remote', -1, 5)] }),
    device({ deviceUuid: 'soon', subscriptions: [service('NDS', -1, 20)] })
  ]
  const filterBy = (filter: DeviceFilter) => uuids(find(devices, filter, NOW))
  t.strictSame(filterBy({ service: 'Recover' }), [])
  t.strictSame(filterBy({ service: 'NDS', expires: 7 }), [], 'only the other service expires')
  t.strictSame(filterBy({ service: 'NDS', expires: 30 }), ['soon'])
  t.strictSame(filterBy({ expires: 7 }), ['nds'])
  t.strictSame(filterBy({ expires: 30 }), ['nds', 'soon'])
  t.strictSame(filterBy({ service: 'NDS' }), ['nds', 'soon'])
  t.equal(filterBy({}).length, 4)
  const usage = (...uuids: string[]) => new Map(uuids.map((uuid, at) => [uuid, 100 + at]))
  t.strictSame(filterBy({ usage: usage() }), [])
  t.strictSame(filterBy({ usage: usage('soon', 'none', 'gone'), service: 'NDS' }), ['soon'])
})

t.test('with a usage filter, shows data usage and sorts by usage', async (t) => {
  const devices = ['A', 'B', 'C', 'D'].map((deviceName) => device({ deviceName, deviceUuid: deviceName }))
  const usage = new Map([
    ['A', 101],
    ['B', 340],
    ['D', 101]
  ])
  const list = (order: SortOrder) =>
    find(devices, { usage, sort: 'usagePercent', order }).map(
      ({ deviceName, usagePercent }) => `${deviceName} ${usagePercent}`
    )
  t.strictSame(list('desc'), ['B 340', 'A 101', 'D 101'], 'sorts equal usage by name')
  t.strictSame(list('asc'), ['A 101', 'D 101', 'B 340'])
  t.strictSame(names(find(devices, { sort: 'usagePercent', order: 'desc' })), ['A', 'B', 'C', 'D'])
  t.notOk('usagePercent' in (devices[0] as Device), 'does not change the given devices')
})

t.test('counts a service as expired if no subscription is active or starts later', async (t) => {
  const devices = [
    device({ deviceUuid: 'none' }),
    device({ deviceUuid: 'lasting', subscriptions: [service('NDS', -9, 1)] }),
    device({ deviceUuid: 'renewed', subscriptions: [service('NDS', -9, -1), service('NDS', -1, 9)] }),
    device({ deviceUuid: 'gap', subscriptions: [service('NDS', -9, -1), service('NDS', 1, 9)] }),
    device({ deviceUuid: 'unreadable', subscriptions: [{ ...service('NDS', -9, -1), endDate: 'soon' }] }),
    device({ deviceUuid: 'now', subscriptions: [service('NDS', -9, 0)] }),
    device({ deviceUuid: 'one', subscriptions: [service('Remote', -9, -1), service('NDS', -9, 9)] })
  ]
  const search = (filter: DeviceFilter = {}) => uuids(find(devices, { ...filter, expires: ENDED_DAYS }, NOW))
  t.strictSame(search(), ['now', 'one'])
  t.strictSame(search({ service: 'NDS' }), ['now'])
  t.strictSame(uuids(createDeviceTable(devices).filter({ expires: ENDED_DAYS }, NOW)), ['now', 'one'])
})

t.test('finds the same devices with the index as with a full scan', async (t) => {
  const random = chance(7)
  for (const letters of ['ab', 'abcdefghij', 'aé水😀'].map((word) => [...word])) {
    const text = (maxLength: number) =>
      Array.from({ length: random(maxLength) }, () => letters[random(letters.length)]).join('')
    const devices = Array.from({ length: 2_000 }, (_, index) =>
      device({
        deviceUuid: `u-${index}`,
        ...Object.fromEntries(DEVICE_SEARCHED.map((field) => [field, text(4)]))
      })
    )
    const table = createDeviceTable(devices)
    for (let run = 0; run < 40; run += 1) {
      const q = text(5) || 'a'
      const expected = devices.filter((item) => DEVICE_SEARCHED.some((field) => item[field]?.includes(q)))
      const { items, page } = table.page({ ...EVERYTHING, q, size: 2_000 }, 0)
      t.strictSame(new Set(uuids(items)), new Set(uuids(expected)), q)
      t.equal(page.totalElements, expected.length)
    }
  }
})

t.test('combines project, search, filter and paging', async (t) => {
  const devices = Array.from({ length: 10 }, (_, index) =>
    device({ deviceUuid: `u-${index}`, projectId: index % 2 === 0 ? 'p-1' : null, location: `L ${index}` })
  )
  t.strictSame(uuids(find(devices, { projectId: 'p-2' })), [])
  t.strictSame(uuids(find(devices, { projectId: 'p-1', q: 'l8' })), ['u-8'])
  t.strictSame(uuids(find(devices, { projectId: 'p-1', page: 1, size: 2 })), ['u-4', 'u-6'])
  t.strictSame(uuids(find(devices, { projectId: 'p-1', service: 'NDS' })), [])
})

t.test('prepares an order once for concurrent callers', async (t) => {
  const table = createDeviceTable(Array.from({ length: 3_000 }, (_, at) => device({ deviceUuid: `u-${at}` })))
  const [first, second] = [table.prepare('location', 'asc'), table.prepare('location', 'asc')]
  let [steps, waits] = [0, 0]
  while (!first.next().done) {
    steps += 1
    if (!second.next().done) waits += 1
  }
  t.ok(steps > 3)
  t.equal(waits, steps)
  t.ok(second.next().done)
})

t.test('finds no device by white space, a special character, a location or a project alone', async (t) => {
  const table = createDeviceTable(DEVICES)
  for (const q of ['', ' ', '\t', ...SPECIALS, 'chiller*', 'Pump House', 'Level 12'])
    t.strictSame(table.find(q, 10), { total: 0, items: [] }, q)
})

t.test('finds devices by name, host id or uuid: closest match first, then by name', async (t) => {
  const table = createDeviceTable([
    device({ deviceUuid: 'u-1', deviceName: 'Old AHU-1' }),
    device({ deviceUuid: 'u-2', deviceName: 'AHU-10' }),
    device({ deviceUuid: 'u-3', deviceName: 'AHU-1' }),
    device({ deviceUuid: 'u-4', deviceName: 'AHU-12' }),
    device({ deviceUuid: 'ahu-1', deviceName: 'Zebra' })
  ])
  const find = (q: string, size = 10) =>
    table.find(q, size).items.map(({ match, device: { deviceName } }) => `${match} ${deviceName}`)
  t.strictSame(find('ahu-1'), [
    'whole AHU-1',
    'whole Zebra',
    'start AHU-10',
    'start AHU-12',
    'part Old AHU-1'
  ])
  t.strictSame(find('A H U - 1', 2), ['whole AHU-1', 'whole Zebra'])
  t.match(table.find('ahu-1', 2), { total: 5 })
  t.ok(table.finds('ahu-1'))
  t.notOk(table.finds('ahu-2'))
  t.strictSame(find('JACE-0001', 1), ['part AHU-1'])
  t.strictSame(find('1AHU'), [], 'no match across two fields')
})

t.test('finds a device by words of its name, its project and its customer, in any order', async (t) => {
  const devices = [
    device({ deviceUuid: 'u-1', deviceName: 'AHU-1', projectName: 'East Wing' }),
    device({ deviceUuid: 'u-2', deviceName: 'AHU-2', projectName: 'West Wing' }),
    device({ deviceUuid: 'u-3', deviceName: 'Boiler', projectName: 'East Wing' })
  ]
  const table = createDeviceTable(devices)
  const inHarbour = (q: string) =>
    table.find(q, 10, 'Grand Harbour').items.map(({ device }) => device.deviceUuid)
  t.strictSame(inHarbour('grand harbour ahu'), ['u-1', 'u-2'])
  t.strictSame(inHarbour('ahu EAST grand'), ['u-1'])
  t.strictSame(inHarbour('wing boil'), ['u-3'])
  t.ok(table.finds('harbour boil', 'Grand Harbour'))
  for (const q of ['grand harbour', 'east wing', 'grand east', 'ahu north', 'ahu east*', 'ahu jace'])
    t.strictSame(inHarbour(q), [], q)
  t.strictSame(table.find('harbour ahu', 10).items, [], 'without the customer')
  const eightWords = 'a h u ahu east wing grand harbour'
  t.strictSame(
    [eightWords, `${eightWords} 1`].map(inHarbour),
    [['u-1'], []],
    'searches more than eight words as one text'
  )
  const byWords = (q: string, match?: 'words') => uuids(find(devices, { q, match }))
  t.strictSame(byWords('ahu east', 'words'), ['u-1'])
  t.strictSame(byWords('ahu east'), [], 'searches for one text by default')
  t.strictSame(byWords('east wing', 'words'), ['u-1', 'u-3'], 'also finds whole texts')
})

t.test('with words, finds a device by its whole uuid, but not by a part of it', async (t) => {
  const devices = ['6f1c2d8e-0b7a', '6f1c2d8e-0b7b'].map((deviceUuid) => device({ deviceUuid }))
  const found = (q: string, match?: 'words') => uuids(find(devices, { q, match }))
  t.strictSame(found(' 6F1C2D8E-0B7A', 'words'), ['6f1c2d8e-0b7a'])
  t.strictSame(found('6f1c2d8e', 'words'), [])
  t.strictSame(found('6f1c2d8e-0b7a'), [], 'not by default')
})
