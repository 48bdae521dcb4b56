// The session cookie: its attributes, its signature, and the session that it names.
import { Signer } from '@fastify/cookie'
import Fastify from 'fastify'
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { cookieRules } from '#server/auth/sessions/cookies.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { endSession, sessionOf, sessionPlugin, startSession } from '#server/auth/sessions/plugin.ts'
import { createSessionStore } from '#server/auth/sessions/store.ts'
import { handleError } from '#server/errors.ts'
import { DATA, TOKENS } from './sample.ts'

const OLD = 'an-old-secret-of-more-than-thirty-two-characters'
const NEW = 'a-new-secret-of-more-than-thirty-two-characters'
const GONE = 'a-gone-secret-of-more-than-thirty-two-characters'
const REMOVED =
  '__Host-portal=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict'

function stored(publicUrl: string) {
  const backend = createMemoryBackend(Date.now)
  const lifetimes = { idleSeconds: 60, absoluteSeconds: 600 }
  const sessions = createSessionStore(backend, createEncryption([NEW, OLD, GONE]), lifetimes, Date.now)
  const cookies = cookieRules(publicUrl)
  return { backend, sessions, cookies, options: { sessions, cookies, secrets: [NEW, OLD] } }
}

async function gateway(publicUrl: string) {
  const { backend, sessions, options } = stored(publicUrl)
  const gates = new Map<string, () => void>()
  const app = Fastify()
  app.setErrorHandler(handleError)
  await app.register(sessionPlugin, options)
  app.get<{ Params: { subject: string } }>('/in/:subject', async (request, reply) => {
    await startSession(request, reply, options, { ...DATA, ...request.params }, TOKENS)
    return 'in'
  })
  app.get('/out', async (request, reply) => {
    await endSession(request, reply, options)
    return 'out'
  })
  app.get('/who', async (request) => sessionOf(request)?.data.subject ?? 'nobody')
  app.get('/slow/:name', async (request) => {
    await new Promise<void>((resolve) => gates.set((request.params as { name: string }).name, resolve))
    return sessionOf(request)?.data.subject ?? 'nobody'
  })
  const get = (url: string, cookie = '') => app.inject({ url, headers: { cookie } })
  return { app, backend, sessions, gates, get }
}

const linesOf = (answer: { headers: Record<string, unknown> }) =>
  [answer.headers['set-cookie'] ?? []].flat() as string[]
const cookieOf = (answer: { headers: Record<string, unknown> }) => linesOf(answer).at(-1)?.split(';')[0] ?? ''

t.test('on https the cookie is host-bound, and removed with the same attributes', async (t) => {
  const { get } = await gateway('https://portal.example.com')
  const signedIn = await get('/in/ann')
  t.match(linesOf(signedIn), [/^__Host-portal=[\w-]{43}\.[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/])
  const cookie = cookieOf(signedIn)
  t.equal((await get('/who', cookie)).body, 'ann')
  t.strictSame(linesOf(await get('/out', cookie)), [REMOVED])
  for (const stale of ['__Host-portal=forged', '__Host-portal=forged.signature']) {
    const answer = await get('/who', stale)
    t.equal(answer.body, 'nobody')
    t.equal(linesOf(answer).at(-1), REMOVED, stale.slice(0, 24))
  }
})

t.test('names and attributes of the cookies follow the scheme', async (t) => {
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

t.test('reading sets no cookie and writes nothing', async (t) => {
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
  for (const meanwhile of ['/out', '/in/bob']) {
    const cookie = cookieOf(await get('/in/ann'))
    const slow = get(`/slow/${encodeURIComponent(meanwhile)}`, cookie)
    while (!gates.has(meanwhile)) await new Promise(setImmediate)
    const after = cookieOf(await get(meanwhile, cookie))
    gates.get(meanwhile)?.()
    const answer = await slow
    t.equal(answer.body, 'ann')
    t.strictSame(linesOf(answer), [])
    t.equal((await get('/who', cookie)).body, 'nobody', `after ${meanwhile}`)
    t.equal((await get('/who', after)).body, meanwhile === '/out' ? 'nobody' : 'bob')
  }
})

for (const publicUrl of ['https://portal.example.com', 'http://localhost:3000']) {
  t.test(`at ${publicUrl} accepts only cookies with a valid signature`, async (t) => {
    const { backend, sessions, get } = await gateway(publicUrl)
    const { session: name } = cookieRules(publicUrl).names
    const under = async (secret: string, subject: string) => {
      await sessions.create(subject, { ...DATA, subject }, TOKENS)
      const value = new Signer(secret).sign(subject)
      return { value, cookie: `${name}=${encodeURIComponent(value)}` }
    }
    const ann = await under(NEW, 'ann')
    const bob = await under(OLD, 'bob')
    const cleo = await under(GONE, 'cleo')
    const ended = await under(NEW, 'dan')
    await sessions.remove('dan')
    const signature = ann.value.slice('ann'.length)

    const good = {
      encoded: ann.cookie,
      'not encoded': `${name}=${ann.value}`,
      'among others': `a=1; ${ann.cookie}; b=2`,
      'without a space': `a=1;${ann.cookie};b=2`,
      'the first of two': `${ann.cookie}; ${bob.cookie}`
    }
    for (const [kind, cookie] of Object.entries(good)) {
      const answer = await get('/who', cookie)
      t.strictSame([answer.body, linesOf(answer)], ['ann', []], kind)
    }
    t.equal((await get('/who', bob.cookie)).body, 'bob', 'an older secret')

    const forged = {
      'in quotes': `${name}="${ann.value}"`,
      'a removed secret': cleo.cookie,
      'an id without its signature': `${name}=ann`,
      'half a signature': `${name}=ann${signature.slice(0, 20)}`,
      'the signature alone': `${name}=${signature}`,
      'a longer signature': `${name}=${ann.value}x`,
      'the signature of another id': `${name}=bob${signature}`,
      'broken encoding': `${name}=%E0%A4%A`,
      'a very long cookie': `${name}=${'x'.repeat(8000)}.${'y'.repeat(8000)}`,
      'the second of two': `${name}=x; ${ann.cookie}`
    }
    for (const [kind, cookie] of Object.entries(forged)) {
      const answer = await get('/who', cookie)
      t.match([answer.body, linesOf(answer)], ['nobody', [/^[\w-]+=; Max-Age=0; .*HttpOnly/]], kind)
    }

    const absent = {
      empty: '',
      'another name': ann.cookie.replace(name, 'Portal'),
      'a longer name': `x${ann.cookie}`,
      'no value': `${name}=`,
      'no equals sign': name,
      __proto__: '__proto__=x',
      'an ended session, which another tab may have replaced': ended.cookie
    }
    for (const [kind, cookie] of Object.entries(absent)) {
      const answer = await get('/who', cookie)
      t.strictSame([answer.body, linesOf(answer)], ['nobody', []], kind)
    }

    backend.read = () => Promise.reject(new Error('the store fails'))
    const answer = await get('/who', ann.cookie)
    t.match(answer.json(), { type: 'urn:portal:problem:session_store_unavailable', status: 503 })
    t.strictSame(linesOf(answer), [])
  })
}
