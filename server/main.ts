// The process: environment → config → build → listen → close on a signal. The only file that uses `process`.
// With --check the process reports whether the settings work, with --secrets it prepares a folder of secrets; then it exits.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import pino from 'pino'
import { build } from './app.ts'
import { createMemoryBackend } from './auth/sessions/memory.ts'
import { createRedisBackend } from './auth/sessions/redis.ts'
import { CONTAINER_USERS, prepareSecrets } from './config/secret-files.ts'
import { type Config, ConfigError, readConfig, SETTINGS } from './config/settings.ts'
import { shownConfig } from './config/shown.ts'
import { issuerProblem } from './doctor/authority.ts'
import { check, tableOf } from './doctor/check.ts'
import { redisRemedy } from './doctor/redis.ts'
import { createRedisInvalidations, noInvalidations } from './inventory/invalidations.ts'
import { buildOperations } from './lifecycle/operations.ts'
import { reportSignIn } from './lifecycle/sign-in-report.ts'
import { stop } from './lifecycle/stop.ts'
import { createLog } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import { beginRedis, openRedis, proveRedis } from './redis.ts'
import { createRedisClock } from './redis-clock.ts'

if (process.argv.includes('--secrets')) process.exit(runSecrets())
const config = configOrExit()
if (config.EXTRA_CA_CERTS_FILE)
  setDefaultCACertificates([...getCACertificates('default'), ...config.EXTRA_CA_CERTS_FILE])
if (process.argv.includes('--check')) process.exit(await runCheck())

/** Maximum delay of the start until Redis is connected and its time is known, so that the first calls need not fail. */
const CONNECTED_WITHIN_MS = 1_000
// Buffers log lines, because writes are slow. pino flushes the rest at exit.
const stdout = pino.destination({ fd: 1, sync: false, minLength: 16_000, periodicFlush: 100 })
const log = createLog(config.LOG_LEVEL, stdout)
// The image sets both variables. Otherwise npm sets the version of package.json.
const { npm_package_version, GATEWAY_VERSION = npm_package_version, GATEWAY_REVISION } = process.env
const buildInfo = { version: GATEWAY_VERSION ?? 'unknown', revision: GATEWAY_REVISION ?? 'unknown' }
const metrics = createMetrics()
metrics.setBuild(buildInfo)
// An unhandled rejection does not affect running calls, so the process continues.
process.on('unhandledRejection', (err) => {
  log.error({ err }, 'unhandled rejection')
  metrics.recorder.rejectionUnhandled()
})
// After an uncaught exception the state is unknown, so the process exits. Node's own output could contain secrets.
process.on('uncaughtException', (err) => {
  log.fatal({ err }, 'uncaught exception')
  process.exit(1)
})
// Otherwise Node and libraries write warnings as plain text between the JSON lines.
process.removeAllListeners('warning')
process.on('warning', (err) => log.warn({ err }, 'warning of the process'))
for (const level of ['warn', 'error'] as const)
  console[level] = (...texts: unknown[]) => log[level]({ reason: texts.join(' ') }, 'warning of a library')
log.info({ ...buildInfo, node: process.version, config: shownConfig(config) }, 'starting')
const redis = openRedis(config, log)
const redisClock = redis ? createRedisClock(redis, Date.now, log) : null
const backend = redis ? createRedisBackend(redis) : createMemoryBackend(Date.now)
if (!redis) log.warn('REDIS_URL is not set: sessions are kept in memory and end with this process')
// Production requires the setting. With a random secret, all sessions end with this process.
const secrets = config.SESSION_SECRETS ?? [randomBytes(32).toString('base64')]

metrics.watchProcess()
if (redisClock) metrics.watchClock(redisClock.offsetMs)
const invalidations = redis ? createRedisInvalidations(redis, log) : noInvalidations()
const app = await build(config, {
  backend,
  invalidations,
  secrets,
  clock: redisClock?.now ?? Date.now,
  localClock: Date.now,
  log,
  recorder: metrics.recorder
})
const operations = await buildOperations({ app, config, metrics, clock: Date.now })
const noDelay = new AbortController()
let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => stopOn(signal).catch(cannotStop))

