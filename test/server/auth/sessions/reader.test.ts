import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createCookieSigner } from '#server/auth/sessions/cookie-signer.ts'
import { cookieRules } from '#server/auth/sessions/cookies.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { sessionOf, sessionPlugin } from '#server/auth/sessions/plugin.ts'
import { sessionReaderPlugin } from '#server/auth/sessions/reader.ts'
import { createSessionStore } from '#server/auth/sessions/store.ts'
import { handleError } from '#server/errors.ts'

const OLD = 'an-old-secret-of-more-than-thirty-two-characters'
const NEW = 'a-new-secret-of-more-than-thirty-two-characters'
const GONE = 'a-gone-secret-of-more-than-thirty-two-characters'
const TOKENS = { access: 'a', expiresAt: 0, renewAt: 0, refresh: null, idToken: null }
const dataOf = (subject: string) => ({
  user: {
    id: subject,
    organizationId: null,
    organizationName: null,
    fullName: subject,
    email: null,
    userType: 'CUSTOMER' as const,
    roleAssignments: []
  },
  subject,
  authoritySessionId: null
})

/** One store, read by @fastify/session and by our own hook. */
async function both(publicUrl: string) {
  const backend = createMemoryBackend(Date.now)
  const encryption = createEncryption([NEW, OLD, GONE])
  const lifetimes = { idleSeconds: 60, absoluteSeconds: 600 }
  const sessions = createSessionStore(backend, encryption, lifetimes, Date.now)
  const cookies = cookieRules(publicUrl)
  const options = { sessions, cookies, secrets: [NEW, OLD] }
  const open = async (register: (app: FastifyInstance) => PromiseLike<unknown>) => {
    const app = Fastify({ trustProxy: '127.0.0.1' })
    app.setErrorHandler(handleError)
    await register(app)
    app.get('/', async (request) => sessionOf(request)?.data.subject ?? 'nobody')
    return async (cookie?: string) => {
      const { statusCode, body, headers } = await app.inject({
        url: '/',
        headers: { 'x-forwarded-proto': 'https', ...(cookie === undefined ? {} : { cookie }) }
      })
      const said = statusCode === 200 ? body : JSON.parse(body).type
      return { statusCode, said, cookies: headers['set-cookie'] ?? null }
    }
  }
  return {
    backend,
    sessions,
    name: cookies.names.session,
    byPlugin: await open((app) => app.register(sessionPlugin, options)),
    byReader: await open((app) => app.register(sessionReaderPlugin, options))
  }
}

for (const publicUrl of ['https://portal.example.com', 'http://localhost:3000']) {
  t.test(`at ${publicUrl} every cookie is answered as @fastify/session answers it`, async (t) => {
    const { backend, sessions, name, byPlugin, byReader } = await both(publicUrl)
    const under = async (secret: string, subject: string) => {
      const signer = createCookieSigner([secret])
      const id = signer.newId()
      await sessions.create(id, dataOf(subject), TOKENS)
      return { id, value: signer.sign(id), cookie: `${name}=${encodeURIComponent(signer.sign(id))}` }
    }
    const ann = await under(NEW, 'ann')
    const bob = await under(OLD, 'bob')
    const cleo = await under(GONE, 'cleo')
    const ended = await under(NEW, 'dan')
    await sessions.remove(ended.id)
    const signature = ann.value.slice(ann.id.length)

    const headers: Record<string, string | undefined> = {
      none: undefined,
      empty: '',
      'a good one': ann.cookie,
      'a good one, not encoded': `${name}=${ann.value}`,
      'a good one, quoted': `${name}="${ann.value}"`,
      'one under an older secret': bob.cookie,
      'one under a secret that is gone': cleo.cookie,
      'another name': ann.cookie.replace(name, 'Portal'),
      'a longer name': `x${ann.cookie}`,
      'among others': `a=1; ${ann.cookie}; b=2`,
      'without a space': `a=1;${ann.cookie};b=2`,
      'two, a good one first': `${ann.cookie}; ${name}=x`,
      'two, a bad one first': `${name}=x; ${ann.cookie}`,
      'two good ones': `${ann.cookie}; ${bob.cookie}`,
      'no value': `${name}=`,
      'no equals sign': name,
      'an id without its signature': `${name}=${ann.id}`,
      'an id with half of it': `${name}=${ann.id}${signature.slice(0, 20)}`,
      'the signature alone': `${name}=${signature}`,
      'a longer signature': `${name}=${ann.value}x`,
      'another id with it': `${name}=${bob.id}${signature}`,
      'what cannot be decoded': `${name}=%E0%A4%A`,
      'a very long one': `${name}=${'x'.repeat(8000)}.${'y'.repeat(8000)}`,
      __proto__: '__proto__=x'
    }
    for (const [kind, header] of Object.entries(headers)) {
      const expected = await byPlugin(header)
      t.strictSame(await byReader(header), expected, `${kind}: ${expected.said}`)
    }
    t.match(await byReader(ann.cookie), { said: 'ann', cookies: null })
    t.match(await byReader(bob.cookie), { said: 'bob', cookies: null })
    t.match(await byReader(cleo.cookie), { said: 'nobody', cookies: /^[\w-]+=; Max-Age=0; .*HttpOnly/ })
    t.match(await byPlugin(ended.cookie), { said: 'nobody', cookies: /^[\w-]+=; Max-Age=0; / })
    t.match(
      await byReader(ended.cookie),
      { said: 'nobody', cookies: null },
      'another tab may have replaced it meanwhile'
    )

    backend.read = async () => {
      throw new Error('away')
    }
    const expected = { statusCode: 503, said: 'urn:portal:problem:session_store_unavailable', cookies: null }
    t.strictSame(await byPlugin(ann.cookie), expected)
    t.strictSame(await byReader(ann.cookie), expected, 'the cookie is kept')
  })
}
