import t, { type Test } from 'tap'
import { assemble } from '#server/portal/assemble.ts'
import { createDeviceIndex } from '#server/portal/device-index.ts'
import { type DeviceQuery, queryDevices } from '#server/portal/devices.ts'
import { joinPages, joinSlices } from '#server/portal/fetched.ts'
import { createTurns } from '#server/upstreams/turns.ts'
import { DEVICE_SORTS, filterDevices, pageOf, searchDevices, sortDevices } from '#shared/devices.ts'
import type { CustomerTree } from '#shared/entities.ts'
import { deviceRecords, subscriptionRecords } from './records.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const turns = createTurns()

const NAMES = ['AHU-10', 'AHU-2', 'ahu 2', 'Éclair', 'eclair', 'Zone 1', '', '007', '7', 'x_y', 'Ä"<']
const PLACES = ['Roof, level 9', 'roof, LEVEL 9', 'Basement', '']
const PROJECTS = ['East Wing', 'east wing', 'Gone', '', 'West 10', 'West 9']
const SERVICES = ['NDS', 'Remote', 'Recover', 'Other']
const ENDS_DAYS = [-1, 0, 0.5, 6.9, 7, 7.1, 29.9, 30, 30.1, 400]

/** More different hosts than are looked up, and few of everything else. */
const devices = Array.from({ length: 5_000 }, (_, index) => ({
  id: `d-${index}`,
  deviceUuid: `u-${(index * 7919) % 5_000}`,
  deviceName: NAMES[index % NAMES.length] ?? '',
  hostId: index % 10 === 0 ? 'same host' : `Qnx-${(index * 31).toString(36).toUpperCase()}`,
  location: PLACES[index % PLACES.length] ?? '',
  projectName: PROJECTS[index % PROJECTS.length] || null,
  systemGuid: '',
  createdDate: null
}))
const subscriptions = devices.flatMap(({ deviceUuid }, index) =>
  SERVICES.slice(0, index % 5).map((offeringCode, at) => ({
    deviceUuid,
    offeringCode,
    startDate: new Date(NOW + (index % 7 === 0 ? DAY_MS : -DAY_MS)).toISOString(),
    endDate:
      index % 11 === 0
        ? 'never'
        : new Date(
            NOW + (ENDS_DAYS[(index * 3 + at + Math.floor(index / 50)) % ENDS_DAYS.length] ?? 0) * DAY_MS
          ).toISOString()
  }))
)

const tree = await assemble(
  {
    customerId: 'c',
    projects: ['East Wing', 'West 10', 'West 9'].map((projectName) => ({ id: projectName, projectName })),
    devices: joinPages([devices.slice(0, 1000), devices.slice(1000)].map(deviceRecords)),
    subscriptions: joinSlices([subscriptionRecords(subscriptions)]),
    assembledAt: ''
  },
  turns
)
const json: CustomerTree = JSON.parse(Buffer.concat([...tree.bytes.chunks]).toString())
const all = [...json.projects.flatMap((project) => project.devices), ...json.unassigned]
const index = createDeviceIndex(tree.rows, turns)

/** The plain rules of shared/devices.ts over the devices themselves. */
function expected({ projectId, q, service, expires, sort, order, page, size }: DeviceQuery) {
  const own = projectId === undefined ? all : all.filter((device) => device.projectId === projectId)
  const found = filterDevices(searchDevices(own, q), { service, expires }, NOW)
  return { ...pageOf(sortDevices(found, sort, order), page, size), partial: [] }
}

const BASE: DeviceQuery = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 5_000 }
const same = async (t: Test, query: Partial<DeviceQuery>) => {
  const asked = { ...BASE, ...query }
  const answer = JSON.parse((await queryDevices({ tree, index }, asked, NOW)).toString())
  t.strictSame(answer, expected(asked), JSON.stringify(query))
  return answer.page.totalElements as number
}

t.test('every order is that of the rules', async (t) => {
  for (const sort of DEVICE_SORTS)
    for (const order of ['asc', 'desc'] as const) await same(t, { sort, order })
})

t.test('every search finds what the rules find', async (t) => {
  for (const q of [
    'ahu2',
    'AHU 2',
    'e',
    'é',
    '7',
    'same host',
    'qnx',
    'level9',
    'wing',
    '"',
    '<',
    'zzz',
    ' ',
    '_',
    'null'
  ])
    await same(t, { q, sort: 'hostId', size: 50 })
})

t.test('devices are chosen by active services and by the days that are left', async (t) => {
  for (const service of [undefined, 'NDS', 'Remote', 'Recover'] as const) {
    for (const expires of [undefined, 7, 30]) {
      const found = await same(t, { service, expires, size: 100 })
      t.ok(found > 0, `${service} ${expires}`)
    }
  }
})

t.test('project, search, filter and page go together', async (t) => {
  for (const projectId of ['East Wing', 'West 9', 'none', ''])
    await same(t, { projectId, q: 'ahu', service: 'NDS', sort: 'location', order: 'desc', page: 1, size: 7 })
  await same(t, { page: 4_999, size: 1 })
  await same(t, { page: 1e9, size: 1000 })
})

t.test('an index made like another one has its orders', async (t) => {
  const other = createDeviceIndex(tree.rows, turns)
  await other.prepareAs(index)
  t.strictSame(other.made().sort(), index.made().sort())
  const fresh = createDeviceIndex(tree.rows, turns)
  await fresh.prepareAs(createDeviceIndex(tree.rows, turns))
  t.strictSame(fresh.made(), [], 'and none of one that was not asked')
})
