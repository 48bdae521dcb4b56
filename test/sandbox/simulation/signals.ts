// The signals behind the values of points: functions of the moment and the point's seed.
import { bits, chance, wander, within } from './chance.ts'
import type { Moment } from './moment.ts'

export type Signal = (moment: Moment, seed: number) => number

const BUSY_ACTIVITY = 0.25
const HOURS_PER_YEAR = 8766

const isBusy = (moment: Moment): boolean => moment.activity > BUSY_ACTIVITY
/** Heat demand of the building, 0 to 1. */
const heatDemand = (moment: Moment): number =>
  within(0, 1, ((17 - moment.outdoor) / 24) * (0.4 + 0.6 * moment.activity))
/** Cooling demand, 0 to 1. */
const coolingDemand = (moment: Moment): number =>
  within(0, 1, ((moment.outdoor - 13) / 18) * (0.15 + 0.85 * moment.activity))

const noise = (moment: Moment, seed: number, amount: number): number =>
  amount * (0.7 * wander(seed, moment.hours / 3) + 0.3 * wander(seed + 1, moment.hours * 2))

const comfort =
  (base: number, spread = 0.6): Signal =>
  (moment, seed) =>
    base +
    1.5 * (moment.activity - 0.5) +
    0.05 * (moment.outdoor - 12) +
    spread * (chance(seed) - 0.5) +
    noise(moment, seed, spread)

const setpoint =
  (busy: number, idle: number, step = 0.5): Signal =>
  (moment, seed) => {
    const adjustment = (bits(seed, Math.floor(moment.hours / 24 / 9)) % 3) - 1
    return (isBusy(moment) ? busy : idle) + step * adjustment
  }

const withHeat =
  (idle: number, full: number, spread = 0.03): Signal =>
  (moment, seed) =>
    idle + (full - idle) * within(0, 1, heatDemand(moment) + noise(moment, seed, spread))

const withCold =
  (idle: number, full: number, spread = 0.03): Signal =>
  (moment, seed) =>
    idle + (full - idle) * within(0, 1, coolingDemand(moment) + noise(moment, seed, spread))

/** A value that follows the activity in the building. */
const withPeople =
  (idle: number, full: number, spread = 0.05): Signal =>
  (moment, seed) =>
    idle + (full - idle) * within(0, 1, moment.activity + noise(moment, seed, spread))

const outdoors: Signal = (moment, seed) => moment.outdoor + noise(moment, seed, 0.2)

const steady =
  (base: number, spread: number): Signal =>
  (moment, seed) =>
    base + noise(moment, seed, spread)

/** A counter that never falls and rises faster by day. */
const counter =
  (perHour: number): Signal =>
  (moment, seed) => {
    const startHours = HOURS_PER_YEAR * (45 + 8 * chance(seed))
    const daily = 1.2 * Math.sin((2 * Math.PI * (moment.hours - 13)) / 24)
    return perHour * (0.8 + 0.4 * chance(seed, 1)) * Math.max(0, moment.hours - startHours + daily)
  }

/** 1 while the building is busy, and through the night for one point in ten. */
const running: Signal = (moment, seed) => (isBusy(moment) || chance(seed) < 0.1 ? 1 : 0)

const runningForHeat: Signal = (moment) => (heatDemand(moment) > 0.08 ? 1 : 0)
const runningForCold: Signal = (moment) => (coolingDemand(moment) > 0.06 ? 1 : 0)

/** 1 for up to 3.5 hours, about `timesInHundredDays` times in a hundred days. */
const rarely =
  (timesInHundredDays: number): Signal =>
  (moment, seed) => {
    const day = Math.floor(moment.hours / 24)
    if (chance(seed, day) >= timesInHundredDays / 100) return 0
    const startHour = 20 * chance(seed, day, 1)
    const hour = moment.hours % 24
    return hour >= startHour && hour < startHour + 0.5 + 3 * chance(seed, day, 2) ? 1 : 0
  }

const always =
  (value: number): Signal =>
  () =>
    value

/** One of `count` ordinals, changing every `hoursEach` hours by day; 0 by night. */
const stages =
  (count: number, hoursEach = 3): Signal =>
  (moment, seed) =>
    isBusy(moment) ? bits(seed, Math.floor(moment.hours / hoursEach)) % count : 0

/** Signals by name in equipment.tsv. The numbers after the name are the parameters. */
export const SIGNALS: Record<string, (...numbers: number[]) => Signal> = {
  comfort,
  setpoint,
  withHeat,
  withCold,
  withPeople,
  steady,
  counter,
  rarely,
  always,
  stages,
  outdoors: () => outdoors,
  running: () => running,
  runningForHeat: () => runningForHeat,
  runningForCold: () => runningForCold
}
