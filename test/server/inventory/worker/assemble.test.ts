import t from 'tap'
import { assemble } from '#server/inventory/worker/assemble.ts'
import { serializeTree } from '#server/inventory/worker/serialize.ts'
import type { CustomerTree, Device, Missing, Project } from '#shared/answers/customers.ts'
import { fetchedDevice as device } from '../../../support/fetched.ts'

interface Parts {
  projects?: Project[]
  devices?: Device[]
  assembledAt?: string
  partial?: Missing[]
}

const assembleParts = ({ projects = [], devices = [], assembledAt = '', partial = [] }: Parts) => {
  const result = assemble({ customerId: 'c', projects, devices, assembledAt })
  return { ...result, tree: { ...result.tree, partial } }
}

async function serialize(parts: Parts) {
  const { tree } = assembleParts(parts)
  const { chunks, bytes, tag } = await serializeTree(tree)
  const text = Buffer.concat(chunks).toString()
  return { tree, json: JSON.parse(text) as CustomerTree, text, bytes, tag, chunks }
}

const ids = (devices: readonly Device[]) => devices.map(({ id }) => id)

t.test('devices without a known project are unassigned', async (t) => {
  const { tree } = assembleParts({
    projects: [{ id: 'p', projectName: 'East Wing' }],
    devices: ['Gone', null, '', 'east wing', 'East Wing'].map((name, at) => device('abcde'.charAt(at), name))
  })
  t.strictSame(ids(tree.unassigned), ['a', 'b', 'c', 'd'])
  t.ok(tree.unassigned.every(({ projectId }) => projectId === null))
  t.match(tree.projects, [{ id: 'p', devices: [{ id: 'e', projectId: 'p' }] }])
})

t.test('a project without a name gets no devices', async (t) => {
  const { tree } = assembleParts({
    projects: [{ id: 'p', projectName: '' }],
    devices: [device('a', null), device('b', '')]
  })
  t.strictSame(tree.projects, [{ id: 'p', projectName: '', devices: [] }])
  t.equal(tree.unassigned.length, 2)
})

t.test('shows a duplicate device once, but shows two devices that have the same uuid', async (t) => {
  const { tree, byUuid } = assembleParts({
    devices: [
      ...['a', 'b', 'b', 'c', 'a'].map((id) => device(id, null)),
      device('d', null, { deviceUuid: 'uuid-a' }),
      device('a', null, { deviceUuid: 'other' })
    ]
  })
  const labels = tree.unassigned.map(({ id, deviceUuid }) => `${id} ${deviceUuid}`)
  t.strictSame(labels, ['a uuid-a', 'b uuid-b', 'c uuid-c', 'd uuid-a', 'a other'])
  t.equal(byUuid.get('uuid-a')?.id, 'a')
})

t.test('shows a duplicate project once, with its devices, but each project without an id', async (t) => {
  const { tree } = assembleParts({
    projects: ['a', 'b', 'a', '', ''].map((id) => ({ id, projectName: `Project ${id}` })),
    devices: [device('d', 'Project a')]
  })
  t.strictSame(
    tree.projects.map((project) => [project.id, ids(project.devices)]),
    [
      ['a', ['d']],
      ['b', []],
      ['', []],
      ['', []]
    ]
  )
})

t.test('shows devices without an id or uuid', async (t) => {
  const noIds = device('', null, { deviceUuid: '' })
  const devices = [device('', null, { deviceUuid: 'u' }), device('x', null, { deviceUuid: '' })]
  t.equal(assembleParts({ devices: [noIds, ...devices] }).devices.length, 3)
})

t.test(
  'a device belongs to the first of several projects of one name, even if an object property has that name',
  async (t) => {
    const names = ['constructor', '__proto__', 'toString', 'Twin', 'Twin']
    const { tree } = assembleParts({
      projects: names.map((projectName, at) => ({ id: `p${at}`, projectName })),
      devices: names.slice(0, 4).map((name) => device(name, name))
    })
    t.equal(tree.projects.map(({ devices }) => devices.length).join(), '1,1,1,0,1')
  }
)

t.test('devices are in the order of the tree', async (t) => {
  const { tree, devices } = assembleParts({
    projects: ['East', 'West'].map((projectName) => ({ id: projectName, projectName })),
    devices: [device('a', 'West'), device('b', null), device('c', 'East'), device('d', 'West')]
  })
  t.strictSame(ids(devices), ['c', 'a', 'd', 'b'])
  t.strictSame(devices, [...tree.projects.flatMap((project) => project.devices), ...tree.unassigned])
})

t.test('serializes any text: quotes, line breaks, any script, unpaired surrogates, long texts', async (t) => {
  const specialTexts = ['"\\\n\r\t\u0000\u2028', 'Ärzte – 東京 🏢', '{"a":1},{"b":2}', '\ud83c']
  const texts = [...specialTexts, 'x'.repeat(1_500_000), '']
  for (const projects of [[], [{ id: '"p"', projectName: 'Ö "P"' }]]) {
    const { tree, text, bytes } = await serialize({
      projects,
      devices: texts.map((location, index) => device(`d${index}`, 'Ö "P"', { location }))
    })
    t.ok(text === JSON.stringify(tree))
    t.equal(bytes, Buffer.byteLength(text))
  }
  const { tree, text } = await serialize({})
  t.equal(text, JSON.stringify(tree), 'an empty tree')
})

t.test('the tag depends on the data, and not on the time of assembly', async (t) => {
  const { tag } = await serialize({ devices: [device('a', null)] })
  t.match(tag, /^[\w-]{27}$/)
  const laterTree = await serialize({ devices: [device('a', null)], assembledAt: '2031-01-01T00:00:00.000Z' })
  t.equal(laterTree.tag, tag)
  t.equal(laterTree.json.assembledAt, '2031-01-01T00:00:00.000Z')
  const subscribedDevice = device('a', null)
  subscribedDevice.subscriptions.push({ offeringCode: 'NDS', startDate: '', endDate: '' })
  const variants: Parts[] = [
    { devices: [device('a', null)], partial: ['subscriptions'] },
    { devices: [subscribedDevice] },
    { devices: [device('a', 'Gone')] },
    { devices: [device('a', null)], projects: [{ id: 'p', projectName: 'P' }] },
    { devices: [device('a', null), device('b', null)] }
  ]
  const tags = await Promise.all(variants.map(async (variant) => (await serialize(variant)).tag))
  t.equal(new Set([tag, ...tags]).size, variants.length + 1)
})
