// The process: environment → config → build → listen → close on a signal. The only file that uses `process`.
// With `--help`, `--secrets` or `--check` it runs that program instead.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import pino from 'pino'
import { build } from './app.ts'
import { type Arguments, HELP, readArguments } from './arguments.ts'
import { createSecretsWatch } from './auth/secrets-watch.ts'
import { createMemoryBackend } from './auth/sessions/memory.ts'
import { createRedisBackend } from './auth/sessions/redis.ts'
import { configWarnings } from './config/checks.ts'
import { type Config, ConfigError, readConfig } from './config/settings.ts'
import { shownConfig } from './config/shown.ts'
import { runCheck } from './doctor/check.ts'
import { reportSignIn, signInChecks } from './doctor/sign-in-report.ts'
import { buildOperations } from './lifecycle/operations.ts'
import { stop } from './lifecycle/stop.ts'
import { createLog } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import { logProcessEvents } from './observability/process-events.ts'
import { beginRedis, openRedis } from './redis.ts'
import { clockDifference, createRedisClock } from './redis-clock.ts'
import { createReplicaMessages, noReplicaMessages } from './replica-messages.ts'
import { runSecrets } from './secrets/program.ts'

const programArguments = argumentsOrExit()
if (programArguments.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
if (programArguments.secrets !== undefined) process.exit(runSecrets(programArguments, process))
const config = configOrExit()
if (config.EXTRA_CA_CERTS_FILE)
  setDefaultCACertificates([...getCACertificates('default'), ...config.EXTRA_CA_CERTS_FILE])
if (programArguments.check) process.exit(await runCheck(config, process))

/** Maximum delay of the start until Redis is connected and its time is known, so that the first calls need not fail. */
const CONNECTED_WITHIN_MS = 1_000
// Buffers log lines, because writes are slow. pino flushes the rest at exit.
const stdout = pino.destination({ fd: 1, sync: false, minLength: 16_000, periodicFlush: 100 })
const log = createLog(config.LOG_LEVEL, stdout)
// The image sets both variables. Otherwise npm sets the version of package.json.
const { npm_package_version, GATEWAY_VERSION = npm_package_version, GATEWAY_REVISION } = process.env
const buildInfo = { version: GATEWAY_VERSION ?? 'unknown', revision: GATEWAY_REVISION ?? 'unknown' }
// Loads the packages of OpenTelemetry only if there is a collector.
const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
  ? (await import('./observability/opentelemetry.ts')).openTracing(config, buildInfo.version, log)
  : null
const metrics = createMetrics({ exemplars: tracing !== null })
metrics.setBuild(buildInfo)
logProcessEvents(process, log, metrics.recorder.rejectionUnhandled)
log.info({ ...buildInfo, node: process.version, config: shownConfig(config) }, 'starting')
for (const warning of configWarnings(config)) log.warn(warning)
const redis = openRedis(config, log)
const redisClock = redis
  ? createRedisClock(redis, { localClock: Date.now, log, onRefused: metrics.recorder.clockRefused })
  : null
const backend = redis ? createRedisBackend(redis) : createMemoryBackend(Date.now)
if (!redis) log.warn('REDIS_URL is not set: sessions are kept in memory and end with this process')
// Production requires the setting. With a random secret, all sessions end with this process.
const secrets = config.SESSION_SECRETS ?? [randomBytes(32).toString('base64')]

const secretsWatch = createSecretsWatch(backend, secrets, log)
metrics.watchProcess()
if (redis) metrics.watchSecrets(secretsWatch.differ)
if (redisClock) metrics.watchClock(redisClock.offsetMs)
const messages = redis ? createReplicaMessages(redis, log) : noReplicaMessages()
const app = await build(config, {
  backend,
  messages,
  secrets,
  clock: redisClock?.now ?? Date.now,
  localClock: Date.now,
  log,
  recorder: metrics.recorder,
  startSpan: tracing?.startSpan
})
const operations = await buildOperations({ app, config, metrics, clock: Date.now })
const noDelay = new AbortController()
let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => stopOn(signal).catch(cannotStop))

const startup = listen()
await startup
// The process keeps running: Redis and the authority may recover, and signed-in people do not need the authority.
if (redis) void secretsWatch.compare()
void reportSignIn(signInChecks(config, app.probes.store), log)

async function listen(): Promise<void> {
  const { HOST: host } = config
  await operations.listen({ port: config.METRICS_PORT, host }).catch(portTaken('METRICS_PORT'))
  // Connects only now: building the app blocks the event loop, and connections would time out meanwhile.
  if (redis && redisClock) {
    const isReady = beginRedis(redis).then(redisClock.synchronize)
    await Promise.race([isReady, wait(CONNECTED_WITHIN_MS)]).catch(() => {})
  }
  await app.listen({ port: config.PORT, host }).catch(portTaken('PORT'))
  const clock = redisClock ? { clockOffsetSeconds: redisClock.offsetMs() / 1000 } : {}
  log.info({ addresses: app.addresses(), operations: operations.addresses(), ...clock }, 'listening')
  const clockProblem = redisClock && clockDifference(redisClock.offsetMs())
  if (clockProblem) log.warn(clockProblem)
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
  await Promise.all([messages.close(), operations.close()])
  redisClock?.close()
  secretsWatch.close()
  await backend.close()
  await tracing?.close()
  if (finished) log.info('stopped')
  else log.warn('stopped; calls beyond the deadline were aborted')
  process.exit()
}

function argumentsOrExit(): Arguments {
  try {
    return readArguments(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
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
