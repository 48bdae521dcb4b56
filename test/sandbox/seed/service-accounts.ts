// Service accounts, with secrets that expire at different times.
import { type RoleName, roleNumber } from '../records/roles.ts'
import type { OrganizationRecord } from '../records/sites.ts'
import { type State, scopeOf } from '../state.ts'
import { uuid } from './names.ts'
import { NOTABLE } from './notable.ts'
import { type Random, randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const DAY_MS = 86_400_000
const NAMES: [name: string, description: string][] = [
  ['Energy Dashboard', 'Reads meters every quarter of an hour for the energy dashboard in the lobby.'],
  ['Fault Detection', 'Nightly fault detection and diagnostics over all air handling units.'],
  ['Tenant Billing', 'Monthly billing of heat and electricity.'],
  ['Weather Optimizer', "Compares setpoints with tomorrow's weather forecast."],
  ['Maintenance Desk', 'Opens a work order for each alarm.\nAsk the desk before you change anything here.'],
  [
    'Data Lake',
    'Copies histories into the data lake, all points of all projects, in the small hours of the night.'
  ],
  ['Digital Twin', 'Live values for the three-dimensional model.'],
  ['Carbon Report', 'Quarterly carbon report.'],
  ['Comfort Survey', ''],
  ['Sub-metering & Costs', 'Cost centres by floor.'],
  ['Lift Monitor', ''],
  [
    'Room Booking',
    'Switches rooms to occupied before a booked meeting begins, and back to unoccupied after it ended.'
  ],
  ['Night Watch', 'Alarms to the night porter.'],
  ["Facility Manager's App", 'The app of the facility manager.']
]
// Days until a secret expires: negative after the expiry, null if the account has no secret.
const EXPIRY_DAYS = [-12, 3, 7, 18, 30, 85, 200, 340, null]

export function addServiceAccounts(state: State): void {
  const random = randomFrom(4711)
  for (const customer of state.organizations.values()) {
    if (customer.partnerId === null) continue
    const count = customer.id === NOTABLE.northwind ? NAMES.length : random.below(5)
    for (let index = 0; index < count; index++) addServiceAccount(state, customer, index, random)
  }
}

function addServiceAccount(state: State, customer: OrganizationRecord, index: number, random: Random): void {
  const today = startOfDay(state.clock())
  const id = `sa-${customer.id.replace('c-', '')}-${index + 1}`
  const [serviceName, description] = NAMES[index] as [string, string]
  const daysLeft = EXPIRY_DAYS[(index + random.below(2)) % EXPIRY_DAYS.length] ?? null
  const ageDays = 40 + random.below(600)
  const role: RoleName = random.below(3) === 0 ? 'nds_operator' : 'customer_user'
  const iso = (days: number): string => new Date(today + days * DAY_MS).toISOString()
  state.serviceAccounts.add({
    id,
    serviceName,
    description,
    clientId: `sa-${uuid(random)}`,
    secretExpiration: daysLeft === null ? null : iso(daysLeft),
    createdBy: 'Paula Andersson',
    createdDate: iso(-ageDays),
    lastUsedDate:
      daysLeft === null || random.below(5) === 0 ? null : iso(-random.below(Math.min(ageDays, 30))),
    customerId: customer.id,
    roleAssignments: [
      { id: `ra-${id}-1`, scope: scopeOf(customer), roleNumber: roleNumber(role), roleName: role }
    ]
  })
}
