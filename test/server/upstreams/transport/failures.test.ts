import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { errorBody } from '#server/upstreams/transport/error-body.ts'
import { answerProblem, upstreamCode } from '#server/upstreams/transport/failures.ts'
import { CODES } from '#shared/messages.ts'

const REFUSAL = { errors: [{ code: 'projectNameExists', title: 'Größe' }] }
const json = Buffer.from(JSON.stringify(REFUSAL))
/** A body that exceeds the limit of a decoded refusal. */
const huge = Buffer.from(JSON.stringify({ ...REFUSAL, filler: ' '.repeat(64 * 1024) }))
const encoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes)
}

t.test('ignores a body that is not a refusal', async (t) => {
  const cases: [name: string, coding: string | undefined, body: Buffer][] = [
    ['not JSON', undefined, Buffer.from('<h1>no</h1>')],
    ['empty', undefined, Buffer.alloc(0)],
    ['truncated', 'gzip', gzipSync(json).subarray(0, -9)],
    ['not in the declared coding', 'gzip', json],
    ['in an unknown coding', 'compress', json],
    ['in a coding named like an object property', 'constructor', json],
    ['in two codings', 'gzip, br', brotliCompressSync(gzipSync(json))],
    ['too long', undefined, huge]
  ]
  for (const [name, code] of Object.entries(encoders)) cases.push([`too long in ${name}`, name, code(huge)])
  for (const [name, coding, body] of cases)
    t.equal(await errorBody({ headers: { 'content-encoding': coding }, body }), null, name)
})

t.test('stops decoding a compression bomb early', async (t) => {
  const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024))
  t.ok(bomb.length < 64 * 1024)
  const before = process.memoryUsage().arrayBuffers
  t.equal(await errorBody({ headers: { 'content-encoding': 'gzip' }, body: bomb }), null)
  t.ok(process.memoryUsage().arrayBuffers - before < 5 * 1024 * 1024)
})

t.test('stops reading an endless body', async (t) => {
  let pieces = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        pieces += 1
        yield Buffer.alloc(16 * 1024)
      }
    })()
  )
  t.equal(await errorBody({ headers: {}, body: endless }), null)
  t.ok(endless.destroyed)
  t.ok(pieces < 50, `${pieces} pieces`)
})

t.test('reads a refusal in every coding, whole or in pieces', async (t) => {
  for (const [coding, body] of [
    [undefined, json],
    ['identity', json],
    ...Object.entries(encoders).map(([name, code]) => [name, code(json)] as const),
    ['GZip', gzipSync(json)]
  ] as const) {
    const headers = { 'content-encoding': coding }
    t.strictSame(await errorBody({ headers, body }), REFUSAL, `${coding}, as a whole`)
    const bytes = Readable.from([...body].map((byte) => Buffer.from([byte])))
    t.strictSame(await errorBody({ headers, body: bytes }), REFUSAL, `${coding}, byte by byte`)
  }
})

const errorsOf = (...codes: unknown[]) => ({ errors: codes.map((code) => ({ code, message: 'm' })) })

t.test('does not forward a malformed code', async (t) => {
  const bodies: unknown[] = [
    null,
    undefined,
    'text',
    7,
    [],
    {},
    { errors: null },
    { errors: 'DUPLICATE' },
    { errors: { code: 'DUPLICATE' } },
    { errors: [null, 'DUPLICATE', 7, []] },
    errorsOf(7, null, {}, ['DUPLICATE'], true),
    errorsOf(''),
    errorsOf('x'.repeat(101)),
    errorsOf('x'.repeat(1_000_000)),
    errorsOf('no such host db-7'),
    errorsOf('a\nb'),
    errorsOf('<script>'),
    { code: 409 },
    { code: 'two words' }
  ]
  for (const body of bodies) t.equal(upstreamCode(body), undefined, JSON.stringify(body)?.slice(0, 60))
})

t.test('forwards the first code that the client knows, or else the first code', async (t) => {
  const cases: [body: unknown, code: string][] = [
    [errorsOf('OTHER'), 'OTHER'],
    [errorsOf('x'.repeat(100)), 'x'.repeat(100)],
    [errorsOf('a.b:c-d_1'), 'a.b:c-d_1'],
    [errorsOf('FIRST', 'SECOND'), 'FIRST'],
    [errorsOf(null, 'not a code', 'SECOND'), 'SECOND'],
    [{ errors: [null, {}, { code: 'THIRD' }] }, 'THIRD'],
    [{ code: 'ALONE' }, 'ALONE'],
    [{ code: 'ALONE', ...errorsOf('LISTED') }, 'LISTED'],
    ...Object.values(CODES).flatMap((code): [unknown, string][] => [
      [errorsOf(code), code],
      [errorsOf('FIRST', code), code],
      [errorsOf(...Array.from({ length: 1_000 }, (_, index) => `E${index}`), code), code],
      [{ code, ...errorsOf('LISTED') }, code]
    ])
  ]
  for (const [body, code] of cases) t.equal(upstreamCode(body), code, JSON.stringify(body).slice(0, 60))
})

t.test('keeps the code of a refusal for every status', async (t) => {
  for (const status of [400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 501, 502, 503, 504, 599]) {
    const { options } = answerProblem(status, errorsOf('first', CODES.duplicateProject))
    t.equal(options.code, CODES.duplicateProject, `${status}`)
    t.equal(answerProblem(status, null).options.code, undefined, `${status} without a body`)
  }
})

t.test('keeps why an upstream refused input, with the fields that it names', async (t) => {
  const cases: [body: unknown, detail: string, errors: object[]][] = [
    [
      { errors: [{ code: 'taken', message: 'The name is reserved', field: 'projectName' }] },
      'The name is reserved.',
      [{ detail: 'The name is reserved', field: 'projectName' }]
    ],
    [
      { errors: [{ message: 'One.' }, { message: 'Two', field: 'points[0].id' }, { message: ' ' }, null, 7] },
      'One. Two.',
      [{ detail: 'One.' }, { detail: 'Two', field: 'points[0].id' }]
    ],
    [{ detail: 'Too late' }, 'Too late.', [{ detail: 'Too late' }]],
    [{ message: 'a\u0000\u202eb' }, 'a b.', [{ detail: 'a b' }]],
    [{ errors: [{ message: 'Bad', field: '<script>' }] }, 'Bad.', [{ detail: 'Bad' }]],
    [{ errors: [{ message: { text: 'object' } }] }, 'The service did not accept this.', []],
    [null, 'The service did not accept this.', []]
  ]
  for (const [body, detail, errors] of cases) {
    const problem = answerProblem(422, body)
    t.match(problem, { status: 422, id: 'upstream_refused' })
    t.strictSame({ detail: problem.options.detail, errors: problem.options.errors }, { detail, errors })
  }
})

t.test('bounds the reasons of a refused input', async (t) => {
  const errors = Array.from({ length: 1_000 }, () => ({ message: 'x'.repeat(10_000), field: 'f' }))
  const { options } = answerProblem(422, { errors })
  t.equal(options.errors?.length, 10)
  t.ok(options.errors?.every(({ detail }) => detail.length <= 201))
})
