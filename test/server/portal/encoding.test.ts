import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { sendJson } from '#server/portal/encoding.ts'

const textOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
const app = Fastify()
app.get<{ Params: { bytes: string } }>('/:bytes', (request, reply) =>
  sendJson(request, reply, Buffer.from(textOf(Number(request.params.bytes))))
)
t.teardown(() => app.close())
const get = (bytes: number, accepted?: string) =>
  app.inject({ url: `/${bytes}`, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

t.test('nobody gets an encoding that they do not take', async (t) => {
  for (const accepted of [undefined, '', 'identity', 'zstd', 'br;q=0', 'br;q=0, gzip;q=0']) {
    const { headers, body } = await get(4096, accepted)
    t.equal(headers['content-encoding'], undefined, String(accepted))
    t.match(headers, { vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
    t.equal(body, textOf(4096))
  }
})

t.test('what is worth it is sent in an encoding that the caller takes, Brotli before gzip', async (t) => {
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync]
  ] as const) {
    const { headers, rawPayload } = await get(1024, accepted)
    t.equal(headers['content-encoding'], encoding, accepted)
    t.match(headers, { vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
    t.ok(rawPayload.length < 200)
    t.equal(decode(rawPayload).toString(), textOf(1024))
  }
})

t.test('a short answer is sent as it is', async (t) => {
  const { headers, body } = await get(1023, 'br')
  t.equal(headers['content-encoding'], undefined)
  t.equal(headers.vary, 'accept-encoding')
  t.equal(body, textOf(1023))
})
