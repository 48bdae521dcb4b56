// Whether a customer has an object, for access decisions: looked up, never believed.
import type { Device } from '#shared/entities.ts'
import type { Turns } from '../upstreams/turns.ts'
import type { Tree } from './tree.ts'

/** Projects by id, devices by id or uuid, systems by guid. */
export type Holdings = (kind: 'project' | 'device' | 'system', name: string) => Promise<boolean>

interface Names {
  device: Set<string>
  system: Set<string>
}

/** Reads the devices when first asked for more than a uuid, in turns, once. */
export function createHoldings({ projects, rows }: Tree, turns: Turns): Holdings {
  const projectIds = new Set(projects.map(({ id }) => id))
  let read: Promise<Names> | undefined

  async function names(): Promise<Names> {
    const found: Names = { device: new Set(), system: new Set() }
    await turns.each(rows.count, (row) => {
      const { id, systemGuid }: Device = JSON.parse(rows.json(row).toString())
      found.device.add(id)
      found.system.add(systemGuid)
    })
    return found
  }

  return async (kind, name) => {
    if (name === '') return false
    if (kind === 'project') return projectIds.has(name)
    if (kind === 'device' && rows.byUuid(name) !== undefined) return true
    read ??= names()
    return (await read)[kind].has(name)
  }
}
