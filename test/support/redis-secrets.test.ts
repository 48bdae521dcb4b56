// The search that every test with a Redis ends with does find what it looks for, and nothing else.
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { listenTo } from './redis-listener.ts'
import { leaksIn } from './redis-secrets.ts'
import { startRedis } from './redis-server.ts'

const CODE = 'Zx81-code_of+a/sign-in'
const secrets = [
  { name: 'a code', value: CODE },
  { name: 'a subject', value: 'u-7' }
]

t.test('a secret is found in every form that anybody can read', async (t) => {
  const inside = (before: string) => `${before}{"code":"${CODE}","more":1}`
  const planted: Record<string, string> = {
    'as it is': `portal:once:${CODE}`,
    'in a longer text': JSON.stringify({ code: CODE }),
    'percent-encoded': `code=${encodeURIComponent(CODE)}&x=1`,
    'in hex': Buffer.from(inside('')).toString('hex'),
    'in capital hex': Buffer.from(inside('')).toString('hex').toUpperCase()
  }
  for (const form of ['base64', 'base64url'] as const)
    for (const before of ['', 'a', 'ab', 'abc'])
      planted[`${form} after ${before.length}`] = Buffer.from(inside(before)).toString(form)
  for (const [name, text] of Object.entries(planted))
    t.ok(
      leaksIn(['nothing', text], secrets).some((leak) => leak.startsWith('a code: ')),
      name
    )
})

t.test('a short secret is found as a word, and not as part of one', async (t) => {
  for (const text of ['u-7', '{"sub":"u-7"}', 'portal:index:u-7', 'a u-7, b'])
    t.match(leaksIn([text], secrets), [/^a subject: /], text)
  for (const text of ['u-77', 'xu-7', 'u-7-x', 'au-7_', '']) t.strictSame(leaksIn([text], secrets), [], text)
})

t.test('three letters among sealed bytes are chance; beside anything readable they are not', async (t) => {
  for (const text of [
    '\\xfeT\\xf40 u-7,\\x14\\xce>',
    'u-7,\\x14\\xce>',
    '\\xfe\\x8a%&T(R0A+ u-7,\\x14\\xce\\xf1\\x80'
  ])
    t.strictSame(leaksIn([text], secrets), [], text)
  for (const text of ['portal:index:u-7\\x00\\x14', '\\x00\\x14 u-7 signed in', '\\x14{"sub":"u-7"}\\x00'])
    t.match(leaksIn([text], secrets), [/^a subject: /], text)
})

t.test('a token is found without being known', async (t) => {
  const token = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`
  for (const before of ['', 'before ', '{"access":"'])
    t.match(leaksIn([`${before}${token}`], []), [/^a token: /], before)
  t.strictSame(leaksIn(['2m7FeyJu5mPP4j5ygjza618zZKJ93'], []), [], 'letters of noise are none')
})

t.test('noise is not taken for a secret', async (t) => {
  const many = Array.from({ length: 500 }, (_, index) => ({
    name: `secret ${index}`,
    value: randomBytes(16).toString('base64url')
  }))
  const noise = Array.from({ length: 500 }, () => randomBytes(3000).toString('base64url'))
  t.strictSame(leaksIn(noise, [...many, ...secrets]), [])
})

/** A test of which nothing is told but what its end says. */
function quietTest() {
  const works: (() => unknown)[] = []
  return {
    teardown: (work: () => unknown) => void works.unshift(work),
    async end() {
      for (const work of works) await work()
    }
  }
}

t.test('a Redis that was told a secret fails its test, also when it holds it no more', async (t) => {
  const tellings: Record<string, (tell: (...words: string[]) => Promise<unknown>) => Promise<unknown>> = {
    'a key': (tell) => tell('set', `portal:${CODE}`, '1'),
    'a value': (tell) => tell('set', 'portal:x', CODE),
    'a field of a hash': (tell) => tell('hset', 'portal:x', 'data', JSON.stringify({ CODE })),
    'a member of a set': (tell) => tell('zadd', 'portal:x', '1', 'u-7'),
    'a word of a script': (tell) => tell('eval', 'return 1', '0', CODE),
    'a value that is taken back': async (tell) => {
      await tell('set', 'portal:x', CODE)
      await tell('flushall')
    }
  }
  for (const [name, telling] of Object.entries(tellings)) {
    const quiet = quietTest()
    const redis = await startRedis(quiet, () => secrets)
    await telling((command = '', ...words) => redis.look.call(command, ...words))
    await t.rejects(quiet.end(), /Redis was told.*a (?:code|subject)/s, name)
  }
  const clean = quietTest()
  const redis = await startRedis(clean, () => secrets)
  await redis.look.set('portal:x', 'sealed')
  await t.resolves(clean.end(), 'one that was not told passes')
})

t.test('words are heard as they were told', async (t) => {
  const redis = await startRedis(t, () => [])
  const listener = await listenTo(redis.look)
  t.teardown(() => listener.stop())
  const told = ['', 'a key', '{"quoted":"\\\\"}', 'two\r\nlines', '" "', 'x'.repeat(200_000)]
  await redis.look.rpush('portal:x', ...told)
  await redis.look.set('portal:y', Buffer.from([0, 255, 65]))
  await listener.upToDate()
  for (const word of ['portal:x', ...told, '\\x00\\xffA']) t.ok(listener.told.has(word), word.slice(0, 30))
})

t.test('one that is gone again and again is listened to for as long', async (t) => {
  const quiet = quietTest()
  const redis = await startRedis(quiet, () => secrets)
  for (let time = 0; time < 3; time += 1) {
    await redis.look.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await redis.restart()
  }
  await redis.look.set('portal:x', CODE)
  await t.rejects(quiet.end(), /a code/)
})

t.test('a Redis that was gone in between is listened to again', async (t) => {
  const quiet = quietTest()
  const redis = await startRedis(quiet, () => secrets)
  await redis.restart()
  const backend = redis.patientBackend()
  await backend.putOnce('a', CODE, 60_000)
  await t.rejects(quiet.end(), /a code/)
})

t.test('every test with a Redis says whose secrets must not be in it', async (t) => {
  const folder = fileURLToPath(new URL('../server/', import.meta.url))
  const files = globSync('**/*.test.ts', { cwd: folder })
  const calls = files.flatMap((file) =>
    [
      ...readFileSync(folder + file, 'utf8').matchAll(/await start(?:Redis|Sentinels|Cluster)\(([^\n]*)/g)
    ].map(([, parameters = '']) => ({ file, parameters }))
  )
  t.ok(calls.length >= 9)
  for (const { file, parameters } of calls) t.match(parameters, /^[\w.]+, /, file)
})
