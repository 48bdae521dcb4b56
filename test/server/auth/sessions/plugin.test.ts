// The session cookie: attributes, signature, and the answers of the two plugins that read the cookie.
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createCookieSigner } from '#server/auth/sessions/cookie-signer.ts'
import { cookieRules } from '#server/auth/sessions/cookies.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { endSession, sessionOf, sessionPlugin, startSession } from '#server/auth/sessions/plugin.ts'
import { sessionReaderPlugin } from '#server/auth/sessions/reader.ts'
import { createSessionStore } from '#server/auth/sessions/store.ts'
import { handleError } from '#server/errors.ts'
import { DATA, TOKENS } from './sample.ts'

const OLD = 'an-old-secret-of-more-than-thirty-two-characters'
const NEW = 'a-new-secret-of-more-than-thirty-two-characters'
const DROPPED = 'a-gone-secret-of-more-than-thirty-two-characters'
const SECURE = { 'x-forwarded-proto': 'https' }
const REMOVED =
  '__Host-portal=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict'

function setUp(publicUrl: string) {
  const backend = createMemoryBackend(Date.now)
  const lifetimes = { idleSeconds: 60, absoluteSeconds: 600 }
  const sessions = createSessionStore(backend, createEncryption([NEW, OLD, DROPPED]), lifetimes, Date.now)
  const cookies = cookieRules(publicUrl)
  return { backend, sessions, cookies, options: { sessions, cookies, secrets: [NEW, OLD] } }
}

async function gateway(publicUrl: string) {
  const { backend, cookies, options } = setUp(publicUrl)
  const gates = new Map<string, () => void>()
  const app = Fastify({ trustProxy: '127.0.0.1' })
  await app.register(sessionPlugin, options)
  app.get<{ Params: { subject: string } }>('/in/:subject', async (request) => {
    await startSession(request, { ...DATA, ...request.params }, TOKENS)
    return 'in'
  })
  app.get('/out', async (request, reply) => {
    await endSession(request, reply, cookies)
    return 'out'
  })
  app.get('/who', async (request) => sessionOf(request)?.data.subject ?? 'nobody')
  app.get('/slow/:name', async (request) => {
    await new Promise<void>((resolve) => gates.set((request.params as { name: string }).name, resolve))
    return sessionOf(request)?.data.subject ?? 'nobody'
  })
  const get = (url: string, cookie = '', headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { cookie, ...headers } })
  return { app, backend, gates, get }
}

const linesOf = (answer: { headers: Record<string, unknown> }) =>
  [answer.headers['set-cookie'] ?? []].flat() as string[]
const cookieOf = (answer: { headers: Record<string, unknown> }) => linesOf(answer).at(-1)?.split(';')[0] ?? ''

t.test('refuses a cookie with any changed character, and cookies of an unknown secret', async (t) => {
  const signer = createCookieSigner([NEW])
  const id = signer.newId()
  t.not(signer.newId(), id)
  const cookie = signer.sign(id)
  const changedCookies = [...cookie].map((letter, at) => {
    const replacement = letter === 'A' ? 'B' : 'A'
    return cookie.slice(0, at) + replacement + cookie.slice(at + 1)
  })
  for (const value of [...changedCookies, id, `${id}.`, `${cookie}A`, cookie.slice(0, -1), '', '.'])
    t.equal(signer.unsign(value).valid, false, value)
  t.strictSame(signer.unsign(cookie), { valid: true, renew: false, value: id })
  t.ok(createCookieSigner([OLD, NEW]).unsign(cookie).valid)
  t.notOk(createCookieSigner([OLD]).unsign(cookie).valid)
})

