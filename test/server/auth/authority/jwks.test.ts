// Known keys stay valid while the authority's keys are unavailable or have changed.

import type { ServerMetadata } from 'openid-client'
import t from 'tap'
import { createVerifyJwt } from '#server/auth/authority/jwks.ts'
import { LIMITS } from '#server/http/limits.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { type Answer, json, signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { type Forgery, random, type SigningKey } from '../../../support/fake-tokens.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'

const ME = '/api/v2/management/myUser'

const fake = await startFakeAuthority(t)
const sandbox = await openSandbox(t)
const foreignKey = fake.newKey()
t.afterEach(() => fake.reset())

const time = { now: Date.now() }
const seconds = () => Math.floor(time.now / 1000)
const portalNow = () => startPortal(t, { env: fake.env, startedSandbox: sandbox, clock: () => time.now })
const tokenOf = (forgery?: Forgery) => fake.accessToken({ iat: seconds(), exp: seconds() + 300 }, forgery)

async function call({ url }: Portal, token: string): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await fetch(url + ME, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

const unknownKey = () => tokenOf({ key: { ...foreignKey, kid: random() } })
const INVALID: [name: string, make: () => string, status: 401 | 503][] = [
  ['an unknown key id', () => unknownKey(), 503],
  ['an unused algorithm', () => tokenOf({ header: { alg: 'ES256', kid: undefined } }), 503],
  ['no key id and a foreign key', () => tokenOf({ key: foreignKey, header: { kid: undefined } }), 401],
  ['our key id and a foreign key', () => tokenOf({ key: { ...foreignKey, kid: ourKey().kid } }), 401],
  ['no signature', () => tokenOf({ signature: 'empty' }), 401],
  ['a header that is not JSON', () => `${random()}.${random()}.${random()}`, 401],
  ['a key id of another type', () => tokenOf({ header: { kid: 7 } }), 503]
]

function ourKey(): SigningKey {
  const [key] = fake.keys
  if (key === undefined) throw new Error('the authority has no key')
  return key
}

const UNAVAILABLE_KEYS: Record<string, Answer> = {
  'answers 500': (_request, response) => json(response, 500, {}),
  'closes the connection': (_request, response) => response.destroy(),
  'has no keys': (_request, response) => json(response, 200, { keys: [] }),
  'has symmetric keys': (_request, response) => json(response, 200, { keys: [{ kty: 'oct', k: 'AAAA' }] }),
  'has no key set': (_request, response) => json(response, 200, { a: 1 })
}

for (const [failure, keys] of Object.entries(UNAVAILABLE_KEYS)) {
  t.test(`accepts valid tokens despite invalid tokens while the key endpoint ${failure}`, async (t) => {
    const portal = await portalNow()
    t.equal((await call(portal, tokenOf())).status, 200)
    time.now += 31_000
    fake.reset()
    fake.changes = { instead: { keys } }
    for (const [name, make, expected] of INVALID) {
      time.now += 1000
      const [invalidAnswer, ...validAnswers] = await Promise.all([
        call(portal, make()),
        ...Array.from({ length: 3 }, () => call(portal, tokenOf()))
      ])
      t.equal(invalidAnswer.status, expected, name)
      if (expected === 503) t.ok(invalidAnswer.retryAfter)
      for (const { status } of validAnswers) t.equal(status, 200)
    }
    t.ok(fake.count.keys > 0 && fake.count.keys <= INVALID.length, `${fake.count.keys} fetches`)
    t.notMatch(portal.logged.join(''), /"level":"(?:error|fatal)"/)
  })
}

t.test('while fetches fail, fetches keys for unknown key ids at most once a second', async (t) => {
  const portal = await portalNow()
  t.equal((await call(portal, tokenOf())).status, 200)
  time.now += 31_000
  fake.reset()
  fake.changes = { instead: { keys: (_, response) => json(response, 503, {}) } }
  const flood = () => Promise.all(Array.from({ length: 50 }, () => call(portal, unknownKey())))
  const statuses = new Set([...(await flood()), ...(await flood())].map(({ status }) => status))
  t.strictSame([...statuses], [503])
  t.equal(fake.count.keys, 1)
  time.now += 999
  await flood()
  t.equal(fake.count.keys, 1)
  time.now += 1
  await flood()
  t.equal(fake.count.keys, 2)
})

/** Verifies without a gateway between: all tokens of one moment arrive within the same real milliseconds, on every machine. */
function verifierNow() {
  const document = { issuer: fake.issuer, jwks_uri: `${fake.issuer}/keys` } as ServerMetadata
  const verify = createVerifyJwt(
    { metadata: async () => document, timeoutMs: LIMITS.authorityMs },
    () => time.now
  )
  return (token: string) => verify(token, { audience: fake.audience })
}
const NO_KEY = { code: 'ERR_JWKS_NO_MATCHING_KEY' }

t.test('after a rotation, valid tokens wait for the next fetch despite made-up key ids', async (t) => {
  const verify = verifierNow()
  t.ok(await verify(tokenOf()))
  const addedKey = fake.newKey()
  time.now += 31_000
  const madeUpToken = unknownKey()
  await t.rejects(verify(madeUpToken), NO_KEY)
  fake.keys.push(addedKey)
  t.teardown(() => fake.keys.pop())
  fake.reset()
  await t.rejects(verify(madeUpToken), NO_KEY, 'does not wait for a key that was just not found')
  t.equal(fake.count.keys, 0)
  time.now += 4_800
  const validTokens = Array.from({ length: 20 }, () => tokenOf({ key: addedKey }))
  const madeUpTokens = Array.from({ length: 50 }, unknownKey)
  const [validAnswers, invalidAnswers] = await Promise.all([
    Promise.allSettled(validTokens.map(verify)),
    Promise.allSettled(madeUpTokens.map(verify))
  ])
  for (const { status } of validAnswers) t.equal(status, 'fulfilled')
  for (const answer of invalidAnswers) t.match(answer, { status: 'rejected', reason: NO_KEY })
  t.equal(fake.count.keys, 1)
})

t.test('refuses tokens with unknown keys at once while a thousand of them wait', async (t) => {
  const verify = verifierNow()
  t.ok(await verify(tokenOf()))
  const [, payload, signature] = tokenOf().split('.')
  const madeUpToken = () => {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: random() }))
    return [header.toString('base64url'), payload, signature].join('.')
  }
  fake.reset()
  time.now += 4_000
  let refusals = 0
  const waitingTokens = Array.from({ length: 1_000 }, () =>
    verify(madeUpToken()).catch(() => {
      refusals += 1
    })
  )
  await t.rejects(verify(madeUpToken()), NO_KEY)
  t.equal(refusals, 0)
  await Promise.all(waitingTokens)
  t.equal(refusals, 1_000)
  t.equal(fake.count.keys, 1)
})

