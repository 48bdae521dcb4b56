import Fastify, { type HTTPMethods } from 'fastify'
import t from 'tap'
import { csrfPlugin } from '#server/auth/csrf.ts'
import { cookieRules } from '#server/auth/sessions/cookies.ts'
import { handleError } from '#server/errors.ts'
import type { Caller } from '#server/types.ts'

const OURS = 'https://portal.example.com'
const SAFE: HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS']
const UNSAFE: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE']

const HEADERS = [undefined, '', '0', 'true', '1, 1', '1']
const ORIGINS = [
  undefined,
  'null',
  '',
  'https://evil.example',
  'http://portal.example.com',
  'https://portal.example.com:8443',
  'https://portal.example.com.evil.example',
  'https://sub.portal.example.com',
  'https://PORTAL.example.com',
  `${OURS}/`,
  OURS
]
const SITES = [undefined, '', 'none', 'cross-site', 'same-site', 'Same-Origin', 'same-origin']

const SESSION = '__Host-portal=x.y'

const MACHINE = { kind: 'bearer' } as Caller

async function gateway() {
  const app = Fastify({ exposeHeadRoutes: false })
  app.setErrorHandler(handleError)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    if (request.headers.authorization) request.caller = MACHINE
  })
  await app.register(csrfPlugin, { config: { PUBLIC_URL: OURS }, cookies: cookieRules(OURS) })
  const method = [...SAFE, ...UNSAFE]
  app.route({ method, url: '/api', config: { access: 'signed-in' }, handler: async () => 'done' })
  app.route({ method, url: '/auth', config: { access: 'public' }, handler: async () => 'done' })
  return (method: HTTPMethods, url: string, headers: Record<string, string | string[]> = {}) =>
    app.inject({ method: method as 'GET', url, headers })
}

/** Yields all combinations of the headers. */
function* combinations(cookie?: string) {
  for (const header of HEADERS)
    for (const origin of ORIGINS)
      for (const site of SITES) {
        const headers = {
          ...(cookie === undefined ? {} : { cookie }),
          ...(header === undefined ? {} : { 'x-portal-csrf': header }),
          ...(origin === undefined ? {} : { origin }),
          ...(site === undefined ? {} : { 'sec-fetch-site': site })
        }
        yield { header, origin, site, headers, name: `${header} | ${origin} | ${site}` }
      }
}

t.test('an unsafe call needs the CSRF header, and our Origin or a same-origin Sec-Fetch-Site', async (t) => {
  const acceptedNames = new Set([
    `1 | ${OURS} | undefined`,
    `1 | ${OURS} | same-origin`,
    '1 | undefined | same-origin'
  ])
  const call = await gateway()
  for (const method of UNSAFE) {
    for (const url of ['/api', '/auth']) {
      const mismatches: string[] = []
      for (const { headers, name } of combinations(SESSION)) {
        const { statusCode, body } = await call(method, url, headers)
        if (statusCode !== (acceptedNames.has(name) ? 200 : 403)) mismatches.push(`${name} → ${statusCode}`)
        if (statusCode === 403 && !body.includes('urn:portal:problem:cross_site'))
          mismatches.push(`${name} → ${body}`)
      }
      t.strictSame(mismatches, [], `${method} ${url}`)
    }
  }
})

t.test('a safe call that is not public needs the CSRF header or a same-origin Sec-Fetch-Site', async (t) => {
  const call = await gateway()
  for (const method of SAFE) {
    const mismatches: string[] = []
    for (const { header, site, headers, name } of combinations(SESSION)) {
      const { statusCode } = await call(method, '/api', headers)
      const allowed = header === '1' || site === 'same-origin'
      if (statusCode !== (allowed ? 200 : 403)) mismatches.push(`${name} → ${statusCode}`)
    }
    t.strictSame(mismatches, [], method)
  }
})

t.test('a safe public call needs no CSRF header, so that other sites can link to the gateway', async (t) => {
  const call = await gateway()
  for (const method of SAFE) {
    const mismatches: string[] = []
    for (const { headers, name } of combinations()) {
      const { statusCode } = await call(method, '/auth', headers)
      if (statusCode !== 200) mismatches.push(`${name} → ${statusCode}`)
    }
    t.strictSame(mismatches, [], method)
  }
})

t.test('refuses a duplicate CSRF header', async (t) => {
  const call = await gateway()
  const headers = { 'x-portal-csrf': ['1', '1'], origin: OURS, cookie: SESSION }
  t.equal((await call('POST', '/api', headers)).statusCode, 403)
})

t.test('does not require the CSRF header from a bearer caller', async (t) => {
  const call = await gateway()
  for (const method of [...SAFE, ...UNSAFE])
    t.equal((await call(method, '/api', { authorization: 'Bearer x' })).statusCode, 200, method)
})

t.test('requires the CSRF header with any session cookie, even an invalid one', async (t) => {
  const call = await gateway()
  for (const cookie of [
    SESSION,
    '__Host-portal=',
    `a=b; ${SESSION}`,
    `${SESSION}; ${SESSION}`,
    `portal-signin-x=y;${SESSION}`,
    'x__Host-portal=y'
  ])
    for (const method of [...SAFE, ...UNSAFE])
      t.equal((await call(method, '/api', { cookie })).statusCode, 403, `${method} ${cookie}`)
})

t.test('does not check a call without credentials', async (t) => {
  const call = await gateway()
  for (const cookie of [undefined, '', 'theme=dark', '__Host-portal-signin-x=y'])
    for (const method of [...SAFE, ...UNSAFE])
      for (const headers of [{}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }]) {
        const allHeaders = cookie === undefined ? headers : { ...headers, cookie }
        t.equal((await call(method, '/api', allHeaders)).statusCode, 200, `${method} ${cookie}`)
      }
})

t.test('checks unsafe public calls without a cookie, because they can sign somebody in or out', async (t) => {
  const call = await gateway()
  for (const method of UNSAFE) t.equal((await call(method, '/auth')).statusCode, 403, method)
})
