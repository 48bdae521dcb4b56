import * as oidc from 'openid-client'
import t from 'tap'
import { createCircuit } from '#server/auth/authority/circuit.ts'
import { isRefusal, isTrouble } from '#server/auth/authority/failures.ts'
import { signInFailure } from '#server/auth/sign-in/failures.ts'
import { problems } from '#server/errors.ts'

const answer = (status: number, error: string) =>
  new oidc.ResponseBodyError('refused', { cause: { error }, response: new Response(null, { status }) })
const wrap = (cause: unknown, times: number): unknown =>
  times === 0 ? cause : new Error('a wrapper', { cause: wrap(cause, times - 1) })

const TROUBLE: [name: string, error: unknown, trouble: boolean][] = [
  ['null', null, false],
  ['a string', 'fetch failed', false],
  ['a bug', new TypeError('x is not a function'), false],
  ['400 invalid_grant', answer(400, 'invalid_grant'), false],
  ['499 invalid_grant', answer(499, 'invalid_grant'), false],
  ['a status that is a string', { status: '500' }, false],
  ['a 400 that is not an OAuth answer', { code: 'OAUTH_PARSE_ERROR', cause: { status: 400 } }, false],
  ['a cause deeper than the limit', wrap({ status: 503 }, 5), false],
  ['429 invalid_grant', answer(429, 'invalid_grant'), true],
  ['500 invalid_grant', answer(500, 'invalid_grant'), true],
  ['400 invalid_client', answer(400, 'invalid_client'), true],
  ['a timeout', new DOMException('too late', 'TimeoutError'), true],
  ['a failed connection', new TypeError('fetch failed'), true],
  ['a truncated answer', new TypeError('terminated'), true],
  ['a 200 that is not an OAuth answer', { code: 'OAUTH_RESPONSE_IS_NOT_JSON', cause: { status: 200 } }, true],
  ['a cause at the limit', wrap({ status: 503 }, 4), true]
]
for (const [name, error, trouble] of TROUBLE)
  t.test(`${name} is ${trouble ? 'temporary' : 'not temporary'}`, async (t) => {
    t.equal(isTrouble(error), trouble)
  })

const REFUSALS: [status: number, error: string, refusal: boolean][] = [
  [399, 'invalid_grant', false],
  [429, 'invalid_grant', false],
  [500, 'invalid_grant', false],
  [400, 'invalid_client', false],
  [400, 'slow_down', false],
  [400, 'invalid_grant', true],
  [499, 'invalid_grant', true]
]
for (const [status, error, refusal] of REFUSALS)
  t.test(`${status} with ${error} is ${refusal ? 'a refusal' : 'not a refusal'}`, async (t) => {
    t.equal(isRefusal(answer(status, error)), refusal)
  })

t.test('an answer without an OAuth error is a refusal only with status 400', async (t) => {
  const errorWith = (status: number) => new Error('no answer', { cause: new Response(null, { status }) })
  t.equal(isRefusal(errorWith(401)), false)
  t.equal(isRefusal(new Error('no answer', { cause: { status: 400 } })), false)
  t.equal(isRefusal(new Error('no answer')), false)
  t.equal(isRefusal(errorWith(400)), true)
})

t.test('allows one call a second while the authority hangs', async (t) => {
  let now = 0
  const circuit = createCircuit(() => now)
  const tries = () => [circuit.mayTry(), circuit.mayTry(), circuit.mayTry()]
  const hang = () =>
    circuit.run(() => Promise.reject(new DOMException('too late', 'TimeoutError'))).catch(() => {})
  t.strictSame(tries(), [true, true, true])
  await hang()
  t.strictSame(tries(), [false, false, false])
  now = 999
  await hang()
  t.strictSame(tries(), [false, false, false])
  now = 1_000
  t.strictSame(tries(), [true, false, false])
  now = 2_000
  t.strictSame(tries(), [true, false, false], 'allows another call after another second')
  now = 0
  t.strictSame(tries(), [true, false, false], 'also after the clock was set back')
  await circuit.run(() => Promise.reject(new Error('refused'))).catch(() => {})
  t.strictSame(tries(), [true, true, true])
})

t.test('names the cause of a failed sign-in', async (t) => {
  const timeout = new DOMException('too late', 'TimeoutError')
  const cases: [name: string, error: unknown, outcome: string, by: string][] = [
    ['a person who declines', { error: 'access_denied' }, 'denied', 'authority'],
    ['a failed authority', { error: 'server_error' }, 'failed', 'authority'],
    ['an unknown code', { error: 'no_such_error' }, 'refused', 'gateway'],
    ['a 401', new Error('no', { cause: { status: 401 } }), 'misconfigured', 'authority'],
    ['a wrong scope', { error: 'invalid_scope' }, 'misconfigured', 'authority'],
    ['a timeout', problems.authorityUnavailable(timeout), 'slow', 'authority'],
    ['an unreachable authority', problems.authorityUnavailable(null), 'unavailable', 'authority'],
    ['an unreachable session store', problems.storeUnavailable(null), 'unavailable', 'session-store'],
    ['a slow API', problems.upstreamTimeout(null), 'slow', 'management-api'],
    ['a refusal of the API', problems.forbidden(), 'refused', 'management-api']
  ]
  for (const [name, error, outcome, by] of cases) t.match(signInFailure(error), { outcome, by }, name)
})
