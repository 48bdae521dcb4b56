// Shared by the benchmarks: takes turns of several kinds in rounds, so that other work of the machine affects all kinds
// alike, and compares them.
import { median, quantile, table } from './figures.ts'
import type { Answered } from './programs/load.ts'

export interface Bench {
  seconds: number
  teardown: (work: () => unknown) => void
  print: (text: string) => void
}

export interface Benchmark {
  name: string
  weight: number
  alone?: true
  run: (bench: Bench) => Promise<void>
}

export type Rounds<Kind extends string, Figures> = readonly Readonly<Record<Kind, Figures>>[]

interface Extent {
  seconds: number
  atLeast: number
  atMost?: number
}

/** Takes a turn of each kind in every round until the time is up; every second round goes backwards. */
export async function takeRounds<Kind extends string, Figures>(
  kinds: readonly Kind[],
  take: (kind: Kind) => Promise<Figures>,
  { seconds, atLeast, atMost = Number.POSITIVE_INFINITY }: Extent
): Promise<Rounds<Kind, Figures>> {
  const rounds: Record<Kind, Figures>[] = []
  const begun = performance.now()
  const passed = () => (performance.now() - begun) / 1000
  // A further round must fit into what is left.
  while (
    rounds.length < atLeast ||
    (rounds.length < atMost && passed() * (1 + 1 / rounds.length) < seconds)
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
  failed: number
}

export function othersOf(answered: readonly Answered[]): Others {
  const ms = answered.map((one) => one.ms)
  const failed = answered.filter(({ status }) => status < 200 || status >= 400).length
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), failed }
}

interface Comparison<Kind extends string, Figures> {
  title: string
  quiet: (kind: Kind) => Kind | undefined
  goal: number
  more?: Record<string, (kind: Kind) => string | number>
  of: (figures: Figures) => Others
}

export function othersTable<Kind extends string, Figures>(
  kinds: readonly Kind[],
  rounds: Rounds<Kind, Figures>,
  { title, quiet, goal, more = {}, of }: Comparison<Kind, Figures>
): string {
  const p99 = (figures: Figures) => of(figures).p99
  const rows = kinds.map((kind) => {
    const other = quiet(kind)
    return [
      kind,
      middle(rounds, kind, (figures) => of(figures).p50).toFixed(2),
      middle(rounds, kind, p99).toFixed(2),
      other === undefined ? '' : ratio(rounds, [kind, other], p99),
      rounds.reduce((sum, round) => sum + of(round[kind]).failed, 0),
      ...Object.values(more).map((column) => column(kind))
    ]
  })
  const head = [
    `${title}, ${rounds.length} rounds`,
    'p50 ms',
    'p99 ms',
    `p99 / quiet (goal ${goal})`,
    'failed'
  ]
  return table([...head, ...Object.keys(more)], rows)
}
