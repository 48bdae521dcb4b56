// How commands reach Redis; what happens while it is in trouble show the tests of auth/.
import type { Socket } from 'node:net'
import { Redis } from 'ioredis'
import pino from 'pino'
import t from 'tap'
import { readConfig } from '#server/config.ts'
import { connectRedis } from '#server/plugins/redis.ts'
import { startRedis } from '../redis-server.ts'

// Nobody signs in here.
const { url } = await startRedis(t, () => [])
const config = readConfig({
  NODE_ENV: 'test',
  OIDC_ISSUER: 'http://localhost:1',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'unused',
  UPSTREAM_URL: 'http://localhost:1',
  REDIS_URL: url
})
const redis = await connectRedis(config, pino({ level: 'silent' }))
if (!(redis instanceof Redis)) throw new Error('one node is one connection')
t.teardown(() => redis.disconnect())

/** How often bytes were handed to the system. */
function countWrites(socket: Socket): () => number {
  let writes = 0
  for (const name of ['_write', '_writev'] as const) {
    const write = socket[name] as (...given: unknown[]) => void
    socket[name] = (...given: unknown[]) => {
      writes += 1
      Reflect.apply(write, socket, given)
    }
  }
  return () => writes
}

t.test('commands of one turn leave in one write, and each gets its own answer', async (t) => {
  const writes = countWrites(redis.stream)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => redis.echo(`${number}`)))
  t.strictSame(
    answers,
    Array.from({ length: 50 }, (_, number) => `${number}`)
  )
  t.equal(writes(), 1)
  await redis.ping()
  await redis.ping()
  t.equal(writes(), 3, 'one that is alone waits for nobody')
})

t.test('after a lost connection the next one does the same', async (t) => {
  const ready = new Promise((resolve) => redis.once('ready', resolve))
  redis.stream.destroy()
  await ready
  const writes = countWrites(redis.stream)
  await Promise.all([redis.ping(), redis.ping(), redis.ping()])
  t.equal(writes(), 1)
})
