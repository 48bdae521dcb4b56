import t from 'tap'
import { problems } from '#server/errors.ts'
import type { Bearer, UpstreamClient } from '#server/upstreams/client.ts'
import { fetchAll } from '#server/upstreams/hal.ts'

const bearer: Bearer = { accessToken: async () => 'token', replaceToken: async () => null }

/** A client that knows some pages by path and query. */
function clientOf(pages: Record<string, string>): UpstreamClient {
  return {
    async get(_api: string, path: string) {
      if (pages[path] === undefined) throw problems.notFound()
      return JSON.parse(pages[path])
    }
  } as unknown as UpstreamClient
}

/** The ids of a list. */
async function idsIn(pages: Record<string, string>): Promise<string[]> {
  const all = await fetchAll(clientOf(pages), 'MANAGEMENT', '/list', 'devices', 2, bearer)
  return all.map((item) => (item as { id: string }).id)
}

const FIRST = '/list?page=0&size=2'
const SECOND = '/list?page=1&size=2'
const device = (id: string) => `{"id":"${id}"}`

t.test('a page that is no list is refused', async (t) => {
  for (const text of ['null', '[]', '7', '"text"', '{"_embedded":{"devices":{}}}'])
    await t.rejects(idsIn({ [FIRST]: text }), problems.upstreamGarbled(), text)
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
