// The process: environment → config → build → listen → close on a signal. The only file that touches `process`.
// With --check it tells whether it would work, and ends.
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { build } from './app.ts'
import { createMemoryBackend } from './auth/memory-backend.ts'
import { createRedisBackend } from './auth/redis-backend.ts'
import { check, issuerProblem, redisRemedy, tableOf } from './check.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { shownConfig } from './config-shown.ts'
import { createLog, linesTogether } from './log.ts'
import { buildOperations } from './operations.ts'
import { createMetrics } from './plugins/metrics.ts'
import { connectRedis } from './plugins/redis.ts'
import { noInvalidations } from './portal/invalidations.ts'
import { createRedisInvalidations } from './portal/redis-invalidations.ts'
import { stop } from './stop.ts'

const config = configOrExit()
if (process.argv.includes('--check')) process.exit(await checked())

// Each write costs more than making the line: they are written together, and all of them before the process ends.
const LINES = { minLength: 12_000, periodicFlush: 100 }
const lines = linesTogether(pino.destination({ fd: 1, sync: false, ...LINES }))
process.prependListener('exit', lines.release)
const log = createLog(config.LOG_LEVEL, lines)
const metrics = createMetrics()
// Of a rejection that nobody awaits the calls under way know nothing: it ends none of them.
process.on('unhandledRejection', (err) => {
  log.error({ err }, 'a rejection that nobody handles')
  metrics.telemetry.rejectionUnhandled()
})
// After an exception that nothing caught the state is unknown: it is told, without what Node would print along, and ends.
process.on('uncaughtException', (err) => {
  log.fatal({ err }, 'an exception that nothing catches')
  process.exit(1)
})
log.info({ config: shownConfig(config), node: process.version }, 'starting')
const redis = await connectRedis(config, log).catch((error) => end(redisRemedy(error, 'REDIS_URL')))
const backend = redis ? createRedisBackend(redis) : createMemoryBackend(Date.now)
if (!redis) log.warn('REDIS_URL is not set: sessions live in memory and end with this process')
// Only outside production: what they sign and seal does not outlive this process either.
const secrets = config.SESSION_SECRETS ?? [randomBytes(32).toString('base64')]

metrics.watchProcess()
const invalidations = redis
  ? await createRedisInvalidations(redis, log).catch((error) => end(redisRemedy(error, 'REDIS_URL')))
  : noInvalidations()
const app = await build(config, {
  backend,
  invalidations,
  secrets,
  clock: Date.now,
  log,
  telemetry: metrics.telemetry
})
const operations = await buildOperations({ app, config, metrics, clock: Date.now })
const hurry = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => stopOn(signal).catch(cannotStop))

await operations.listen({ port: config.METRICS_PORT, host: config.HOST }).catch(portTaken('METRICS_PORT'))
await app.listen({ port: config.PORT, host: config.HOST }).catch(portTaken('PORT'))
log.info({ addresses: app.addresses(), operations: operations.addresses() }, 'listening')
// An authority that is away now may come back: calls of people who are signed in do not need it.
void issuerProblem(config.OIDC_ISSUER).then((problem) => {
  if (problem !== null) log.error({ issuer: config.OIDC_ISSUER }, `nobody can sign in yet: ${problem}`)
})

/** On SIGTERM balancers get time to notice; a person at a terminal, and whoever asks twice, does not wait. */
async function stopOn(signal: string): Promise<void> {
  if (signal === 'SIGINT' || app.draining.begun) hurry.abort()
  if (app.draining.begun) return
  log.info({ signal }, 'stopping')
  const deadlineMs = config.SHUTDOWN_DEADLINE_SECONDS * 1000
  const whole = await stop(app, {
    delayMs: config.SHUTDOWN_DELAY_SECONDS * 1000,
    deadlineMs,
    hurry: hurry.signal
  })
  await Promise.all([invalidations.close(), operations.close()])
  await backend.close()
  if (whole) log.info('stopped')
  else log.warn('stopped, and calls that took too long were cut off')
  process.exit()
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

/** The exit code. */
async function checked(): Promise<number> {
  const findings = await check(config, Date.now, pino({ level: 'silent' }))
  const found = [{ what: 'settings', where: 'environment', problem: null }, ...findings]
  process.stdout.write(`${tableOf(found)}\n`)
  return found.every(({ problem }) => problem === null) ? 0 : 1
}

/** It was told to end, so it does. */
function cannotStop(err: unknown): never {
  log.fatal({ err }, 'stopping failed')
  process.exit(1)
}

function end(problem: string): never {
  process.stderr.write(`The gateway cannot start: ${problem}\n`)
  process.exit(1)
}

function portTaken(setting: string) {
  return (error: NodeJS.ErrnoException): never => end(`${error.message}: choose another ${setting}`)
}