const startup = listen()
await startup
// The process keeps running: Redis and the authority may recover, and signed-in people do not need the authority.
void reportSignIn([redisProblem, authorityProblem], log)

async function redisProblem(): Promise<string | null> {
  try {
    if (redis) await proveRedis(redis)
    return null
  } catch (error) {
    return `Redis: ${redisRemedy(error, config)}`
  }
}

async function authorityProblem(): Promise<string | null> {
  const problem = await issuerProblem(config.OIDC_ISSUER)
  return problem === null ? null : `the authority ${config.OIDC_ISSUER}: ${problem}`
}

async function listen(): Promise<void> {
  const { HOST: host } = config
  await operations.listen({ port: config.METRICS_PORT, host }).catch(portTaken('METRICS_PORT'))
  // Connects only now: building the app blocks the event loop, and connections would time out meanwhile.
  if (redis && redisClock) {
    const isReady = beginRedis(redis).then(redisClock.synchronize)
    await Promise.race([isReady, wait(CONNECTED_WITHIN_MS)]).catch(() => {})
  }
  await app.listen({ port: config.PORT, host }).catch(portTaken('PORT'))
  log.info({ addresses: app.addresses(), operations: operations.addresses() }, 'listening')
}

/** SIGTERM waits until load balancers notice. SIGINT from a terminal, or a second signal, stops at once. */
async function stopOn(signal: string): Promise<void> {
  if (signal === 'SIGINT' || isStopping) noDelay.abort()
  if (isStopping) return
  isStopping = true
  log.info({ signal }, 'stopping')
  // Fastify cannot close while it starts to listen.
  await startup
  const deadlineMs = config.SHUTDOWN_DEADLINE_SECONDS * 1000
  const finished = await stop(app, {
    delayMs: config.SHUTDOWN_DELAY_SECONDS * 1000,
    deadlineMs,
    noDelay: noDelay.signal
  })
  await Promise.all([invalidations.close(), operations.close()])
  redisClock?.close()
  await backend.close()
  if (finished) log.info('stopped')
  else log.warn('stopped; calls beyond the deadline were aborted')
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

/** Prints the findings and returns the exit code. */
async function runCheck(): Promise<number> {
  const findings = await check(config, Date.now, pino({ level: 'silent' }))
  const allFindings = [{ what: 'settings', where: 'environment', problem: null }, ...findings]
  process.stdout.write(`${tableOf(allFindings)}\n`)
  return allFindings.every(({ problem }) => problem === null) ? 0 : 1
}

/** Prepares the folders of secrets, prints the result and returns the exit code. */
function runSecrets(): number {
  const path = argumentAfter('--secrets') ?? ''
  const redisPath = argumentAfter('--redis-secrets')
  const containers = redisPath === undefined ? null : { redisPath, ...CONTAINER_USERS }
  const { SECRETS_FOLDER: shownAs = path, OIDC_ISSUER } = process.env
  const sessionSeconds = Number(
    process.env.SESSION_ABSOLUTE_SECONDS || SETTINGS.SESSION_ABSOLUTE_SECONDS.fallback
  )
  const sandbox = OIDC_ISSUER === 'http://localhost:4000/oidc'
  const rotate = process.argv.includes('--rotate')
  try {
    const nowMs = Date.now()
    const problems = prepareSecrets({ path, shownAs, sandbox, rotate, sessionSeconds, nowMs, containers })
    const successText = rotate ? 'Added a session secret. Restart the replicas.' : 'The secrets are ready.'
    process.stdout.write(problems.length > 0 ? `${problems.join('\n')}\n` : `${successText}\n`)
    return problems.length > 0 ? 1 : 0
  } catch (error) {
    process.stderr.write(`Cannot write the secrets to ${shownAs}: ${(error as Error).message}\n`)
    return 1
  }
}

function argumentAfter(option: string): string | undefined {
  const index = process.argv.indexOf(option)
  return index < 0 ? undefined : process.argv[index + 1]
}

/** Ends the process if the shutdown fails. */
function cannotStop(err: unknown): never {
  log.fatal({ err }, 'shutdown failed')
  process.exit(1)
}

function portTaken(setting: string) {
  return ({ message }: Error): never => {
    process.stderr.write(`The gateway cannot start: ${message}: choose another ${setting}\n`)
    process.exit(1)
  }
}
