import t from 'tap'
import { answerProblem, upstreamCode } from '#server/upstreams/transport/failures.ts'
import { CODES } from '#shared/messages.ts'

const listed = (...codes: unknown[]) => ({ errors: codes.map((code) => ({ code, message: 'm' })) })

t.test('what is no code is not told', async (t) => {
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
    listed(7, null, {}, ['DUPLICATE'], true),
    listed(''),
    listed('x'.repeat(101)),
    listed('x'.repeat(1_000_000)),
    listed('no such host db-7'),
    listed('a\nb'),
    listed('<script>'),
    { code: 409 },
    { code: 'two words' }
  ]
  for (const body of bodies) t.equal(upstreamCode(body), undefined, JSON.stringify(body)?.slice(0, 60))
})

t.test('of an error list the code that screens know is told, else the first', async (t) => {
  const cases: [body: unknown, code: string][] = [
    [listed('OTHER'), 'OTHER'],
    [listed('x'.repeat(100)), 'x'.repeat(100)],
    [listed('a.b:c-d_1'), 'a.b:c-d_1'],
    [listed('FIRST', 'SECOND'), 'FIRST'],
    [listed(null, 'not a code', 'SECOND'), 'SECOND'],
    [{ errors: [null, {}, { code: 'THIRD' }] }, 'THIRD'],
    [{ code: 'ALONE' }, 'ALONE'],
    [{ code: 'ALONE', ...listed('LISTED') }, 'LISTED'],
    ...Object.values(CODES).flatMap((code): [unknown, string][] => [
      [listed(code), code],
      [listed('FIRST', code), code],
      [listed(...Array.from({ length: 1_000 }, (_, index) => `E${index}`), code), code],
      [{ code, ...listed('LISTED') }, code]
    ])
  ]
  for (const [body, code] of cases) t.equal(upstreamCode(body), code, JSON.stringify(body).slice(0, 60))
})

t.test('whatever the status, a refusal keeps its code', async (t) => {
  for (const status of [400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 501, 502, 503, 504, 599]) {
    const { options } = answerProblem(status, listed('first', CODES.duplicateProject))
    t.equal(options.code, CODES.duplicateProject, `${status}`)
    t.equal(answerProblem(status, null).options.code, undefined, `${status} without a body`)
  }
})
