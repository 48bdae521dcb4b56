import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { ConfigError } from '#server/config/config-error.ts'
import { readConfig } from '#server/config/settings.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://portal.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'client-secret-value',
  UPSTREAM_URL: 'https://api.example.com',
  REDIS_URL: 'redis://redis:6379',
  SESSION_SECRETS: 'a-secret-of-at-least-thirty-two-characters'
}

function problemsOf(changes: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig({ ...PRODUCTION, ...changes })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('in production an address without TLS is refused, and the way out told', async (t) => {
  for (const name of ['OIDC_ISSUER', 'UPSTREAM_URL', 'UPSTREAM_ALARMS_URL', 'REMOTE_URL', 'PUBLIC_URL']) {
    const problems = problemsOf({ [name]: 'http://somewhere.example.com:8080' })
    t.equal(problems.length, 1, `${name}: ${problems}`)
    t.match(problems[0], new RegExp(`^${name} is http://somewhere.example.com, .*use https://.*HTTP_HOSTS`))
  }
})

t.test('it is taken on this machine, in a network that the operator names, and in development', async (t) => {
  for (const host of ['localhost:4000', '127.0.0.1', '127.1.2.3:8080', '[::1]:8080', 'api.localhost'])
    t.strictSame(problemsOf({ UPSTREAM_URL: `http://${host}` }), [], host)
  const named = { UPSTREAM_URL: 'http://api.internal:8080', UPSTREAM_EGRESS_URL: 'http://10.0.0.5' }
  t.strictSame(problemsOf({ ...named, HTTP_HOSTS: 'API.internal,10.0.0.5' }), [])
  t.equal(problemsOf({ ...named, HTTP_HOSTS: 'api.internal' }).length, 1)
  t.equal(problemsOf({ ...named, HTTP_HOSTS: 'internal' }).length, 2, 'a host is not its domain')
  t.equal(problemsOf({ UPSTREAM_URL: 'http://localhost.example.com' }).length, 1)
  t.strictSame(problemsOf({ ...named, NODE_ENV: 'development' }), [])
})

t.test('each way for the client to prove itself needs its own proof', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const byKey = { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET: undefined }
  t.match(problemsOf({ OIDC_CLIENT_SECRET: undefined }), [/^OIDC_CLIENT_SECRET is missing/])
  t.match(problemsOf({ OIDC_CLIENT_SECRET: undefined, OIDC_CLIENT_AUTH: 'post' }), [/^OIDC_CLIENT_SECRET/])
  t.match(problemsOf(byKey), [/^OIDC_CLIENT_KEY is missing/])
  t.strictSame(problemsOf({ ...byKey, OIDC_CLIENT_KEY: key }), [])
  t.strictSame(
    problemsOf({ ...byKey, OIDC_CLIENT_KEY: key.trim().replaceAll('\n', '\\n') }),
    [],
    'on one line'
  )
  const jwk = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'one' })
  t.strictSame(problemsOf({ ...byKey, OIDC_CLIENT_KEY: jwk }), [])
})

t.test('running calls get time to end', async (t) => {
  const times = (delay: string, deadline: string) =>
    problemsOf({ SHUTDOWN_DELAY_SECONDS: delay, SHUTDOWN_DEADLINE_SECONDS: deadline })
  t.match(times('25', '25'), [/^SHUTDOWN_DEADLINE_SECONDS must be above/])
  t.strictSame(times('24', '25'), [])
  t.strictSame(times('0', '1'), [])
})

t.test('what is wrong in itself is not called missing as well', async (t) => {
  t.match(problemsOf({ SESSION_SECRETS: 'short' }), [/^SESSION_SECRETS must be secrets of at least 32/])
  t.match(problemsOf({ REDIS_URL: 'redis' }), [/^REDIS_URL must be a redis:/])
  t.match(problemsOf({ OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_KEY: 'x' }), [
    /^OIDC_CLIENT_KEY must be/
  ])
})
