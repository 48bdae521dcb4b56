import t from 'tap'
import { assemble } from '#server/inventory/assemble.ts'
import { serializeTree } from '#server/inventory/serialize.ts'
import type { CustomerTree, Device, Project } from '#shared/entities.ts'
import { fetchedDevice as device, owned } from '../../support/fetched.ts'

interface Parts {
  projects?: Project[]
  devices?: () => Device[]
  subscriptions?: [deviceId: string, offeringCode: string][] | null
  assembledAt?: string
}

async function serialized({
  projects = [],
  devices = () => [],
  subscriptions = [],
  assembledAt = ''
}: Parts) {
  const { tree } = assemble({
    customerId: 'c',
    projects,
    devices: devices(),
    subscriptions: subscriptions?.map(([id, code]) => owned(id, code)) ?? null,
    assembledAt
  })
  const { chunks, bytes, tag } = await serializeTree(tree)
  const text = Buffer.concat(chunks).toString()
  const json: CustomerTree = JSON.parse(text)
  return { tree, json, text, bytes, tag, chunks }
}

t.test('nothing at all is a tree', async (t) => {
  const { tree, text, bytes } = await serialized({})
  t.equal(text, JSON.stringify(tree))
  t.equal(bytes, text.length)
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
  const { json, tree, text, bytes } = await serialized({
    projects: [{ id: '"p"', projectName: 'Ö "P"' }],
    devices: () => texts.map((location, index) => device(`d${index}`, 'Ö "P"', { location }))
  })
  t.strictSame(
    json.projects[0]?.devices.map(({ location }) => location),
    texts
  )
  t.equal(json.projects[0]?.devices[0]?.projectId, '"p"')
  t.equal(text, JSON.stringify(tree))
  t.equal(bytes, Buffer.byteLength(text))
})

t.test('ten thousand devices in a thousand projects, and some in none, in many chunks', async (t) => {
  const projects = Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    projectName: `Project ${index}`
  }))
  const ids = Array.from({ length: 10_000 }, (_, index) => `d${index}`)
  const { tree, text, chunks } = await serialized({
    projects,
    devices: () => ids.map((id, index) => device(id, `Project ${index % 1001}`)),
    subscriptions: ids.map((id) => [id, 'NDS'])
  })
  t.ok(chunks.length > 5)
  t.ok(text === JSON.stringify(tree), 'as it would be written in one piece')
  t.equal(tree.unassigned.length, 9)
})

t.test('the tag names the data, and not when they were put together', async (t) => {
  const parts: Parts = { devices: () => [device('a', null)], subscriptions: [['a', 'NDS']] }
  const { tag } = await serialized(parts)
  t.match(tag, /^[\w-]{27}$/)
  const again = await serialized({ ...parts, assembledAt: '2031-01-01T00:00:00.000Z' })
  t.equal(again.tag, tag)
  t.equal(again.json.assembledAt, '2031-01-01T00:00:00.000Z')
  const others: Parts[] = [
    { ...parts, subscriptions: null },
    { ...parts, subscriptions: [] },
    { ...parts, subscriptions: [['a', 'Remote']] },
    { ...parts, devices: () => [device('a', 'Gone')] },
    { ...parts, projects: [{ id: 'p', projectName: 'P' }] },
    { ...parts, devices: () => [device('a', null), device('b', null)] }
  ]
  const tags = await Promise.all(others.map(async (other) => (await serialized(other)).tag))
  t.equal(new Set([tag, ...tags]).size, others.length + 1)
})
