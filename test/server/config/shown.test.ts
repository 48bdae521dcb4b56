import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { readConfig, SETTINGS } from '#server/config/settings.ts'
import { shownConfig } from '#server/config/shown.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const SECRETS = {
  OIDC_CLIENT_SECRET: 'the-client-secret',
  OIDC_CLIENT_KEY: pem,
  REDIS_URL: 'rediss://operator:the-redis-password@redis.internal:6380/2',
  REDIS_PASSWORD: 'another-redis-password',
  SESSION_SECRETS: 'the-first-session-secret-of-many-characters,the-second-session-secret-of-many-characters'
}
const config = readConfig({
  ...SECRETS,
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'portal',
  UPSTREAM_URL: 'https://api.example.com',
  UPSTREAM_ALARMS_URL: 'https://alarms.example.com'
})

t.test('no secret is shown, in no form', async (t) => {
  const text = JSON.stringify(shownConfig(config))
  const parts = [
    ...Object.values(SECRETS),
    'the-redis-password',
    'the-first',
    'the-second',
    pem.split('\n')[1] ?? ''
  ]
  for (const part of parts) t.notOk(text.includes(part), part)
  t.notMatch(text, /"d":|BEGIN|operator/)
})

t.test('everything else is, and where each secret leads', async (t) => {
  const shown = shownConfig(config)
  t.match(shown, {
    PORT: 3000,
    OIDC_CLIENT_SECRET: '(set)',
    OIDC_CLIENT_KEY: '(set)',
    REDIS_URL: 'rediss://redis.internal:6380/2',
    REDIS_PASSWORD: '(set)',
    SESSION_SECRETS: '2 (set)',
    UPSTREAM_URL: 'https://api.example.com',
    UPSTREAM_ALARMS_URL: 'https://alarms.example.com'
  })
  t.notOk('UPSTREAM_CONTROL_URL' in shown, 'only what differs')
  const set = Object.keys(SETTINGS).filter((name) => config[name as keyof typeof SETTINGS] !== undefined)
  t.strictSame(
    set.filter((name) => !(name in shown)),
    []
  )
})
