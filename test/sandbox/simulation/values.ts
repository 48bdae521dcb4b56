// The value of a point at a time: the last written value, or else the simulated value.
import { bits, chance, within } from './chance.ts'
import type { Template } from './equipment.ts'
import { excursionsOf } from './excursions.ts'
import { type Moment, momentsOf } from './moment.ts'
import type { Point, PointValue } from './points.ts'

/** A write that takes effect at a time; null clears earlier writes. */
export interface PointWrite {
  fromMs: number
  value: PointValue | null
}

export type PointWrites = Map<string, PointWrite[]>

const DAY_MS = 86_400_000

export function valuesOf(writes: PointWrites, point: Point): (timeMs: number) => PointValue {
  const { template, seed } = point
  const momentAt = momentsOf(point.device)
  const excursion = excursionsOf(point)
  const simulatedAt = (timeMs: number) =>
    simulate(template, momentAt(timeMs), seed, (value) => excursion(timeMs, value))
  const pointWrites = writes.get(point.cloudId)
  return pointWrites ? (timeMs) => writtenAt(pointWrites, timeMs) ?? simulatedAt(timeMs) : simulatedAt
}

/** Returns the written value that applies at this time, or null without such a value. */
export function writeInForce(writes: PointWrites, cloudId: string, timeMs: number): PointValue | null {
  return writtenAt(writes.get(cloudId) ?? [], timeMs)
}

export function valueText(template: Template, value: PointValue): string {
  if (template.kind === 'Boolean') return value === true ? template.trueText : template.falseText
  if (template.kind === 'Enum') return template.texts[Number(value)] ?? String(value)
  return template.kind === 'Numeric' ? Number(value).toFixed(template.precision) : String(value)
}

export function isOffline(deviceSeed: number): boolean {
  return chance(deviceSeed, 23) < 0.02
}

/** Returns whether the history has a gap at this time. One day in forty has a gap of some hours. */
export function isGap(deviceSeed: number, timeMs: number): boolean {
  const day = Math.floor(timeMs / DAY_MS)
  if (chance(deviceSeed, day, 5) >= 1 / 40) return false
  const startHour = 18 * chance(deviceSeed, day, 6)
  const hour = (timeMs % DAY_MS) / (DAY_MS / 24)
  return hour >= startHour && hour < startHour + 0.5 + 5 * chance(deviceSeed, day, 7)
}

function writtenAt(pointWrites: PointWrite[], timeMs: number): PointValue | null {
  return pointWrites.findLast((write) => write.fromMs <= timeMs)?.value ?? null
}

function simulate(
  template: Template,
  moment: Moment,
  seed: number,
  withExcursion: (value: number) => number
): PointValue {
  if (template.kind === 'String') return template.text(bits(seed, 3))
  const signal = template.signal(moment, seed)
  if (template.kind === 'Boolean') return signal > 0.5
  if (template.kind === 'Enum') return Math.trunc(within(0, template.texts.length - 1, signal))
  const scale = 10 ** template.precision
  return Math.round(within(template.low, template.high, withExcursion(signal)) * scale) / scale
}
