// The process: environment → config → build → listen → close on a signal. The only file that touches `process`.
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { build } from './app.ts'
import { createMemoryBackend } from './auth/memory-backend.ts'
import { createRedisBackend } from './auth/redis-backend.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { connectRedis } from './plugins/redis.ts'
import { noInvalidations } from './portal/invalidations.ts'
import { createRedisInvalidations } from './portal/redis-invalidations.ts'

const config = configOrExit()
const log = pino({ level: config.LOG_LEVEL })
const redis = await connectRedis(config, log).catch((err) => {
  log.fatal({ err }, 'Redis does not answer: check REDIS_URL')
  process.exit(1)
})
const backend = redis ? createRedisBackend(redis) : createMemoryBackend(Date.now)
if (!redis) log.warn('REDIS_URL is not set: sessions live in memory and end with this process')
// Only outside production: what they sign and seal does not outlive this process either.
const secrets = config.SESSION_SECRETS ?? [randomBytes(32).toString('base64')]

const invalidations = redis ? await createRedisInvalidations(redis, log) : noInvalidations()
const app = await build(config, { backend, invalidations, secrets, clock: Date.now, log })
await app.listen({ port: config.PORT, host: config.HOST })

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await app.close()
    await invalidations.close()
    await backend.close()
  })
}

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
