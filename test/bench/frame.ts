// Shared by the benchmarks. Measures the compared kinds in turn, in several rounds, so that other load on the machine affects
// all kinds equally.
import { median, quantile, table } from './figures.ts'
import type { Answered } from './programs/load.ts'

export interface Bench {
  seconds: number
  teardown: (work: () => unknown) => void
  print: (text: string) => void
}

export interface Benchmark {
  name: string
  /** The relative share of the measuring time. */
  weight: number
  /** Runs only if the command line names it. */
  alone?: true
  run: (bench: Bench) => Promise<void>
}

export type Rounds<Kind extends string, Figures> = readonly Readonly<Record<Kind, Figures>>[]

interface Extent {
  seconds: number
  atLeast: number
  atMost?: number
}

/** Measures each kind once per round until the time is up; every second round reverses the order. */
export async function takeRounds<Kind extends string, Figures>(
  kinds: readonly Kind[],
  take: (kind: Kind) => Promise<Figures>,
  { seconds, atLeast, atMost = Number.POSITIVE_INFINITY }: Extent
): Promise<Rounds<Kind, Figures>> {
  const rounds: Record<Kind, Figures>[] = []
  const startedAt = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000
  // Starts another round only if a round of average length fits into the remaining time.
  while (
    rounds.length < atLeast ||
    (rounds.length < atMost && elapsedSeconds() * (1 + 1 / rounds.length) < seconds)
  ) {
    const round = {} as Record<Kind, Figures>
    for (const kind of rounds.length % 2 === 0 ? kinds : kinds.toReversed()) round[kind] = await take(kind)
    rounds.push(round)
  }
  return rounds
}

export function middle<Kind extends string, Figures>(
  rounds: Rounds<Kind, Figures>,
  kind: Kind,
  of: (figures: Figures) => number
): number {
  return median(rounds.map((round) => of(round[kind])))
}

export function ratio<Kind extends string, Figures>(
  rounds: Rounds<Kind, Figures>,
  [kind, other]: readonly [Kind, Kind],
  of: (figures: Figures) => number
): string {
  const ratios = rounds.map((round) => of(round[kind]) / of(round[other]))
  return `${median(ratios).toFixed(2)} (${[0.25, 0.75].map((q) => quantile(ratios, q).toFixed(2)).join(' to ')})`
}

export interface Others {
  p50: number
  p99: number
  worst: number
  failed: number
}

export function othersOf(answered: readonly Answered[]): Others {
  const ms = answered.map((answer) => answer.ms)
  const failed = answered.filter(({ status }) => status < 200 || status >= 400).length
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), worst: quantile(ms, 1), failed }
}

/** Compares each kind with the kind `quiet`. */
export function othersTable(
  title: string,
  goal: number,
  kinds: readonly string[],
  rounds: Rounds<string, Others>
): string {
  const p99 = (others: Others) => others.p99
  const rows = kinds.map((kind) => [
    kind,
    middle(rounds, kind, ({ p50 }) => p50).toFixed(2),
    middle(rounds, kind, p99).toFixed(2),
    kind === 'quiet' ? '' : ratio(rounds, [kind, 'quiet'], p99),
    Math.max(...rounds.map((round) => round[kind]?.worst ?? 0)).toFixed(1),
    rounds.reduce((sum, round) => sum + (round[kind]?.failed ?? 0), 0)
  ])
  const head = [
    `${title}, ${rounds.length} rounds`,
    'p50 ms',
    'p99 ms',
    `p99 / quiet (goal ${goal})`,
    'worst ms',
    'failed'
  ]
  return table(head, rows)
}
