// How commands reach Redis, and which answers they may take; what else happens while it is in trouble show the tests of auth/.
import { Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { readConfig } from '#server/config.ts'
import { connectRedis } from '#server/plugins/redis.ts'
import { eventually, startRedis } from '../redis-server.ts'
import { startTcpProxy } from '../tcp-proxy.ts'

// Nobody signs in here.
const { url } = await startRedis(t, () => [])

async function connected(t: Test, redisUrl: string): Promise<Redis> {
  const config = readConfig({
    NODE_ENV: 'test',
    OIDC_ISSUER: 'http://localhost:1',
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'unused',
    UPSTREAM_URL: 'http://localhost:1',
    REDIS_URL: redisUrl
  })
  const redis = await connectRedis(config, pino({ level: 'silent' }))
  if (!(redis instanceof Redis)) throw new Error('one node is one connection')
  t.teardown(() => redis.disconnect())
  return redis
}

t.test('after an answer got lost no command takes that of another, however many follow', async (t) => {
  const wire = await startTcpProxy(t, Number(new URL(url).port))
  const redis = await connected(t, `redis://127.0.0.1:${wire.port}`)
  wire.loseAnswerTo('get')
  await t.rejects(redis.get('a'), /timed out|closed/i)
  t.equal(wire.lost(), 1)
  const wrong: string[] = []
  let right = 0
  const ask = async (word: string) => {
    const answer = await redis.echo(word).catch(() => null)
    if (answer === word) right += 1
    else if (answer !== null) wrong.push(`${word} was answered ${answer}`)
  }
  // Never a pause in which the connection could be found idle.
  await eventually(async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => ask(`${right}-${number}`)))
    return right >= 1000
  })
  t.strictSame(wrong, [])
})

t.test('commands of one turn each get their own answer, and a lone one waits for nobody', async (t) => {
  const redis = await connected(t, url)
  const numbers = Array.from({ length: 50 }, (_, number) => `${number}`)
  t.strictSame(await Promise.all(numbers.map((number) => redis.echo(number))), numbers)
  t.equal(await redis.echo('alone'), 'alone')
})
