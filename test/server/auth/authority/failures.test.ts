import * as oidc from 'openid-client'
import t from 'tap'
import { isRefusal, isTrouble } from '#server/auth/authority/failures.ts'

const answer = (status: number, error: string) =>
  new oidc.ResponseBodyError('refused', { cause: { error }, response: new Response(null, { status }) })
/** An error that others were caused by, so many times. */
const within = (cause: unknown, times: number): unknown =>
  times === 0 ? cause : new Error('around it', { cause: within(cause, times - 1) })

const TROUBLE: [name: string, error: unknown, trouble: boolean][] = [
  ['nothing', null, false],
  ['a text', 'fetch failed', false],
  ['an error of the code', new TypeError('x is not a function'), false],
  ['400 about the tokens', answer(400, 'invalid_grant'), false],
  ['499 about the tokens', answer(499, 'invalid_grant'), false],
  ['a status that is a text', { status: '500' }, false],
  ['an answer that is none to 400', { code: 'OAUTH_PARSE_ERROR', cause: { status: 400 } }, false],
  ['a failure deeper than it is looked for', within({ status: 503 }, 5), false],
  ['429 about the tokens', answer(429, 'invalid_grant'), true],
  ['500 about the tokens', answer(500, 'invalid_grant'), true],
  ['400 about the client', answer(400, 'invalid_client'), true],
  ['a time-out', new DOMException('too late', 'TimeoutError'), true],
  ['a network that fails', new TypeError('fetch failed'), true],
  ['an answer that breaks off', new TypeError('terminated'), true],
  ['an answer that is none', { code: 'OAUTH_RESPONSE_IS_NOT_JSON', cause: { status: 200 } }, true],
  ['a failure as deep as it is looked for', within({ status: 503 }, 4), true]
]
for (const [name, error, trouble] of TROUBLE)
  t.test(`${name} is ${trouble ? 'trouble that may pass' : 'none that passes'}`, async (t) => {
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
  t.test(`${status} with ${error} is ${refusal ? 'a refusal' : 'no refusal'}`, async (t) => {
    t.equal(isRefusal(answer(status, error)), refusal)
  })

t.test('without an OAuth answer, 400 alone is a refusal', async (t) => {
  const caused = (status: number) => new Error('no answer', { cause: new Response(null, { status }) })
  t.equal(isRefusal(caused(401)), false)
  t.equal(isRefusal(new Error('no answer', { cause: { status: 400 } })), false)
  t.equal(isRefusal(new Error('no answer')), false)
  t.equal(isRefusal(caused(400)), true)
})