t.test('on https the cookie is bound to the host, and is removed with the same attributes', async (t) => {
  const { get } = await gateway('https://portal.example.com')
  const answer = await get('/in/ann', '', SECURE)
  t.match(linesOf(answer), [/^__Host-portal=[\w-]{49}\.[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/])
  const cookie = cookieOf(answer)
  t.equal((await get('/who', cookie, SECURE)).body, 'ann')
  t.strictSame(linesOf(await get('/out', cookie, SECURE)), [REMOVED])
  for (const value of ['__Host-portal=forged', '__Host-portal=forged.signature']) {
    const answer = await get('/who', value, SECURE)
    t.equal(answer.body, 'nobody')
    t.equal(linesOf(answer).at(-1), REMOVED, value)
  }
})

t.test('names and attributes of the cookies depend on the scheme', async (t) => {
  t.match(cookieRules('https://a').names, {
    session: '__Host-portal',
    attemptPrefix: '__Host-portal-signin-'
  })
  t.match(cookieRules('http://a').names, { session: 'portal', attemptPrefix: 'portal-signin-' })
  for (const url of ['https://a', 'http://a']) {
    const { session, attempt, secure } = cookieRules(url)
    t.equal(secure, url.startsWith('https'))
    t.strictSame(session, { path: '/', httpOnly: true, secure, sameSite: 'strict' })
    t.strictSame(attempt, { path: '/', httpOnly: true, secure, sameSite: 'lax' })
  }
})

t.test('reading a session sets no cookie and writes nothing', async (t) => {
  const { get, backend } = await gateway('http://localhost:3000')
  t.strictSame(linesOf(await get('/who')), [])
  const cookie = cookieOf(await get('/in/ann'))
  const writes: string[] = []
  for (const name of ['create', 'touch', 'replaceData', 'replaceTokens', 'remove'] as const)
    Object.assign(backend, { [name]: async () => void writes.push(name) })
  for (let index = 0; index < 20; index += 1) t.strictSame(linesOf(await get('/who', cookie)), [])
  t.strictSame(writes, [])
})

t.test('a slow call does not restore its session after a sign-out or another sign-in', async (t) => {
  const { app, get, gates } = await gateway('http://localhost:3000')
  t.teardown(() => app.close())
  for (const path of ['/out', '/in/bob']) {
    const cookie = cookieOf(await get('/in/ann'))
    const slowCall = get(`/slow/${encodeURIComponent(path)}`, cookie)
    while (!gates.has(path)) await new Promise(setImmediate)
    const newCookie = cookieOf(await get(path, cookie))
    gates.get(path)?.()
    const answer = await slowCall
    t.equal(answer.body, 'ann')
    t.strictSame(linesOf(answer), [])
    t.equal((await get('/who', cookie)).body, 'nobody', `after ${path}`)
    t.equal((await get('/who', newCookie)).body, path === '/out' ? 'nobody' : 'bob')
  }
})

async function openBoth(publicUrl: string) {
  const { backend, sessions, cookies, options } = setUp(publicUrl)
  const openApp = async (register: (app: FastifyInstance) => PromiseLike<unknown>) => {
    const app = Fastify({ trustProxy: '127.0.0.1' })
    app.setErrorHandler(handleError)
    await register(app)
    app.get('/', async (request) => sessionOf(request)?.data.subject ?? 'nobody')
    return async (cookie?: string) => {
      const { statusCode, body, headers } = await app.inject({
        url: '/',
        headers: { ...SECURE, ...(cookie === undefined ? {} : { cookie }) }
      })
      const text = statusCode === 200 ? body : JSON.parse(body).type
      return { statusCode, text, cookies: headers['set-cookie'] ?? null }
    }
  }
  return {
    backend,
    sessions,
    name: cookies.names.session,
    byPlugin: await openApp((app) => app.register(sessionPlugin, options)),
    byReader: await openApp((app) => app.register(sessionReaderPlugin, options))
  }
}

for (const publicUrl of ['https://portal.example.com', 'http://localhost:3000']) {
  t.test(`at ${publicUrl} the reader handles every cookie as @fastify/session does`, async (t) => {
    const { backend, sessions, name, byPlugin, byReader } = await openBoth(publicUrl)
    const signInWith = async (secret: string, subject: string) => {
      const signer = createCookieSigner([secret])
      const id = signer.newId()
      await sessions.create(id, { ...DATA, subject }, TOKENS)
      return { id, value: signer.sign(id), cookie: `${name}=${encodeURIComponent(signer.sign(id))}` }
    }
    const ann = await signInWith(NEW, 'ann')
    const bob = await signInWith(OLD, 'bob')
    const cleo = await signInWith(DROPPED, 'cleo')
    const dan = await signInWith(NEW, 'dan')
    await sessions.remove(dan.id)
    const signature = ann.value.slice(ann.id.length)

    const headers: Record<string, string | undefined> = {
      'no header': undefined,
      'an empty header': '',
      'a valid cookie': ann.cookie,
      'a valid cookie, not encoded': `${name}=${ann.value}`,
      'a valid cookie, quoted': `${name}="${ann.value}"`,
      'a cookie of an older secret': bob.cookie,
      'a cookie of a removed secret': cleo.cookie,
      'a cookie of another name': ann.cookie.replace(name, 'Portal'),
      'a cookie of a longer name': `x${ann.cookie}`,
      'a cookie among other cookies': `a=1; ${ann.cookie}; b=2`,
      'cookies without spaces': `a=1;${ann.cookie};b=2`,
      'two cookies, the valid one first': `${ann.cookie}; ${name}=x`,
      'two cookies, the invalid one first': `${name}=x; ${ann.cookie}`,
      'two valid cookies': `${ann.cookie}; ${bob.cookie}`,
      'no value': `${name}=`,
      'no equals sign': name,
      'an id without its signature': `${name}=${ann.id}`,
      'half a signature': `${name}=${ann.id}${signature.slice(0, 20)}`,
      'the signature alone': `${name}=${signature}`,
      'a longer signature': `${name}=${ann.value}x`,
      'the signature of another id': `${name}=${bob.id}${signature}`,
      'a cookie of an ended session': dan.cookie,
      'broken encoding': `${name}=%E0%A4%A`,
      'a very long cookie': `${name}=${'x'.repeat(8000)}.${'y'.repeat(8000)}`,
      __proto__: '__proto__=x'
    }
    for (const [kind, header] of Object.entries(headers)) {
      const expected = await byPlugin(header)
      t.strictSame(await byReader(header), expected, `${kind}: ${expected.text}`)
    }
    t.match(await byReader(ann.cookie), { text: 'ann', cookies: null })
    t.match(await byReader(bob.cookie), { text: 'bob', cookies: null })
    t.match(await byReader(cleo.cookie), { text: 'nobody', cookies: /^[\w-]+=; Max-Age=0; .*HttpOnly/ })
    t.match(await byReader(dan.cookie), { text: 'nobody', cookies: null })

    backend.read = async () => {
      throw new Error('the store fails')
    }
    const expected = { statusCode: 503, text: 'urn:portal:problem:session_store_unavailable', cookies: null }
    t.strictSame(await byPlugin(ann.cookie), expected)
    t.strictSame(await byReader(ann.cookie), expected)
  })
}
