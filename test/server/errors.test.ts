import Fastify from 'fastify'
import pino from 'pino'
import t from 'tap'
import { handleError, Problem, problems, sendProblem } from '#server/errors.ts'
import type { Problem as ProblemBody } from '#shared/answers/portal.ts'

const PRIVATE = 'connect ECONNREFUSED 10.1.2.3:6379'

async function answerTo(failure: () => unknown, url = '/') {
  const logged: string[] = []
  const app = Fastify({
    loggerInstance: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  app.get('/', async () => {
    throw failure()
  })
  const schema = { querystring: { type: 'object', properties: { size: { type: 'integer' } } } }
  app.get('/validated', { schema }, async () => 'fine')
  app.post('/body', { bodyLimit: 10 }, async () => 'fine')
  const response = await app.inject(url.startsWith('POST ') ? bodyCall(url) : { url })
  await app.close()
  const lines = logged
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => !/^(?:incoming|request completed)/.test(msg))
  return { response, body: response.json<ProblemBody>(), logged: lines }
}

function bodyCall(url: string) {
  const [, type = '', payload = ''] = url.split(' ')
  return { method: 'POST' as const, url: '/body', payload, headers: { 'content-type': type } }
}

t.test('answers an unexpected failure with a generic 500 and logs it', async (t) => {
  const failures: [name: string, failure: () => unknown][] = [
    ['an error', () => new Error(PRIVATE)],
    ['a type error', () => new TypeError(PRIVATE)],
    ['an error with a status', () => Object.assign(new Error(PRIVATE), { statusCode: 503 })],
    ['a string', () => PRIVATE],
    ['an object', () => ({ message: PRIVATE })]
  ]
  for (const [name, failure] of failures) {
    const { response, body, logged } = await answerTo(failure)
    t.equal(response.statusCode, 500, name)
    t.match(response.headers, {
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store'
    })
    t.strictSame(Object.keys(body), ['type', 'title', 'status', 'detail', 'requestId'])
    t.match(body, { type: 'urn:portal:problem:internal', title: 'Something went wrong', status: 500 })
    t.notMatch(response.body, /ECONNREFUSED|10\.1\.2\.3|stack|\.ts|Error/, name)
    t.match(logged, [{ level: 50, msg: 'unexpected failure' }])
    t.match(JSON.stringify(logged), 'ECONNREFUSED')
  }
})

t.test('answers refusals of the framework as problems, without logging them', async (t) => {
  const cases: [url: string, status: number, detail: RegExp][] = [
    ['/nowhere', 404, /nothing at this address/],
    ['/validated?size=x', 400, /size must be integer/],
    ['POST application/json {broken', 400, /could not be understood/],
    ['POST application/json {"x":"12345678901234567890"}', 413, /larger than any call needs/],
    ['POST application/xml <x/>', 415, /Send JSON/]
  ]
  for (const [url, status, detail] of cases) {
    const { response, body, logged } = await answerTo(() => new Error(), url)
    t.equal(response.statusCode, status, url)
    t.match(response.headers['content-type'], 'application/problem+json')
    t.match(body, { status, detail, requestId: /./ })
    t.strictSame(logged, [])
  }
})

t.test('gives each known failure its status, id and Retry-After, and logs only 5xx', async (t) => {
  const cases: [problem: Problem, status: number, id: string][] = [
    [problems.badRequest('Because.'), 400, 'bad_request'],
    [problems.notSignedIn(), 401, 'not_signed_in'],
    [problems.forbidden(), 403, 'forbidden'],
    [problems.notFound(), 404, 'not_found'],
    [problems.clientGone(), 499, 'client_gone'],
    [problems.upstreamGarbled(PRIVATE), 502, 'upstream_garbled'],
    [problems.storeUnavailable(PRIVATE), 503, 'session_store_unavailable'],
    [problems.authorityUnavailable(PRIVATE), 503, 'authority_unavailable'],
    [problems.upstreamBusy(), 503, 'upstream_busy'],
    [problems.upstreamUnreachable(PRIVATE), 503, 'upstream_unreachable'],
    [problems.upstreamTimeout(PRIVATE), 504, 'upstream_timeout']
  ]
  for (const [problem, status, id] of cases) {
    const { response, body, logged } = await answerTo(() => problem)
    t.equal(response.statusCode, status, id)
    t.match(body, { type: `urn:portal:problem:${id}`, title: /./, status, detail: /./, requestId: /./ })
    t.notMatch(response.body, 'ECONNREFUSED')
    t.equal(response.headers['retry-after'] !== undefined, status === 503, `${id}: Retry-After`)
    t.equal(logged.length, status >= 500 ? 1 : 0, `${id}: log`)
  }
})

t.test('truncates a detail and removes its control characters', async (t) => {
  for (const status of [400, 403, 404, 409, 500]) {
    const { response, body } = await answerTo(
      () => new Problem(status, 'refused', { detail: `There is no ${'x'.repeat(1_000_000)}\r\n\u202e.` })
    )
    t.equal(body.detail, `There is no ${'x'.repeat(488)}…`)
    t.ok(response.body.length < 1_000)
  }
  const whole = await answerTo(() => problems.badRequest('y'.repeat(500)))
  t.equal(whole.body.detail, 'y'.repeat(500))
  const forged = await answerTo(() => problems.badRequest('a\u0000\u2028b'))
  t.equal(forged.body.detail, 'a b')
})
