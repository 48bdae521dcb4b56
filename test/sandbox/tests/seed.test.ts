import t from 'tap'
import { NOTABLE, seed } from '../seed.ts'
import { SIGN_INS, signInTable } from '../sign-ins.ts'
import { customersOf, type State } from '../state.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-14T12:00:00Z')
const state = seed(() => NOON)

/** Everything that the state holds, as text. */
function written(state: State): string {
  const { organizations, users, invitations, projects, devices, subscriptions } = state
  return JSON.stringify(
    [organizations, users, invitations, projects, devices, subscriptions].map((one) => [...one.values()])
  )
}

t.test('the data are the same for the same day, whatever the hour, and on every run', async (t) => {
  t.equal(written(seed(() => NOON)), written(state))
  t.equal(written(seed(() => NOON + 5 * 3_600_000)), written(state))
  t.not(written(seed(() => NOON + DAY_MS)), written(state))
})

t.test('there are three integrators, one without tech view, and the first has 45 customers', async (t) => {
  const integrators = [...state.organizations.values()].filter((one) => one.partnerId === null)
  t.equal(integrators.length, 3)
  t.equal(customersOf(state, NOTABLE.partner).length, 45)
  t.ok(customersOf(state, NOTABLE.thirdPartner).length > 3)
  t.equal(state.organizations.get(NOTABLE.partner)?.isTechViewEnabled, true)
  t.equal(state.organizations.get(NOTABLE.partnerWithoutTechView)?.isTechViewEnabled, false)
  t.equal(state.organizations.get(NOTABLE.otherPartnersCustomer)?.partnerId, NOTABLE.partnerWithoutTechView)
  const names = [...state.organizations.values()].map((one) => one.orgName)
  t.equal(new Set(names).size, names.length, 'organization names are unique')
})

t.test('the notable customers are of the promised sizes', async (t) => {
  const sizes = (id: string) => [state.projects.of(id).length, state.devices.of(id).length]
  t.equal(state.organizations.get(NOTABLE.northwind)?.orgName, 'Northwind Hospitals')
  t.same(sizes(NOTABLE.northwind), [63, 1240])
  t.same(sizes(NOTABLE.withoutProjects), [0, 0])
  t.same(sizes(NOTABLE.withoutDevices), [1, 0])
  for (const id of [...NOTABLE.multi, ...NOTABLE.custom]) t.ok((sizes(id)[1] ?? 0) > 0, id)
})

t.test('names and locations hold allowed characters only, at most 50 of them', async (t) => {
  const allowed = /^[A-Za-z0-9\-_&,.'` ]{1,50}$/
  const projects = [...state.projects.values()].map((one) => one.projectName)
  const devices = [...state.devices.values()].flatMap((one) => [one.deviceName, one.location])
  for (const text of new Set([...projects, ...devices])) if (!allowed.test(text)) t.fail(text)
  t.ok(devices.some((text) => text.includes('&')))
  t.ok(devices.some((text) => text.includes("'")))
})

t.test('project names are unique at their customer, device names repeat across projects', async (t) => {
  for (const id of state.organizations.keys()) {
    const names = state.projects.of(id).map((one) => one.projectName.toLowerCase())
    t.equal(new Set(names).size, names.length, id)
  }
  const names = state.devices.of(NOTABLE.northwind).map((one) => one.deviceName)
  t.ok(new Set(names).size < names.length)
})

t.test('devices have identifiers of the right form, each once', async (t) => {
  const devices = [...state.devices.values()]
  for (const field of ['id', 'deviceUuid', 'hostId', 'systemGuid'] as const)
    t.equal(new Set(devices.map((one) => one[field])).size, devices.length, field)
  t.ok(devices.every((one) => /^Qnx-[A-Z]+(-[0-9A-F]{4}){4}$/.test(one.hostId)))
  t.ok(
    devices.every((one) =>
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(one.deviceUuid)
    )
  )
  t.ok(devices.every((one) => Date.parse(one.createdDate) < NOON))
})

t.test('every combination of services and every nearness of the end is there', async (t) => {
  const list = state.subscriptions.get(NOTABLE.northwind) ?? []
  const combinations = state.devices.of(NOTABLE.northwind).map((device) =>
    list
      .filter((one) => one.deviceUuid === device.deviceUuid)
      .map((one) => one.offeringCode)
      .sort()
      .join('+')
  )
  t.same([...new Set(combinations)].sort(), [
    '',
    'NDS',
    'NDS+Recover',
    'NDS+Recover+Remote',
    'NDS+Remote',
    'Recover',
    'Recover+Remote',
    'Remote'
  ])
  const days = list.map((one) => Math.ceil((Date.parse(one.endDate) - NOON) / DAY_MS))
  t.ok(
    days.some((left) => left <= 0),
    'expired'
  )
  t.ok(
    days.some((left) => left > 0 && left <= 7),
    'within 7 days'
  )
  t.ok(
    days.some((left) => left > 7 && left <= 30),
    'within 30 days'
  )
  t.ok(
    days.some((left) => left > 365),
    'far ahead'
  )
  t.ok(list.every((one) => one.startDate < one.endDate))
  t.ok(list.every((one) => (one.planLimit !== undefined) === (one.offeringCode === 'NDS')))
})

t.test('the sample people hold what the table promises', async (t) => {
  const held = (username: string) => {
    const user = [...state.users.values()].find((one) => one.username === username)
    return [user?.userType, ...(user?.roleAssignments ?? []).map((one) => `${one.roleName} ${one.scope}`)]
  }
  const at = (id: string) => `/organizations/100/customers/${id}`
  t.same(held('global.admin'), ['INTERNAL', 'global_admin /'])
  t.same(held('partner.admin'), ['PARTNER', 'partner_admin /organizations/100'])
  t.same(held('customer.admin'), ['CUSTOMER', `customer_admin ${at(NOTABLE.northwind)}`])
  t.same(held('customer.multi'), ['CUSTOMER', ...NOTABLE.multi.map((id) => `customer_user ${at(id)}`)])
  t.same(held('custom.user'), [
    'PARTNER',
    'custom /organizations/100',
    `customer_admin ${at(NOTABLE.custom[0])}`,
    `customer_user ${at(NOTABLE.custom[1])}`
  ])
  t.same(held('no.access'), ['UNASSIGNED'])
  t.same(held('invited.user'), ['UNASSIGNED'])
  for (const { username } of SIGN_INS) t.match(signInTable(), username)
})

t.test('there are a few hundred ordinary people, some of them with more around the role name', async (t) => {
  const users = [...state.users.values()]
  t.ok(users.length > 200)
  t.ok(users.some((user) => user.roleAssignments.some((one) => one.roleName === 'ncp_partner_admin')))
  t.equal(new Set(users.map((user) => user.email)).size, users.length)
  t.ok(users.some((user) => user.status === 'DISABLED'))
})

t.test('a customer of 100,000 devices is built where it is asked for', async (t) => {
  const big = seed(() => NOON, { devices: 100_000 })
  t.equal(big.devices.of(NOTABLE.huge).length, 100_000)
})

t.test('many users and service accounts are added where they are asked for', async (t) => {
  const many = seed(() => NOON, { users: 1000, serviceAccounts: 100 })
  t.equal(many.users.size, state.users.size + 1000)
  t.equal(
    many.serviceAccounts.of(NOTABLE.northwind).length,
    state.serviceAccounts.of(NOTABLE.northwind).length + 100
  )
  const names = many.serviceAccounts.of(NOTABLE.northwind).map(({ serviceName }) => serviceName)
  t.equal(new Set(names).size, names.length)
})
