import t from 'tap'
import { assemble } from '#server/portal/assemble.ts'
import { deviceLines } from '#server/portal/devices.ts'
import { joinPages, joinSlices } from '#server/portal/fetched.ts'
import { createTurns } from '#server/upstreams/turns.ts'
import type { CustomerTree, Device, Project, Subscription } from '#shared/entities.ts'
import { deviceRecords, subscriptionRecords } from './records.ts'

/** As its upstream gives it. */
interface FetchedDevice extends Omit<Device, 'projectId' | 'subscriptions'> {
  projectName: string | null
}

const turns = createTurns()
const device = (
  id: string,
  projectName: string | null,
  more: Partial<FetchedDevice> = {}
): FetchedDevice => ({
  id,
  deviceUuid: `uuid-${id}`,
  deviceName: id,
  hostId: '',
  location: '',
  projectName,
  systemGuid: '',
  createdDate: null,
  ...more
})
const service = (offeringCode: string): Subscription => ({
  offeringCode,
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2031-01-01T00:00:00Z'
})

interface Parts {
  projects?: Project[]
  pages?: FetchedDevice[][]
  subscriptions?: [deviceId: string, offeringCode: string][] | null
  assembledAt?: string
}

async function assembled({ projects = [], pages = [], subscriptions = [], assembledAt }: Parts) {
  const tree = await assemble(
    {
      customerId: 'c',
      projects,
      devices: joinPages(pages.map(deviceRecords)),
      subscriptions:
        subscriptions &&
        joinSlices([
          subscriptionRecords(
            subscriptions.map(([id, code]) => ({ deviceUuid: `uuid-${id}`, ...service(code) }))
          )
        ]),
      assembledAt: assembledAt ?? '2030-01-01T00:00:00.000Z'
    },
    turns
  )
  const json: CustomerTree = JSON.parse(Buffer.concat([...tree.bytes.chunks]).toString())
  const all = [...json.projects.flatMap(({ devices }) => devices), ...json.unassigned]
  return { tree, json, all }
}

t.test('nothing at all is a tree', async (t) => {
  const { json, tree } = await assembled({})
  t.strictSame(json, {
    customerId: 'c',
    assembledAt: '2030-01-01T00:00:00.000Z',
    partial: [],
    projects: [],
    unassigned: []
  })
  t.equal(tree.rows.count, 0)
  t.equal(tree.bytes.length, JSON.stringify(json).length)
})

t.test('devices of no known project stand apart', async (t) => {
  const { json } = await assembled({
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
  const { json } = await assembled({
    projects: [{ id: 'p', projectName: '' }],
    pages: [[device('a', null), device('b', '')]]
  })
  t.strictSame(json.projects, [{ id: 'p', projectName: '', devices: [] }])
  t.equal(json.unassigned.length, 2)
})

t.test('a device that comes twice is shown once; two that are not the same are both shown', async (t) => {
  const { json, tree } = await assembled({
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
  t.equal(JSON.parse(tree.rows.json(tree.rows.byUuid('uuid-a') ?? -1).toString()).id, 'a')
})

t.test('devices without an id or uuid are shown', async (t) => {
  const nameless = device('', null, { deviceUuid: '' })
  const { all } = await assembled({
    pages: [[nameless, device('', null, { deviceUuid: 'u' }), device('x', null, { deviceUuid: '' })]]
  })
  t.equal(all.length, 3)
})

t.test('services belong to devices by uuid; those of no device are dropped', async (t) => {
  const { json, all } = await assembled({
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
  const { json, all } = await assembled({ pages: [[device('a', null)]], subscriptions: null })
  t.strictSame(json.partial, ['subscriptions'])
  t.strictSame(all[0]?.subscriptions, [])
})

t.test('two projects of one name, or with names of every object, mix nothing up', async (t) => {
  const projects = ['constructor', '__proto__', 'toString'].map((projectName) => ({
    id: projectName,
    projectName
  }))
  const devices = projects.map(({ projectName }) => device(projectName, projectName))
  const { json } = await assembled({ projects, pages: [devices] })
  t.strictSame(
    json.projects.map(({ devices }) => devices.length),
    [1, 1, 1]
  )
  const twins = [
    { id: 'p1', projectName: 'Twin' },
    { id: 'p2', projectName: 'Twin' }
  ]
  const split = (await assembled({ projects: twins, pages: [[device('a', 'Twin')]] })).json.projects
  t.equal(split.flatMap(({ devices }) => devices).length, 1, 'no device is counted twice')
})

t.test('any text survives: quotes, lines, other scripts, halves of characters, and long ones', async (t) => {
  const texts = [
    '"\\\n\r\t\u0000\u2028',
    'Ärzte – 東京 🏢',
    '{"a":1},{"b":2}',
    '\ud83c',
    'x'.repeat(1_500_000),
    ''
  ]
  const devices = texts.map((location, index) => device(`d${index}`, 'Ö "P"', { location }))
  const { json, tree } = await assembled({
    projects: [{ id: '"p"', projectName: 'Ö "P"' }],
    pages: [devices]
  })
  const own = json.projects[0]?.devices ?? []
  t.strictSame(
    own.map(({ location }) => location),
    texts
  )
  t.equal(own[0]?.projectId, '"p"')
  for (let row = 0; row < tree.rows.count; row += 1)
    t.strictSame(JSON.parse(tree.rows.json(row).toString()), own[row], `row ${row}`)
})

t.test('the tag names the data, and not when they were put together', async (t) => {
  const parts: Parts = { pages: [[device('a', null)]], subscriptions: [['a', 'NDS']] }
  const { tag } = (await assembled(parts)).tree
  t.match(tag, /^[\w-]{27}$/)
  const again = await assembled({ ...parts, assembledAt: '2031-01-01T00:00:00.000Z' })
  t.equal(again.tree.tag, tag)
  t.equal(again.json.assembledAt, '2031-01-01T00:00:00.000Z')
  const others: Parts[] = [
    { ...parts, subscriptions: null },
    { ...parts, subscriptions: [] },
    { ...parts, subscriptions: [['a', 'Remote']] },
    { ...parts, pages: [[device('a', 'Gone')]] },
    { ...parts, projects: [{ id: 'p', projectName: 'P' }] },
    { ...parts, pages: [[device('a', null), device('b', null)]] }
  ]
  const tags = await Promise.all(others.map(async (other) => (await assembled(other)).tree.tag))
  t.equal(new Set([tag, ...tags]).size, others.length + 1)
})

t.test('ten thousand devices in a thousand projects, line by line', async (t) => {
  const projects = Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    projectName: `Project ${index}`
  }))
  const devices = Array.from({ length: 10_000 }, (_, index) => device(`d${index}`, `Project ${index % 1000}`))
  const pages = Array.from({ length: 10 }, (_, page) => devices.slice(page * 1000, (page + 1) * 1000))
  const { json, all, tree } = await assembled({
    projects,
    pages,
    subscriptions: devices.map(({ id }) => [id, 'NDS'])
  })
  t.ok(json.projects.every(({ devices }) => devices.length === 10))
  t.ok(tree.projects.every(({ from, to }) => to - from === 10))
  t.ok(all.every(({ subscriptions }) => subscriptions.length === 1))
  const text = Buffer.concat([...deviceLines(tree)]).toString()
  t.strictSame(
    text
      .trimEnd()
      .split('\n')
      .map((line): Device => JSON.parse(line)),
    all
  )
})
