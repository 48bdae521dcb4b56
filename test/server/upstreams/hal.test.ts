import t from 'tap'
import { problems } from '#server/errors.ts'
import type { Bearer } from '#server/upstreams/bodies.ts'
import type { UpstreamClient } from '#server/upstreams/client.ts'
import { fetchAll, fetchRecords, type List } from '#server/upstreams/hal.ts'
import { deviceReader } from '#server/upstreams/inventory.ts'

const LIST: List = { api: 'MANAGEMENT', path: '/list', rel: 'devices', size: 2 }
const bearer: Bearer = { accessToken: async () => 'token', replaceToken: async () => null }

/** A client that knows some pages by path and query. */
function clientOf(pages: Record<string, string>): UpstreamClient {
  return {
    getBytes: async (_api: string, path: string, _bearer: Bearer, read: (chunks: Buffer[]) => unknown) => {
      if (pages[path] === undefined) throw problems.notFound()
      return read([Buffer.from(pages[path])])
    }
  } as unknown as UpstreamClient
}

/** The ids of a list, read as records and as objects. */
async function idsIn(pages: Record<string, string>): Promise<string[]> {
  const client = clientOf(pages)
  const records = await fetchRecords(client, LIST, bearer, deviceReader())
  const ids = records.flatMap(({ json: { bytes, starts, ends } }) =>
    Array.from(starts, (start, at): string => JSON.parse(bytes.toString('utf8', start, ends[at])).id)
  )
  const { api, path, rel, size } = LIST
  const all = await fetchAll(client, api, path, rel, size, bearer)
  t.strictSame(
    ids,
    all.map((item) => (item as { id: string }).id)
  )
  return ids
}

const FIRST = '/list?page=0&size=2'
const SECOND = '/list?page=1&size=2'
const device = (id: string) => `{"id":"${id}"}`

t.test('a page that is no list is refused', async (t) => {
  const texts = [
    '',
    'null',
    '[]',
    '<!doctype html>',
    '{"_embedded":{"devices":{}}}',
    '{"_embedded":{"devices":null,"devices":"a"}}',
    `{"_embedded":{"devices":[${device('a')}]}`,
    `{"_embedded":{"devices":[${device('a')}]},}`,
    `{"_embedded":{"devices":[${device('a')}`,
    `{"_embedded":{"devices":[${device('a')}],"devices":[${device('b')}]}}`,
    `{"_embedded":{"devices":[${device('a')}]},"_embedded":{"devices":[${device('b')}]}}`
  ]
  for (const text of texts)
    await t.rejects(
      fetchRecords(clientOf({ [FIRST]: text }), LIST, bearer, deviceReader()),
      problems.upstreamGarbled(),
      text
    )
})

t.test('a list without items may lack them altogether', async (t) => {
  for (const text of ['{}', '{"_embedded":{}}', '{"_embedded":{"devices":[]}}', '{"page":{"totalPages":0}}'])
    t.strictSame(await idsIn({ [FIRST]: text }), [], text)
})

t.test('what stands around the items, and in which order, is all the same', async (t) => {
  const second = `\n{ "page" : { "totalPages" : 2 } ,\n "_embedded" : { "other" : [ 1 ], "\\u0064evices" : [ ${device('c')} ] } }\n`
  const first = `{"_embedded":{"devices":[${device('a')},${device('b')}],"more":{"devices":[1]}},"page":{"totalPages":2}}`
  t.strictSame(await idsIn({ [FIRST]: first, [SECOND]: second }), ['a', 'b', 'c'])
})

t.test('where the number of pages is not told, links are followed, each once', async (t) => {
  const linked = (id: string, next: string) =>
    `{"_links":{"next":{"href":"${next}"}},"_embedded":{"devices":[${device(id)}]}}`
  const pages = {
    [FIRST]: linked('a', 'https://elsewhere.example/next?of=a'),
    '/next?of=a': linked('b', '/next?of=b'),
    '/next?of=b': linked('c', '/next?of=a')
  }
  t.strictSame(await idsIn(pages), ['a', 'b', 'c'])
})
