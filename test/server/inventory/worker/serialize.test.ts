// A serialized tree as callers receive it.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { cookiesOf } from '../../../support/visits.ts'

const TREE = `/api/portal/v1/customers/${NOTABLE.northwind}/tree`

const portal = await startPortal(t)
const cookie = await cookiesOf(await portal.as('customer.user'))

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** Returns the compressed bytes, which fetch would decompress. */
function get(headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const allHeaders = { cookie, 'x-portal-csrf': '1', ...headers }
    request(portal.url + TREE, { headers: allHeaders, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) })
      )
    })
      .once('error', reject)
      .end()
  })
}

const answer = await get()

t.test('compresses the tree in an encoding that the caller accepts', async (t) => {
  const cases: [accepts: string, encoding: 'br' | 'gzip' | undefined][] = [
    ['', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['gzip, br', 'br']
  ]
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [accepts, encoding] of cases) {
    const { headers, bytes } = await get({ 'accept-encoding': accepts })
    t.equal(headers['content-encoding'], encoding, accepts)
    t.match(headers.vary, /accept-encoding/)
    t.ok((encoding ? unpack[encoding](bytes) : bytes).equals(answer.bytes), `${accepts}: the same tree`)
    if (encoding) t.ok(bytes.length < answer.bytes.length / 4, `${accepts}: at most a quarter`)
  }
})

t.test('answers 304 for an unchanged tag', async (t) => {
  const tags = new Set<unknown>()
  for (const encoding of ['', 'gzip', 'br']) {
    const first = await get({ 'accept-encoding': encoding })
    const { etag } = first.headers
    t.match(etag, /^"[\w-]+"$/)
    tags.add(etag)
    const cachedAnswer = await get({ 'accept-encoding': encoding, 'if-none-match': String(etag) })
    t.equal(cachedAnswer.status, 304)
    t.equal(cachedAnswer.bytes.length, 0)
    t.equal(cachedAnswer.headers.etag, etag)
    t.equal(cachedAnswer.headers['cache-control'], 'private, no-cache')
    t.match(cachedAnswer.headers.vary, /accept-encoding/)
    for (const otherTag of ['"other"', String(etag).slice(1, -1), ''])
      t.equal((await get({ 'accept-encoding': encoding, 'if-none-match': otherTag })).status, 200, otherTag)
  }
  t.equal(tags.size, 3, 'each encoding has its own tag')
})
