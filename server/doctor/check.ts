// `npm start -- --check` connects to Redis, the authority and the upstreams as the gateway does, and prints a table of the
// findings. Leaves nothing behind on these servers.
import pino from 'pino'
import { configWarnings } from '../config/checks.ts'
import type { Config } from '../config/settings.ts'
import type { Clock, Log } from '../types.ts'
import { checkAuthority } from './authority.ts'
import type { Finding } from './finding.ts'
import { checkRedis } from './redis.ts'
import { identifyUpstreams } from './upstreams.ts'

const TIMEOUT_MS = 5_000

/** The program behind `--check`: prints the findings and returns the exit code. */
export async function runCheck(config: Config, { stdout }: Pick<NodeJS.Process, 'stdout'>): Promise<number> {
  const note = configWarnings(config).join('; ') || undefined
  const settings: Finding = { what: 'settings', where: 'environment', problem: null, note }
  const findings = [settings, ...(await check(config, Date.now, pino({ level: 'silent' })))]
  stdout.write(`${tableOf(findings)}\n`)
  return findings.every(({ problem }) => problem === null) ? 0 : 1
}

/** Checks everything that the gateway connects to. Never rejects. */
export async function check(config: Config, clock: Clock, log: Log): Promise<Finding[]> {
  const [redis, authority, upstreams] = await Promise.all([
    checkRedis(config, log, clock),
    checkAuthority(config, clock),
    identifyUpstreams(config, TIMEOUT_MS)
  ])
  const upstreamFindings = [...upstreams].map(([where, problem]) => ({ what: 'upstream', where, problem }))
  return [...redis, ...authority, ...upstreamFindings]
}

/** One line per finding, with aligned columns. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ what, where, problem, note }) => [what, where, problem ?? (note ? `ok, but ${note}` : 'ok')] as const
  )
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const lines = rows.map(([what, where, result]) =>
    [what.padEnd(width(0)), where.padEnd(width(1)), result].join('   ')
  )
  return lines.join('\n')
}
