// The tables of aggregation.ts.
import type { Got } from './aggregation-scene.ts'
import { median, quantile, table } from './figures.ts'
import type { Floor } from './programs/assemblers.ts'
import type { Hold } from './programs/usage.ts'

export interface ColdRound {
  floor: Floor
  /** Parallel pages and maps. */
  mapsMs: number
  /** The gateway: the tree to its last byte. */
  ms: number
  cpuMs: number
  hold: Hold
}

export interface Sized {
  devices: number
  rounds: ColdRound[]
  /** Page after page, with searches in arrays. */
  searchedMs: number
  peakBytes: number
}

export interface Warm {
  devices: number
  firstPage: number
  pages: { p50: number; p99: number; cpuMs: number; count: number; hold: Hold }
  trees: Record<'firstCompressed' | 'plain' | 'compressed' | 'known' | 'lines', Got>
  peakBytes: number
}

const whole = (value: number) => value.toFixed(0)
const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
const floorOf = ({ waiting, parsing, serializing }: Floor) => waiting + parsing + serializing
const middleHalf = (values: number[], digits: number) =>
  [0.25, 0.75].map((q) => quantile(values, q).toFixed(digits)).join(' to ')

export function coldTable(sized: Sized[]): string {
  const of10 = sized.find(({ devices }) => devices === 10_000)
  const cold = (one: Sized) => median(one.rounds.map(({ ms }) => ms))
  const rows = sized.map((one) => {
    const { devices, rounds, searchedMs } = one
    const ratios = rounds.map(({ ms, floor }) => ms / floorOf(floor))
    const toMaps = rounds.map(({ ms, mapsMs }) => ms / mapsMs)
    return [
      devices,
      rounds.length,
      `${devices > 10_000 ? '≈ ' : ''}${whole(searchedMs)}`,
      whole(median(rounds.map(({ mapsMs }) => mapsMs))),
      whole(median(rounds.map(({ floor }) => floorOf(floor)))),
      whole(cold(one)),
      median(toMaps).toFixed(2),
      middleHalf(toMaps, 2),
      median(ratios).toFixed(2),
      of10 ? (cold(one) / cold(of10)).toFixed(1) : ''
    ]
  })
  const head = [
    'cold, ms; devices',
    'rounds',
    'page after page, arrays',
    'parallel, maps',
    'floor',
    'gateway',
    '/ maps (goal 1.0)',
    'middle half',
    '/ floor',
    '/ 10,000'
  ]
  return table(head, rows)
}

export function heldTable(sized: Sized[]): string {
  const rows = sized.map(({ devices, rounds, peakBytes }) => {
    const cpu = rounds.map(({ hold }) => hold.cpuMs)
    const wall = rounds.map(({ hold }) => hold.wallMs)
    return [
      devices,
      whole(median(rounds.map(({ cpuMs }) => cpuMs))),
      `${median(cpu).toFixed(1)} (${quantile(cpu, 0).toFixed(1)} to ${quantile(cpu, 1).toFixed(1)})`,
      `${median(wall).toFixed(1)} (${quantile(wall, 0).toFixed(1)} to ${quantile(wall, 1).toFixed(1)})`,
      mb(peakBytes)
    ]
  })
  return table(
    ['assembling, devices', 'CPU ms', 'main loop held, CPU ms', 'main loop held, wall ms', 'peak RSS, MB'],
    rows
  )
}

export function warmTable({ devices, firstPage, pages, trees, peakBytes }: Warm): string {
  const { p50, p99, cpuMs, count, hold } = pages
  const rows = Object.entries({
    'tree, br, compressed first': trees.firstCompressed,
    'tree, br': trees.compressed,
    'tree, not compressed': trees.plain,
    'tree, its ETag known': trees.known,
    'tree, a device a line': trees.lines
  }).map(([name, { status, ms, bytes }]) => [name, status, ms.toFixed(1), mb(bytes)])
  return [
    table([`warm, ${devices} devices`, 'status', 'ms', 'MB'], rows),
    '',
    `Device pages (search, sort, filter; ${count} calls): p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms each, loop held ${hold.cpuMs.toFixed(1)} ms CPU, ${hold.wallMs.toFixed(1)} ms wall. The first page, which makes the index: ${whole(firstPage)} ms.`,
    `Peak RSS after all of it: ${mb(peakBytes)} MB.`
  ].join('\n')
}
