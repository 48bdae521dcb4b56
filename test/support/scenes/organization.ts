// An organization with several customers, whose alarms, services, plans and backups the start page counts and lists show.
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Browser, Portal, PortalOptions } from '#test/support/portal.ts'
import { eventually } from '../eventually.ts'
import type { Test } from '../teardown.ts'
import { type Gateway, openGateway } from './gateway.ts'

/** The organization of customer.multi, who has three customers. */
export const MULTI = NOTABLE.multi[0]

export const organizationPath = (rest: string, organization: string = MULTI) =>
  `/api/portal/v1/organizations/${organization}/${rest}`

/** Repeats a call until it has read every customer, and returns its answer. */
export function complete<List extends { partial: readonly unknown[] }>(
  person: Browser,
  path: string,
  withinMs?: number
): Promise<List> {
  return eventually(async () => {
    const list = await person.json<List>(path)
    return list.partial.length === 0 ? list : undefined
  }, withinMs)
}

export type Refusal = [status: number, username: string, path: string]

export async function checkRefusals(
  t: { equal(found: unknown, wanted: unknown, message: string): unknown },
  portal: Portal,
  refusals: readonly Refusal[]
): Promise<void> {
  for (const [status, username, path] of refusals)
    t.equal((await (await portal.as(username)).call(path)).status, status, `${username} ${path}`)
}

export interface Organization extends Gateway {
  /** The time of the gateway and the sandbox, which only the test moves: counts change with time. */
  clock: { nowMs: number }
}

/** A gateway whose sessions last longer than a test moves its clock. */
export async function openOrganization(t: Test, options: PortalOptions = {}): Promise<Organization> {
  const clock = { nowMs: Date.now() }
  const now = () => clock.nowMs
  const gateway = await openGateway(t, {
    sandbox: { clock: now },
    clock: now,
    ...options,
    env: { SESSION_IDLE_SECONDS: '604800', SESSION_ABSOLUTE_SECONDS: '604800', ...options.env }
  })
  return { ...gateway, clock }
}
