import Fastify from 'fastify'
import t from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { DATA_HEADERS } from '#server/errors.ts'
import { securityPlugin } from '#server/http/security-headers.ts'

async function headersWith(env: Record<string, string> = {}, url = '/') {
  const config = readConfig({
    OIDC_ISSUER: 'https://idp.example.com',
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
    UPSTREAM_URL: 'https://api.example.com',
    ...env
  })
  const app = Fastify()
  await app.register(securityPlugin, { config })
  app.get('/', async (_request, reply) => reply.asPage().send('fine'))
  app.get('/data', async () => 'fine')
  app.get('/broken', async () => {
    throw new Error('broken')
  })
  const { headers } = await app.inject(url)
  await app.close()
  return headers
}

const policyOf = (headers: { 'content-security-policy'?: string | string[] | undefined }) =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split(';')
      .map((part) => {
        const [name = '', ...sources] = part.trim().split(' ')
        return [name, sources.join(' ')]
      })
  )

t.test('a page runs our own scripts and styles only, and is in nobody’s frame', async (t) => {
  t.strictSame(policyOf(await headersWith()), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'frame-src': "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'"
  })
})

t.test('only the configured single-logout addresses are framed', async (t) => {
  const headers = await headersWith({
    LOGOUT_URLS: 'https://a.example/out?x=1;y,https://b.example:8443/z;v=1,https://c.example'
  })
  t.equal(
    policyOf(headers)['frame-src'],
    'https://a.example/out https://b.example:8443/z%3Bv=1 https://c.example/'
  )
})

t.test('every answer is strict, also a refusal and a failure', async (t) => {
  for (const url of ['/', '/none', '/broken']) {
    const headers = await headersWith({}, url)
    t.match(headers, {
      'content-security-policy': /default-src 'none'/,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin'
    })
    t.equal(headers['x-powered-by'], undefined)
    t.equal(headers['access-control-allow-origin'], undefined)
  }
})

t.test('data can be neither shown as a page nor taken for a script, whatever is answered', async (t) => {
  for (const url of ['/data', '/none', '/broken']) {
    const headers = await headersWith({}, url)
    t.match(headers, {
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin'
    })
    t.equal(headers['x-powered-by'], undefined)
    t.equal(headers['access-control-allow-origin'], undefined)
  }
})

t.test('but for its policy, data is told what a page is told', async (t) => {
  const page = await headersWith()
  for (const [name, value] of Object.entries(DATA_HEADERS))
    if (name !== 'content-security-policy') t.equal(page[name], value, name)
})

t.test('https is insisted on where it is used, and nowhere else', async (t) => {
  t.equal((await headersWith())['strict-transport-security'], undefined)
  const https = await headersWith({ PUBLIC_URL: 'https://portal.example.com', TRUST_PROXY: '10.0.0.1' })
  t.match(https['strict-transport-security'], /^max-age=31536000/)
  const data = await headersWith(
    { PUBLIC_URL: 'https://portal.example.com', TRUST_PROXY: '10.0.0.1' },
    '/data'
  )
  t.match(data['strict-transport-security'], /^max-age=31536000/)
})
