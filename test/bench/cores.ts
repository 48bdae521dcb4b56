// Pins the measured server to one core and everything else to another core.
import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus } from 'node:os'

const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0
const cores = availableParallelism()

export const SERVER_CORE = 0
export const OTHER_CORE = cores > 1 ? 1 : 0

export function onCore(core: number, command: string[]): string[] {
  return canPin ? ['taskset', '-c', String(core), ...command] : command
}

export function moveToCore(core: number, pid: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)])
}

export function describeCores(): string {
  const pinText = canPin
    ? `each server on core ${SERVER_CORE}; load, upstream and Redis on core ${OTHER_CORE}.`
    : 'processes not pinned to cores (no taskset).'
  return `${cores} cores (${cpus()[0]?.model.trim()}), ${pinText}`
}
