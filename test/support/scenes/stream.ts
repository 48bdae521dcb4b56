// People who follow the alarms of customers in live streams, and what changes meanwhile.
import type { Sandbox } from '#test/sandbox/app.ts'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { raiseAlarm } from '#test/sandbox/simulation/raised-alarms.ts'
import type { Browser } from '#test/support/portal.ts'
import type { Asked } from '../controlled-upstream.ts'
import { type Live, listen } from '../live.ts'
import type { Test } from '../teardown.ts'
import { openSandbox } from './gateway.ts'

export const streamOf = (customerId: string) => `?customerId=${customerId}`
export const NORTHWIND_STREAM = streamOf(NOTABLE.northwind)

/** A sandbox whose clock stands still, so that no alarm begins or ends while a test counts them. */
export function openStoppedSandbox(t: Test): Promise<Sandbox> {
  const startedMs = Date.now()
  return openSandbox(t, { clock: () => startedMs, accessTokenSeconds: 36_000 })
}

export function follow(t: Test, person: Browser, query = NORTHWIND_STREAM): Promise<Live> {
  return listen(t, (path, init) => person.call(path, init), query)
}

/** Whether a call reads alarms. A reading takes two of them. */
export const isAlarmSearch = ({ target }: Asked) => target.includes('alarms:search')

/** Raises an alarm at an air handler of Northwind. */
export function raiseAtNorthwind({ state }: Sandbox): { deviceId: string; uuid: string } {
  const device = state.devices.get(NOTABLE_DEVICES.airHandler)
  if (!device) throw new Error('the sandbox has no such device')
  return { deviceId: device.id, uuid: raiseAlarm(state, device) }
}

interface AssignedRole {
  roleName: string
  scope: string
}

/** Replaces the roles of a person. Returns a function that restores them. */
export function assignRoles({ state }: Sandbox, userId: string, roles: readonly AssignedRole[]): () => void {
  const user = state.users.get(userId)
  if (!user) throw new Error(`the sandbox has no ${userId}`)
  const { roleAssignments } = user
  const assigned = roles.map((role, index) => ({ id: `ra-${userId}-${index}`, roleNumber: 0, ...role }))
  Object.assign(user, { roleAssignments: assigned })
  return () => void Object.assign(user, { roleAssignments })
}

/** Gives two people of the integrator the same role, so that they share readings. */
export function giveEqualRights(sandbox: Sandbox, role: AssignedRole): void {
  for (const id of ['u-partner-user', 'u-partner-admin']) assignRoles(sandbox, id, [role])
}
