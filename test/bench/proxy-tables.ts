// The tables of proxy.ts.
import { type Latency, median, quantile, table } from './figures.ts'
import type { Memory } from './programs/usage.ts'
import { CONNECTIONS, RATE, type Round, type Turns } from './proxy.ts'
import { PEOPLE } from './surroundings.ts'

/** @param measured how many rounds there were; those missing were disturbed */
export function costs(rounds: Turns[], measured: number): string {
  const row = (name: string, of: Round[]) => {
    const cpu = of.map(({ cpuSeconds }) => cpuSeconds)
    const speed = median(of.map(({ callsPerSecond }) => callsPerSecond))
    return [name, median(cpu).toFixed(2), quantile(cpu, 0).toFixed(2), Math.round(speed)]
  }
  const of = (name: keyof Turns) => rounds.map((turns) => turns[name])
  const compared = (name: keyof Turns, other: keyof Turns) => {
    const ratios = rounds.map((turns) => turns[name].cpuSeconds / turns[other].cpuSeconds)
    const spread = [0.25, 0.75].map((q) => quantile(ratios, q).toFixed(2)).join(' to ')
    return `median ${median(ratios).toFixed(2)} (middle half ${spread})`
  }
  const head = [`${CONNECTIONS} calls at a time`, 'CPU s per 10,000 calls', 'least', 'calls/s']
  const servers = [
    row('bare proxy', of('bare')),
    row('@fastify/session, tuned, and one role check', of('session')),
    row('gateway', of('gateway')),
    row('gateway, LOG_LEVEL=warn', of('quiet'))
  ]
  return `${table(head, servers)}

CPU of the gateway / bare proxy: ${compared('gateway', 'bare')}; without a line in the log for each call: ${compared('quiet', 'bare')}.
CPU of the gateway / tuned session: ${compared('gateway', 'session')}; without a line in the log for each call, as that one: ${compared('quiet', 'session')}.
${rounds.length} of ${measured} rounds.
`
}

/** Added to what the upstream takes when it is called directly. */
export function addedLatency(latencies: Map<string, Latency>): string {
  const direct = latencies.get('upstream') as Latency
  const ms = (value: number) => value.toFixed(2)
  const rows = [...latencies].map(([name, { p50, p99 }]) => [
    name,
    ms(p50),
    ms(p99),
    ms(p50 - direct.p50),
    ms(p99 - direct.p99)
  ])
  return `${table([`${RATE} calls/s`, 'p50 ms', 'p99 ms', 'added p50 ms', 'added p99 ms'], rows)}\n`
}

export function memoryOf(
  { unused, warm, used }: Record<'unused' | 'warm' | 'used', Memory>,
  sessionBytes: number
): string {
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  const perSession = (bytes: number) => mb((bytes * 10_000) / PEOPLE)
  const rows = [
    ['Redis, for 10,000 sessions', perSession(sessionBytes)],
    ['gateway RSS, started', mb(unused.rssBytes)],
    [`gateway RSS, after calls of ${PEOPLE} sessions`, mb(used.rssBytes)],
    ['gateway heap, for 10,000 sessions in use', perSession(used.heapBytes - warm.heapBytes)]
  ]
  return `\n${table(['memory', 'MB'], rows)}`
}
