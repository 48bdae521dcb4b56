import Fastify from 'fastify'
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { cookieRules } from '#server/auth/sessions/cookies.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { endSession, sessionOf, sessionPlugin, startSession } from '#server/auth/sessions/plugin.ts'
import { createSessionStore, type SessionData, type Tokens } from '#server/auth/sessions/store.ts'

const SECRETS = ['a-secret-of-more-than-thirty-two-characters']
const SECURE = { 'x-forwarded-proto': 'https' }
const TOKENS: Tokens = { access: 'a', expiresAt: 0, renewAt: 0, refresh: null, idToken: null }

function dataOf(subject: string): SessionData {
  const user = {
    id: subject,
    organizationId: null,
    organizationName: null,
    fullName: subject,
    email: null,
    userType: 'CUSTOMER' as const,
    roleAssignments: []
  }
  return { user, subject, authoritySessionId: null }
}

async function gateway(publicUrl: string) {
  const backend = createMemoryBackend(Date.now)
  const lifetimes = { idleSeconds: 60, absoluteSeconds: 600 }
  const sessions = createSessionStore(backend, createEncryption(SECRETS), lifetimes, Date.now)
  const cookies = cookieRules(publicUrl)
  const gates = new Map<string, () => void>()
  const app = Fastify({ trustProxy: '127.0.0.1' })
  await app.register(sessionPlugin, { sessions, cookies, secrets: SECRETS })
  app.get('/in/:subject', async (request) => {
    await startSession(request, dataOf((request.params as { subject: string }).subject), TOKENS)
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
  return { app, backend, cookies, gates, get }
}

const linesOf = (answer: { headers: Record<string, unknown> }) =>
  [answer.headers['set-cookie'] ?? []].flat() as string[]
const cookieOf = (answer: { headers: Record<string, unknown> }) => linesOf(answer).at(-1)?.split(';')[0] ?? ''

t.test('behind https the cookie is host-bound; it is taken back with the same attributes', async (t) => {
  const { get } = await gateway('https://portal.example.com')
  const signedIn = await get('/in/ann', '', SECURE)
  t.match(linesOf(signedIn), [/^__Host-portal=[\w-]{49}\.[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/])
  const cookie = cookieOf(signedIn)
  t.equal((await get('/who', cookie, SECURE)).body, 'ann')
  const signedOut = await get('/out', cookie, SECURE)
  t.match(linesOf(signedOut), [
    '__Host-portal=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict'
  ])
  t.equal((await get('/who', cookie, SECURE)).body, 'nobody')
})

t.test('a cookie of no session is taken back with the attributes that it was set with', async (t) => {
  const { get } = await gateway('https://portal.example.com')
  const cookie = cookieOf(await get('/in/ann', '', SECURE))
  await get('/out', cookie, SECURE)
  for (const stale of [cookie, '__Host-portal=forged', '__Host-portal=forged.signature']) {
    const lines = linesOf(await get('/who', stale, SECURE))
    t.equal(
      lines.at(-1),
      '__Host-portal=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict',
      stale.slice(0, 24)
    )
  }
})

t.test('the names of the cookies tell whether they are bound to https', async (t) => {
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

t.test('reading sets no cookie and makes no session', async (t) => {
  const { get, backend } = await gateway('http://localhost:3000')
  t.strictSame(linesOf(await get('/who')), [])
  const cookie = cookieOf(await get('/in/ann'))
  const writes: string[] = []
  for (const name of ['create', 'touch', 'replaceData', 'replaceTokens', 'remove'] as const) {
    const original = backend[name] as (...parameters: unknown[]) => Promise<unknown>
    Object.assign(backend, {
      [name]: (...parameters: unknown[]) => {
        writes.push(name)
        return original(...parameters)
      }
    })
  }
  for (let index = 0; index < 20; index += 1) t.strictSame(linesOf(await get('/who', cookie)), [])
  t.strictSame(writes, [])
})

t.test('signing in again changes the id and ends the session that was there', async (t) => {
  const { get } = await gateway('http://localhost:3000')
  const first = cookieOf(await get('/in/ann'))
  const second = cookieOf(await get('/in/bob', first))
  t.not(first, second)
  t.equal((await get('/who', first)).body, 'nobody')
  t.equal((await get('/who', second)).body, 'bob')
})

t.test('a slow call brings nothing back: not after signing out, not after signing in anew', async (t) => {
  const { app, get, gates } = await gateway('http://localhost:3000')
  t.teardown(() => app.close())
  for (const meanwhile of ['/out', '/in/bob']) {
    const cookie = cookieOf(await get('/in/ann'))
    const slow = get(`/slow/${encodeURIComponent(meanwhile)}`, cookie)
    while (!gates.has(meanwhile)) await new Promise(setImmediate)
    const after = cookieOf(await get(meanwhile, cookie))
    gates.get(meanwhile)?.()
    const answer = await slow
    t.equal(answer.body, 'ann', 'it goes on with what it had read')
    t.strictSame(linesOf(answer), [], 'and sets no cookie')
    t.equal((await get('/who', cookie)).body, 'nobody', `after ${meanwhile} the old cookie is useless`)
    t.equal((await get('/who', after)).body, meanwhile === '/out' ? 'nobody' : 'bob')
  }
})
