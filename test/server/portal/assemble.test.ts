import t from 'tap'
import { assemble, type Fetched } from '#server/portal/assemble.ts'

const device = (id: string, projectName: string | null) => ({
  id,
  deviceUuid: `uuid-${id}`,
  deviceName: id,
  hostId: '',
  location: '',
  projectName,
  systemGuid: '',
  createdDate: null
})
const service = (device: string, offeringCode: string) => ({
  deviceUuid: `uuid-${device}`,
  offeringCode,
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2031-01-01T00:00:00Z'
})
const fetched = (parts: Partial<Fetched>): Fetched => ({
  customerId: 'c',
  projects: [],
  devices: [],
  subscriptions: [],
  assembledAt: '2030-01-01T00:00:00.000Z',
  ...parts
})

t.test('devices of no known project stand apart', async (t) => {
  const devices = [
    device('a', 'Gone'),
    device('b', null),
    device('c', ''),
    device('d', 'east wing'),
    device('e', 'East Wing')
  ]
  const { tree } = assemble(fetched({ projects: [{ id: 'p', projectName: 'East Wing' }], devices }))
  t.strictSame(
    tree.unassigned.map(({ id, projectId }) => [id, projectId]),
    [
      ['a', null],
      ['b', null],
      ['c', null],
      ['d', null]
    ]
  )
  t.match(tree.projects, [{ id: 'p', devices: [{ id: 'e', projectId: 'p' }] }])
})

t.test('services belong to devices by uuid; those of no device are dropped', async (t) => {
  const devices = [device('a', null), device('b', null)]
  const subscriptions = [service('b', 'NDS'), service('b', 'Remote'), service('gone', 'NDS')]
  const { tree, devices: all } = assemble(fetched({ devices, subscriptions }))
  t.strictSame(tree.partial, [])
  t.strictSame(
    all.map(({ subscriptions }) => subscriptions.map(({ offeringCode }) => offeringCode)),
    [[], ['NDS', 'Remote']]
  )
  t.notOk('deviceUuid' in (all[1]?.subscriptions[0] ?? {}), 'a service does not repeat its device')
})

t.test('without services the rest is still there, and said to miss them', async (t) => {
  const { tree, devices } = assemble(fetched({ devices: [device('a', null)], subscriptions: null }))
  t.strictSame(tree.partial, ['subscriptions'])
  t.strictSame(devices[0]?.subscriptions, [])
})

t.test('two projects of one name, or with names of every object, mix nothing up', async (t) => {
  const projects = ['constructor', '__proto__', 'toString'].map((projectName) => ({
    id: projectName,
    projectName
  }))
  const devices = projects.map(({ projectName }) => device(projectName, projectName))
  const { tree } = assemble(fetched({ projects, devices }))
  t.strictSame(
    tree.projects.map(({ devices }) => devices.length),
    [1, 1, 1]
  )
  const twins = [
    { id: 'p1', projectName: 'Twin' },
    { id: 'p2', projectName: 'Twin' }
  ]
  const split = assemble(fetched({ projects: twins, devices: [device('a', 'Twin')] })).tree.projects
  t.equal(split.flatMap(({ devices }) => devices).length, 1, 'no device is counted twice')
})

t.test('ten thousand devices take no more than a moment', async (t) => {
  const projects = Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    projectName: `Project ${index}`
  }))
  const devices = Array.from({ length: 10_000 }, (_, index) => device(`d${index}`, `Project ${index % 1000}`))
  const subscriptions = devices.map(({ id }) => service(id, 'NDS'))
  const begun = performance.now()
  const { tree } = assemble(fetched({ projects, devices, subscriptions }))
  t.ok(performance.now() - begun < 1000)
  t.ok(tree.projects.every(({ devices }) => devices.length === 10))
})
