// What the world holds at first: the same on every machine, its dates counted from the clock's day.
import { addInvitations } from './seed/invitations.ts'
import { INTEGRATORS } from './seed/names/organization-names.ts'
import { NOTABLE } from './seed/notable.ts'
import { addPreferences } from './seed/notifications.ts'
import { addPeople } from './seed/people.ts'
import { addReportsAndExports } from './seed/reports-and-exports.ts'
import { addServiceAccounts } from './seed/service-accounts.ts'
import { buildSite, type Site } from './seed/sites.ts'
import { emptyState, type State } from './state.ts'

export { CODES, NOTABLE, NOTABLE_DEVICES } from './seed/notable.ts'

const DEVICES_PER_PROJECT = 16

/** Sizes that the data promise; every other customer is of some ordinary size. */
const SIZES: Record<string, { projects: number; devices: number }> = {
  [NOTABLE.northwind]: { projects: 63, devices: 1240 },
  [NOTABLE.withoutProjects]: { projects: 0, devices: 0 },
  [NOTABLE.withoutDevices]: { projects: 1, devices: 0 }
}

/** Builds the world; `devices` adds one customer of that size to the first integrator. */
export function seed(clock: () => number, devices = 0): State {
  const state = emptyState(clock)
  for (const { id, name, isTechViewEnabled, firstCustomer, customers } of INTEGRATORS) {
    state.organizations.set(id, { id, orgName: name, isTechViewEnabled, partnerId: null })
    customers.forEach((customer, index) => {
      const customerId = `c-${firstCustomer + index}`
      addCustomer(state, id, customer.name, { customerId, kind: customer.kind, ...sizeOf(customerId, index) })
    })
  }
  addPeople(state)
  addInvitations(state)
  addServiceAccounts(state)
  addPreferences(state)
  addReportsAndExports(state)
  if (devices > 0) {
    const projects = Math.min(2000, Math.ceil(devices / DEVICES_PER_PROJECT))
    const name = `Continental Estates, ${devices} devices`
    addCustomer(state, NOTABLE.partner, name, { customerId: NOTABLE.huge, kind: 'tower', projects, devices })
  }
  return state
}

function addCustomer(state: State, partnerId: string, orgName: string, site: Site): void {
  const id = site.customerId
  state.organizations.set(id, { id, orgName, isTechViewEnabled: false, partnerId })
  buildSite(state, site)
}

function sizeOf(customerId: string, index: number): { projects: number; devices: number } {
  const projects = 2 + ((index * 7) % 11)
  return SIZES[customerId] ?? { projects, devices: projects * (3 + ((index * 5) % 8)) }
}
