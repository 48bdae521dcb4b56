// Reports after the start that people cannot sign in, and later that they can.
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import type { Log } from '../types.ts'
import { issuerProblem } from './authority.ts'
import { redisRemedy } from './redis.ts'

/** Returns what prevents sign-ins and its fix; null if nothing does. */
export type SignInCheck = () => Promise<string | null>

/** A busy host may fail a first check, so a failure is reported when it has lasted for three checks. */
const REPORTED_FROM = 3
const CHECK_EVERY_MS = 1_000
/** Interval of the checks after the first report. */
const RETRY_EVERY_MS = 5_000

/** Repeats the checks until each has succeeded. Logs each problem, and at last that sign-in works if a problem was logged. */
export async function reportSignIn(
  checks: readonly SignInCheck[],
  log: Pick<Log, 'error' | 'info'>,
  pause = (ms: number): Promise<unknown> => wait(ms, undefined, { ref: false })
): Promise<void> {
  const reported = new Set<string>()
  let failing = checks
  for (let attempt = 1; ; attempt += 1) {
    const results = await Promise.all(failing.map(async (check) => ({ check, problem: await check() })))
    failing = results.filter(({ problem }) => problem !== null).map(({ check }) => check)
    if (failing.length === 0) break
    for (const { problem } of results) {
      if (problem === null || attempt < REPORTED_FROM || reported.has(problem)) continue
      log.error(`sign-in does not work yet: ${problem}`)
      reported.add(problem)
    }
    await pause(reported.size > 0 ? RETRY_EVERY_MS : CHECK_EVERY_MS)
  }
  if (reported.size > 0) log.info('sign-in works now')
}

/**
 * Checks Redis and the authority, which a sign-in needs.
 * @param proveStore rejects with what is wrong with Redis
 */
export function signInChecks(config: Config, proveStore: () => Promise<unknown>): SignInCheck[] {
  async function checkRedis(): Promise<string | null> {
    try {
      await proveStore()
      return null
    } catch (error) {
      return `Redis: ${redisRemedy(error, config)}`
    }
  }

  async function checkAuthority(): Promise<string | null> {
    const problem = await issuerProblem(config.OIDC_ISSUER)
    return problem === null ? null : `the authority ${config.OIDC_ISSUER}: ${problem}`
  }

  return [checkRedis, checkAuthority]
}