t.test('a sign-in fetches a new key at once', async (t) => {
  const portal = await startPortal(t, { env: fake.env, startedSandbox: sandbox })
  t.match(await signInWith(fake, portal.url), /^portal=/)
  fake.keys.unshift(fake.newKey())
  t.teardown(() => fake.keys.shift())
  t.match(await signInWith(fake, portal.url), /^portal=/)
})

t.test('rejects tokens of a withdrawn key after ten minutes', async (t) => {
  const addedKey = fake.newKey()
  fake.keys.push(addedKey)
  const portal = await portalNow()
  t.equal((await call(portal, tokenOf({ key: addedKey }))).status, 200)
  fake.keys.pop()
  fake.reset()
  time.now += 10 * 60_000
  await call(portal, tokenOf())
  t.equal(fake.count.keys, 0, 'no fetch at the limit')
  time.now += 1
  await call(portal, tokenOf())
  await eventually(() => fake.count.keys === 1)
  // A token of the withdrawn key waits for another fetch.
  time.now += 4_900
  await eventually(async () => (await call(portal, tokenOf({ key: addedKey }))).status === 401)
  t.equal(fake.count.keys, 2)
})

t.test('fetches the keys again after the clock was set back', async (t) => {
  const verify = verifierNow()
  t.ok(await verify(tokenOf()))
  fake.reset()
  time.now -= 60 * 60_000
  t.ok(await verify(tokenOf()))
  await eventually(() => fake.count.keys === 1)
})
