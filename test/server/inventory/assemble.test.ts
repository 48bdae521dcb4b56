import t from 'tap'
import { assemble } from '#server/inventory/assemble.ts'
import type { Project } from '#shared/entities.ts'
import { fetchedDevice as device, owned } from '../../support/fetched.ts'

type Fetched = ReturnType<typeof device>

interface Parts {
  projects?: Project[]
  pages?: Fetched[][]
  subscriptions?: [deviceId: string, offeringCode: string][] | null
}

function assembled({ projects = [], pages = [], subscriptions = [] }: Parts) {
  const { tree, devices, byUuid } = assemble({
    customerId: 'c',
    projects,
    devices: pages.flat(),
    subscriptions: subscriptions?.map(([id, code]) => owned(id, code)) ?? null,
    assembledAt: '2030-01-01T00:00:00.000Z'
  })
  return { json: tree, all: devices, byUuid }
}

t.test('nothing at all is a tree', async (t) => {
  const { json, all } = assembled({})
  t.strictSame(json, {
    customerId: 'c',
    assembledAt: '2030-01-01T00:00:00.000Z',
    partial: [],
    projects: [],
    unassigned: []
  })
  t.strictSame(all, [])
})

t.test('devices of no known project stand apart', async (t) => {
  const { json } = assembled({
    projects: [{ id: 'p', projectName: 'East Wing' }],
    pages: [
      [device('a', 'Gone'), device('b', null), device('c', '')],
      [device('d', 'east wing'), device('e', 'East Wing')]
    ]
  })
  t.strictSame(
    json.unassigned.map(({ id, projectId }) => [id, projectId]),
    [
      ['a', null],
      ['b', null],
      ['c', null],
      ['d', null]
    ]
  )
  t.match(json.projects, [{ id: 'p', devices: [{ id: 'e', projectId: 'p' }] }])
})

t.test('a project without a name is shown, and takes no devices without a project', async (t) => {
  const { json } = assembled({
    projects: [{ id: 'p', projectName: '' }],
    pages: [[device('a', null), device('b', '')]]
  })
  t.strictSame(json.projects, [{ id: 'p', projectName: '', devices: [] }])
  t.equal(json.unassigned.length, 2)
})

t.test('a device that comes twice is shown once; two that are not the same are both shown', async (t) => {
  const { json, byUuid } = assembled({
    pages: [
      [device('a', null), device('b', null)],
      [device('b', null), device('c', null), device('a', null)],
      [device('d', null, { deviceUuid: 'uuid-a' }), device('a', null, { deviceUuid: 'other' })]
    ]
  })
  t.strictSame(
    json.unassigned.map(({ id, deviceUuid }) => `${id} ${deviceUuid}`),
    ['a uuid-a', 'b uuid-b', 'c uuid-c', 'd uuid-a', 'a other']
  )
  t.equal(byUuid.get('uuid-a')?.id, 'a')
})

t.test('devices without an id or uuid are shown', async (t) => {
  const nameless = device('', null, { deviceUuid: '' })
  const { all } = assembled({
    pages: [[nameless, device('', null, { deviceUuid: 'u' }), device('x', null, { deviceUuid: '' })]]
  })
  t.equal(all.length, 3)
})

t.test('services belong to devices by uuid; those of no device are dropped', async (t) => {
  const { json, all } = assembled({
    pages: [[device('a', null), device('b', null)]],
    subscriptions: [
      ['b', 'NDS'],
      ['b', 'Remote'],
      ['gone', 'NDS']
    ]
  })
  t.strictSame(json.partial, [])
  t.strictSame(
    all.map(({ subscriptions }) => subscriptions.map(({ offeringCode }) => offeringCode)),
    [[], ['NDS', 'Remote']]
  )
  t.notOk('deviceUuid' in (all[1]?.subscriptions[0] ?? {}), 'a service does not repeat its device')
})

t.test('without services the rest is still there, and said to miss them', async (t) => {
  const { json, all } = assembled({ pages: [[device('a', null)]], subscriptions: null })
  t.strictSame(json.partial, ['subscriptions'])
  t.strictSame(all[0]?.subscriptions, [])
})

t.test('two projects of one name, or with names of every object, mix nothing up', async (t) => {
  const projects = ['constructor', '__proto__', 'toString'].map((projectName) => ({
    id: projectName,
    projectName
  }))
  const devices = projects.map(({ projectName }) => device(projectName, projectName))
  const { json } = assembled({ projects, pages: [devices] })
  t.strictSame(
    json.projects.map(({ devices }) => devices.length),
    [1, 1, 1]
  )
  const twins = [
    { id: 'p1', projectName: 'Twin' },
    { id: 'p2', projectName: 'Twin' }
  ]
  const split = assembled({ projects: twins, pages: [[device('a', 'Twin')]] }).json.projects
  t.equal(split.flatMap(({ devices }) => devices).length, 1, 'no device is counted twice')
})

t.test('the devices stand in the order of the tree', async (t) => {
  const { json, all } = assembled({
    projects: [
      { id: 'p1', projectName: 'East' },
      { id: 'p2', projectName: 'West' }
    ],
    pages: [[device('a', 'West'), device('b', null), device('c', 'East')], [device('d', 'West')]]
  })
  t.strictSame(
    all.map(({ id }) => id),
    ['c', 'a', 'd', 'b']
  )
  t.strictSame(all, [...json.projects.flatMap(({ devices }) => devices), ...json.unassigned])
})
