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
  return app
}

/** @param cookie what every call carries */
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

t.test('an unsafe call needs the header and our origin or same-origin', async (t) => {
  const passing = new Set([
    `1 | ${OURS} | undefined`,
    `1 | ${OURS} | same-origin`,
    '1 | undefined | same-origin'
  ])
  const app = await gateway()
  for (const method of UNSAFE) {
    for (const url of ['/api', '/auth']) {
      const wrong: string[] = []
      for (const { headers, name } of combinations(SESSION)) {
        const { statusCode, body } = await app.inject({ method, url, headers })
        if (statusCode !== (passing.has(name) ? 200 : 403)) wrong.push(`${name} → ${statusCode}`)
        if (statusCode === 403 && !body.includes('urn:portal:problem:cross_site'))
          wrong.push(`${name} → ${body}`)
      }
      t.strictSame(wrong, [], `${method} ${url}`)
    }
  }
})

t.test('a safe call that is not public needs the header or same-origin', async (t) => {
  const app = await gateway()
  for (const method of SAFE) {
    const wrong: string[] = []
    for (const { header, site, headers, name } of combinations(SESSION)) {
      const { statusCode } = await app.inject({ method, url: '/api', headers })
      const passes = header === '1' || site === 'same-origin'
      if (statusCode !== (passes ? 200 : 403)) wrong.push(`${name} → ${statusCode}`)
    }
    t.strictSame(wrong, [], method)
  }
})

t.test('a safe public call needs nothing: links lead here from other sites', async (t) => {
  const app = await gateway()
  for (const method of SAFE) {
    const wrong: string[] = []
    for (const { headers, name } of combinations()) {
      const { statusCode } = await app.inject({ method, url: '/auth', headers })
      if (statusCode !== 200) wrong.push(`${name} → ${statusCode}`)
    }
    t.strictSame(wrong, [], method)
  }
})

t.test('refuses the header given twice', async (t) => {
  const app = await gateway()
  const headers = { 'x-portal-csrf': ['1', '1'], origin: OURS, cookie: SESSION }
  t.equal((await app.inject({ method: 'POST', url: '/api', headers })).statusCode, 403)
})

t.test('a bearer caller needs no header', async (t) => {
  const app = await gateway()
  for (const method of [...SAFE, ...UNSAFE])
    t.equal(
      (await app.inject({ method, url: '/api', headers: { authorization: 'Bearer x' } })).statusCode,
      200,
      method
    )
})

t.test('finds a session cookie anywhere in the header, also a bad one', async (t) => {
  const app = await gateway()
  for (const cookie of [
    SESSION,
    '__Host-portal=',
    `a=b; ${SESSION}`,
    `${SESSION}; ${SESSION}`,
    `portal-signin-x=y;${SESSION}`,
    'x__Host-portal=y'
  ])
    for (const method of [...SAFE, ...UNSAFE])
      t.equal(
        (await app.inject({ method, url: '/api', headers: { cookie } })).statusCode,
        403,
        `${method} ${cookie}`
      )
})

t.test('leaves a call without credentials to the access decision', async (t) => {
  const app = await gateway()
  for (const cookie of [undefined, '', 'theme=dark', '__Host-portal-signin-x=y'])
    for (const method of [...SAFE, ...UNSAFE])
      for (const headers of [{}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }]) {
        const given = cookie === undefined ? headers : { ...headers, cookie }
        t.equal(
          (await app.inject({ method, url: '/api', headers: given })).statusCode,
          200,
          `${method} ${cookie}`
        )
      }
})
t.test('guards an unsafe public call without a cookie too: it could sign somebody in or out', async (t) => {
  const app = await gateway()
  for (const method of UNSAFE) t.equal((await app.inject({ method, url: '/auth' })).statusCode, 403, method)
})
