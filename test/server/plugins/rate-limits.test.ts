import Fastify from 'fastify'
import t from 'tap'
import { handleError } from '#server/errors.ts'
import { bearerRateLimit, signInRateLimit } from '#server/plugins/rate-limits.ts'
import type { Caller } from '#server/types.ts'

async function gateway(register: (app: ReturnType<typeof Fastify>) => Promise<unknown>) {
  const app = Fastify({ trustProxy: '127.0.0.1' })
  app.setErrorHandler(handleError)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    const [kind, clientId] = String(request.headers['x-test-caller'] ?? '').split(' ')
    if (kind) request.caller = { kind, clientId } as Caller
  })
  await register(app)
  const config = (id: string) => ({ config: { id, access: 'public' as const } })
  app.get('/auth/login', config('auth.login'), async () => 'begun')
  app.get('/auth/session', config('auth.session'), async () => 'told')
  app.get('/api', config('portal.tree'), async () => 'answered')
  const statuses = async (count: number, url: string, headers = {}) => {
    const answers = []
    for (let call = 0; call < count; call += 1) answers.push(await app.inject({ url, headers }))
    return answers.map(({ statusCode }) => statusCode)
  }
  return { app, statuses }
}

const all = (status: number, count: number) => Array<number>(count).fill(status)

t.test('a service that calls too often is told to wait, others are not', async (t) => {
  const { app, statuses } = await gateway((app) => app.register(bearerRateLimit, { callsPerMinute: 3 }))
  const by = (caller: string) => ({ 'x-test-caller': caller })
  t.strictSame(await statuses(5, '/api', by('bearer reporting')), [200, 200, 200, 429, 429])
  t.strictSame(await statuses(3, '/api', by('bearer billing')), all(200, 3), 'another service')
  t.strictSame(await statuses(20, '/api', by('session')), all(200, 20), 'people')
  const refused = await app.inject({ url: '/api', headers: by('bearer reporting') })
  t.match(refused.headers['content-type'], 'application/problem+json')
  t.match(refused.json(), { status: 429, type: 'urn:portal:problem:too_many_calls', title: 'Too many calls' })
  const seconds = Number(refused.headers['retry-after'])
  t.ok(seconds > 0 && seconds <= 60, `${seconds} s`)
})

t.test('one address begins so many sign-ins a minute; everything else is not counted', async (t) => {
  const { statuses } = await gateway((app) => app.register(signInRateLimit))
  t.strictSame(await statuses(400, '/auth/session'), all(200, 400))
  t.strictSame(await statuses(302, '/auth/login'), [...all(200, 300), 429, 429])
  t.strictSame(
    await statuses(1, '/auth/login', { 'x-forwarded-for': '198.51.100.7' }),
    [200],
    'another address'
  )
  t.strictSame(await statuses(1, '/auth/session'), [200])
})
