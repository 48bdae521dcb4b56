// Starts a sandbox and a gateway on free ports, and signs users in by the real code flow.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { build } from '#server/app.ts'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { type Config, readConfig } from '#server/config/settings.ts'
import { LIMITS, type Limits } from '#server/http/limits.ts'
import { createLog } from '#server/observability/log.ts'
import type { Recorder } from '#server/observability/recorder.ts'
import type { StartSpan } from '#server/observability/trace.ts'
import type { ReplicaMessages } from '#server/replica-messages.ts'
import { gatewaySettings, type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/app.ts'
import { CookieJar, postSignIn } from '../sandbox/sign-in-flow.ts'
import { freePort } from './free-port.ts'
import type { Test } from './teardown.ts'

export { freePort }

export interface Portal {
  url: string
  app: FastifyInstance
  config: Config
  sandbox: Sandbox
  backend: SessionBackend
  logged: string[]
  as(username: string): Promise<Browser>
}

export interface PortalOptions {
  env?: Record<string, string>
  sandbox?: SandboxOptions
  startedSandbox?: Sandbox
  backend?: SessionBackend
  messages?: ReplicaMessages
  /** The clock that replicas share. */
  clock?: () => number
  /** By default the clock that replicas share, so that a test sets both. */
  steadyClock?: () => number
  /** The clock of this replica's machine. */
  localClock?: () => number
  secrets?: string[]
  recorder?: Recorder
  startSpan?: StartSpan
  /** Replaces production limits, so that tests need not wait. */
  limits?: Partial<Limits>
}

/** Time limits of the gateway that a busy machine could exceed. A test of a limit sets it itself. */
const PATIENT_LIMITS = { authorityMs: 60_000, userMs: 60_000, signInWaitMs: 60_000 }

export async function startPortal(t: Test, options: PortalOptions = {}): Promise<Portal> {
  const clock = options.clock ?? Date.now
  const port = await freePort()
  const url = `http://localhost:${port}`
  const sandbox = options.startedSandbox ?? (await startSandbox({ ...options.sandbox, gatewayUrl: url }))
  const config = readConfig({
    LOG_LEVEL: 'trace',
    NODE_ENV: 'test',
    PORT: String(port),
    PUBLIC_URL: url,
    ...gatewaySettings(sandbox),
    // Tests make more calls than people do.
    SESSION_CALLS_PER_MINUTE: '1000000',
    BODY_MB_PER_MINUTE: '10000',
    ...options.env
  })
  const backend = options.backend ?? createMemoryBackend(clock)
  const logged: string[] = []
  const log = createLog('trace', { write: (line: string) => void logged.push(line) })
  const secrets = options.secrets ?? [randomBytes(32).toString('base64')]
  const { messages, recorder, localClock, startSpan } = options
  const app = await build(config, {
    backend,
    secrets,
    clock,
    steadyClock: options.steadyClock ?? clock,
    ...(localClock ? { localClock } : {}),
    log,
    ...(messages ? { messages } : {}),
    limits: { ...LIMITS, ...PATIENT_LIMITS, ...options.limits },
    ...(recorder ? { recorder } : {}),
    startSpan
  })
  await app.listen({ port, host: 'localhost' })
  t.teardown(async () => {
    // Browsers keep unused connections open, and closing would wait for each, also for one that is opened meanwhile.
    const closing = setInterval(() => app.server.closeAllConnections(), 10)
    await app.close().finally(() => clearInterval(closing))
    if (!options.backend) await backend.close()
    if (!options.startedSandbox) await sandbox.stop()
    refuseSecrets(logged, [config.OIDC_CLIENT_SECRET ?? '', ...secrets])
  })

  const browsers = new Map<string, Promise<Browser>>()
  const as = (username: string): Promise<Browser> => {
    const browser = browsers.get(username) ?? signIn(url, sandbox, username)
    browsers.set(username, browser)
    return browser
  }
  return { url, app, config, sandbox, backend, logged, as }
}

/** Throws when a log contains a token, a cookie or a secret. */
function refuseSecrets(logged: readonly string[], secrets: readonly string[]): void {
  const longSecrets = secrets.filter((secret) => secret.length > 10)
  const line = logged.find((one) => SECRET.test(one) || longSecrets.some((secret) => one.includes(secret)))
  if (line !== undefined) throw new Error(`a secret was logged: ${line}`)
}

const SECRET =
  /eyJ[\w-]{6,}\.|bearer [\w.-]{12,}|(?:__Host-)?portal(?:_\w+)?=[\w.%-]{12,}|(?:code|client_secret|code_verifier|refresh_token|client_assertion)=[\w.%-]{8,}/i

export class Browser {
  readonly url: string
  readonly jar: CookieJar
  constructor(url: string, jar = new CookieJar()) {
    this.url = url
    this.jar = jar
  }

  call(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { 'x-portal-csrf': '1', origin: this.url, ...(init.headers as Record<string, string>) }
    return this.jar.fetch(new URL(path, this.url).href, { ...init, headers })
  }

  async json<T>(path: string): Promise<T> {
    const answer = await this.call(path)
    if (!answer.ok) throw new Error(`${answer.status} ${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

export async function signIn(
  url: string,
  sandbox: Sandbox,
  username: string,
  returnTo = '/'
): Promise<Browser> {
  const browser = new Browser(url)
  const { jar } = browser
  const callback = await upToCallback(browser, sandbox, username, returnTo)
  const callbackAnswer = await jar.fetch(callback)
  const location = callbackAnswer.headers.get('location')
  if (location !== returnTo) throw new Error(`the sign-in as ${username} led to ${location}`)
  return browser
}

export async function upToCallback(
  browser: Browser,
  sandbox: Sandbox,
  username: string,
  returnTo = '/'
): Promise<string> {
  const { jar, url } = browser
  const loginAnswer = await jar.fetch(`${url}/auth/login?returnTo=${encodeURIComponent(returnTo)}`)
  const page = await jar.follow(await jar.follow(loginAnswer, url), sandbox.url)
  const signInAnswer = await postSignIn(jar, sandbox, await page.text(), username)
  const authorityAnswer = await jar.follow(signInAnswer, sandbox.url)
  return authorityAnswer.headers.get('location') ?? ''
}
