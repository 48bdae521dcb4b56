// The initial data: the same on every machine, with dates relative to today.
import { addInvitations } from './seed/invitations.ts'
import { INTEGRATORS } from './seed/names.ts'
import { NOTABLE } from './seed/notable.ts'
import { addPeople } from './seed/people.ts'
import { addReportsAndExports } from './seed/reports-and-exports.ts'
import { addServiceAccounts } from './seed/service-accounts.ts'
import { buildSite, type Site } from './seed/sites.ts'
import { emptyState, type State } from './state.ts'

const DEVICES_PER_PROJECT = 16
const DEVICES_PER_EXTRA_CUSTOMER = 530
const FIRST_EXTRA_NUMBER = 10_000

const SIZES: Record<string, { projects: number; devices: number }> = {
  [NOTABLE.northwind]: { projects: 63, devices: 1240 },
  [NOTABLE.withoutProjects]: { projects: 0, devices: 0 },
  [NOTABLE.withoutDevices]: { projects: 1, devices: 0 }
}

export interface Extras {
  devices?: number
  customers?: number
  alarmPaceSeconds?: number
}

export function seed(clock: () => number, extras: Extras = {}): State {
  const { devices = 0, customers: extraCustomers = 0, alarmPaceSeconds = 0 } = extras
  const state = emptyState(clock, alarmPaceSeconds * 1000)
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
  addReportsAndExports(state)
  if (devices > 0) {
    const projects = Math.min(2000, Math.ceil(devices / DEVICES_PER_PROJECT))
    const name = `Continental Estates, ${devices} devices`
    addCustomer(state, NOTABLE.partner, name, { customerId: NOTABLE.huge, kind: 'tower', projects, devices })
  }
  for (let number = 1; number <= extraCustomers; number++)
    addCustomer(state, NOTABLE.partner, `Borough Offices ${number}`, {
      customerId: `c-${FIRST_EXTRA_NUMBER + number}`,
      kind: 'tower',
      projects: Math.ceil(DEVICES_PER_EXTRA_CUSTOMER / DEVICES_PER_PROJECT),
      devices: DEVICES_PER_EXTRA_CUSTOMER
    })
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
