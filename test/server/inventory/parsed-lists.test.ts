import { gzipSync } from 'node:zlib'
import t from 'tap'
import { problems } from '#server/errors.ts'
import { createParsedLists, type ParsedLists } from '#server/inventory/parsed-lists.ts'
import { piecesOf } from '../../support/fetched.ts'

const MEMORY = 64 * 2 ** 20
const started = (memory = MEMORY, held = 0) =>
  createParsedLists(
    memory,
    () => held,
    () => false
  )

t.test('what is no list is refused', async (t) => {
  const lists = started()
  const garbled = problems.upstreamGarbled()
  for (const body of ['', '<h1>', '[', 'null', '[]', '{"_embedded":{"devices":{}}}'])
    t.throws(() => lists.page({ id: 1, rel: 'devices', pieces: piecesOf(body) }), garbled, body)
  for (const body of ['', '<h1>', '[', 'null', '{}'])
    t.throws(() => lists.subscriptions({ id: 1, pieces: piecesOf(body) }), garbled, body)
})

t.test(
  'characters that are cut in two by pieces are whole again; a byte order mark is passed over',
  async (t) => {
    const lists = started()
    const list = '\ufeff[{"deviceUuid":"東京 🏢"}]'
    t.equal(lists.subscriptions({ id: 1, pieces: piecesOf(list, 1) }), 0)
  }
)

t.test('a compressed list is read as any other, but none that is cut off or too long', async (t) => {
  const zipped = (body: string | Buffer, cut = 0) => {
    const bytes = gzipSync(body)
    return { id: 1, isGzip: true, pieces: [new Uint8Array(bytes.subarray(0, bytes.length - cut)).buffer] }
  }
  const lists = started()
  for (const given of [
    zipped('[]', 9),
    zipped('[', 0),
    { id: 1, isGzip: true, pieces: piecesOf('[]') },
    zipped(Buffer.alloc(128 * 2 ** 20 + 1, ' '))
  ])
    t.throws(() => lists.subscriptions(given), problems.upstreamGarbled())
  const list = JSON.stringify([{ deviceUuid: 'x'.repeat(100_000) }])
  t.equal(lists.subscriptions(zipped(list)), 0)
  t.throws(() => started(8 * list.length - 1).subscriptions(zipped(list)), problems.inventoryUnavailable())
  t.equal(started(8 * list.length).subscriptions(zipped(list)), 0, 'its length decides, not what it came as')
})

t.test('what there is no memory for is refused, at the limit and until something is released', async (t) => {
  const pieces = () => piecesOf([{ deviceUuid: 'x'.repeat(1000) }], 2 ** 20)
  const unit = pieces()[0]?.byteLength ?? 0
  const read = (lists: ParsedLists, id = 1) => lists.subscriptions({ id, pieces: pieces() })
  const full = problems.inventoryUnavailable()
  t.throws(() => read(started(8 * unit - 1)), full)
  t.equal(read(started(8 * unit)), 0)
  t.throws(() => read(started(10 * unit, unit + 1)), full, 'beside what is held')
  t.equal(read(started(10 * unit, unit)), 0)
  const lists = started(10 * unit)
  t.equal(read(lists, 1), 0)
  t.equal(read(lists, 2), 0, 'what was read before takes two of ten parts')
  t.throws(() => read(lists, 3), full)
  lists.release(1)
  t.equal(read(lists, 3), 0)
})

t.test('parts come in the order of their lists, and once', async (t) => {
  const lists = started()
  const page = (...ids: string[]) =>
    lists.page({
      id: 1,
      rel: 'devices',
      pieces: piecesOf({ _embedded: { devices: ids.map((id) => ({ id })) } })
    })
  const [second, first] = [page('c'), page('a', 'b')]
  const order = { projects: [], devices: [first.part, second.part], subscriptions: null }
  const { devices, projects, subscriptions } = lists.take(1, order)
  t.strictSame([devices.map(({ id }) => id), projects, subscriptions], [['a', 'b', 'c'], [], null])
  t.throws(() => lists.take(1, order), problems.inventoryUnavailable())
})

t.test('where a list goes on is told with each page', async (t) => {
  const page = (body: object) => started().page({ id: 1, rel: 'projects', pieces: piecesOf(body) })
  t.match(page({}), { totalPages: 0, next: null })
  t.match(page({ page: { totalPages: 7 }, _links: { next: { href: 'https://elsewhere.example/a?b=c' } } }), {
    totalPages: 7,
    next: '/a?b=c'
  })
})
