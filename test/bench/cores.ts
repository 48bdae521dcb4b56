// Which core runs what, so that the server under measurement has one for itself: all that loads it runs on the other.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Linux counts in hundredths of a second. */
const MICROSECONDS_PER_TICK = 10_000

const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0
const cores = availableParallelism()

/** The server under measurement. */
export const SERVER_CORE = 0
/** Load, upstream and Redis. */
export const OTHER_CORE = cores > 1 ? 1 : 0

/** The command that runs another one on a core, or on any. */
export function onCore(core: number | null, command: string[]): string[] {
  return canPin && core !== null ? ['taskset', '-c', String(core), ...command] : command
}

/** Moves a running process. */
export function moveToCore(core: number, pid: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)])
}

/** Microseconds that a core has worked since the machine started, for whomever; null where nobody knows. */
export function busyMicroseconds(core: number): number | null {
  if (!canPin || !existsSync('/proc/stat')) return null
  const [, ticks = ''] = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8')) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = ticks.split(' ').map(Number)
  return (user + nice + system + irq + softIrq) * MICROSECONDS_PER_TICK
}

export function describeCores(): string {
  const pinned = canPin
    ? `each server alone on core ${SERVER_CORE}, its load, upstream and Redis on core ${OTHER_CORE}.`
    : 'processes are not pinned to cores (no taskset).'
  return `${cores} cores (${cpus()[0]?.model.trim()}), ${pinned}`
}
