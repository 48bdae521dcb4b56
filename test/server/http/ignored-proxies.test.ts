import t, { type Test } from 'tap'
import { startPortal } from '#test/support/portal.ts'

const WARNING = /ignores X-Forwarded-For/
const FORWARDED = { 'x-forwarded-for': '203.0.113.7' }

async function warningsFor(t: Test, env: Record<string, string>, ...headers: Record<string, string>[]) {
  const portal = await startPortal(t, { env })
  for (const sent of headers)
    await (await fetch(`${portal.url}/auth/session`, { headers: sent })).body?.cancel()
  return portal.logged.filter((line) => WARNING.test(line)).map((line) => JSON.parse(line))
}

t.test('warns once of a proxy in another network than TRUST_PROXY names', async (t) => {
  const warnings = await warningsFor(t, { TRUST_PROXY: '10.0.0.0/8' }, FORWARDED, FORWARDED)
  t.equal(warnings.length, 1)
  t.match(warnings, [{ level: 'warn', peer: /^(?:127\.0\.0\.1|::1)$/, msg: /TRUST_PROXY/ }])
})

t.test('does not warn of a trusted proxy, or without the header', async (t) => {
  t.strictSame(await warningsFor(t, { TRUST_PROXY: '127.0.0.1,::1' }, FORWARDED, {}), [])
  t.strictSame(await warningsFor(t, { TRUST_PROXY: '10.0.0.0/8' }, {}), [])
})
