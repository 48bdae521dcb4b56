// What every list does, for each list of the client. What only one list does is tested with its feature.
import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { type Action, ROLES, rolesAllowing } from '#shared/permissions.ts'
import { alarmRecord } from '../../support/client/alarm-record.ts'
import { customer, DEVICES, devicePage, HERE, MANAGEMENT } from '../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../support/client/dom.ts'
import {
  type Answers,
  type Call,
  CUSTOMERS,
  card,
  device,
  never,
  pageOf,
  problem,
  user
} from '../../support/client/gateway.ts'
import { pointModel } from '../../support/client/points.ts'
import { openPortal } from '../../support/client/portal.tsx'
import {
  accountRecord,
  auditRecord,
  backupRecord,
  exportRecord,
  inDays,
  invitationRecord,
  reportRecord
} from '../../support/client/records.ts'
import { savedFiles } from '../../support/client/saved-files.ts'
import { INVITATIONS, PEOPLE, USERS, userRecord } from '../../support/client/users.ts'

// uPlot dispatches an event of this class when it loads.
Object.assign(globalThis, { CustomEvent: window.CustomEvent })

/** A label, for people whose roles allow the action. */
type Item = string | [label: string, action: Action]

interface List {
  noun: string
  /** The file that shows the list. */
  source: string
  address: string
  /** The call that reads the rows. */
  call: string
  /** The answer with a number of rows. */
  answer: (total: number) => (call: Call) => unknown
  /** The other calls of the page. */
  answers?: Answers
  /** A text of the first row. */
  first: string
  /** Texts that are shown if there are no rows. */
  empty: string[]
  /** The heads of the table on a wide screen; without, its rows are always cards. */
  heads?: string[]
  /** A head that sorts, the field, and the direction of the first click. */
  sort?: [head: string, field: string, order: 'asc' | 'desc']
  /** One call reads all rows, and the client sorts them and cuts the page. */
  isPagedHere?: true
  /** The first columns of the file. */
  file?: string
  /** The actions of the first row. */
  items?: Item[]
  /** The button above the list. */
  button?: [label: string, action: Action]
  /** Who may open the page. */
  view?: Action
}

const TOTAL = 32
const partnerAdmin = user('partner_admin', '/organizations/1')
const numbersOf = (call: Call, total: number) => {
  const [page, size] = [Number(call.query.get('page')), Number(call.query.get('size') ?? total)]
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  return { numbers: numbers.slice(page * size, (page + 1) * size), page: pageOf(total, page, size) }
}
const embedded = (name: string, row: (number: number) => object) => (total: number) => (call: Call) => {
  const { numbers, page } = numbersOf(call, total)
  return { _embedded: { [name]: numbers.map(row) }, page }
}
const items = (row: (number: number) => object) => (total: number) => (call: Call) => {
  const { numbers, page } = numbersOf(call, total)
  return { items: numbers.map(row), page, partial: [] }
}
/** Pages of alarms, or all of them as lines. */
const alarms = (total: number) => (call: Call) => {
  if (call.headers.get('accept') !== 'application/x-ndjson') return items(alarm)(total)(call)
  return new Response(
    Array.from({ length: total }, (_, index) => `${JSON.stringify(alarm(index))}\n`).join('')
  )
}
const auditEntry = (number: number) =>
  auditRecord(number, {
    timestamp: inDays(-number / 24),
    actor: { id: `u-${number}`, type: 'USER', name: `Person ${number}` }
  })
const alarm = (number: number) =>
  alarmRecord(`a-${number}`, { sourceName: `Source ${number}`, timestamp: inDays(-number) })

/** A page of a list over all customers. */
const ofCustomers = (row: (number: number) => object) => (total: number) => (call: Call) => ({
  ...items((number) => ({ customer: card('9'), ...row(number) }))(total)(call),
  customers: { read: 1, of: 1 },
  totals: [{ customer: card('9'), ended: 0, ending: total, more: 0 }],
  readAt: inDays(0)
})

const LISTS: List[] = [
  {
    noun: 'customer',
    source: 'sites/customers/customers-page.tsx',
    address: '/',
    call: CUSTOMERS,
    answer: items((number) => card(String(number))),
    first: 'Customer 1',
    empty: ['No Customers Added']
  },
  {
    noun: 'device',
    source: 'sites/devices/device-list.tsx',
    address: HERE,
    call: DEVICES,
    answer: (total) => (call) => ({
      ...devicePage(
        Array.from({ length: total }, (_, index) => device(index + 1)),
        call
      ),
      partial: []
    }),
    first: 'AHU-1',
    empty: ['No Devices Registered', 'Go to the devices registration page to generate a registration link'],
    heads: ['DeviceHost ID', 'Project', 'Location', 'Services', 'Nearest end', 'Actions'],
    sort: ['Location', 'location', 'asc'],
    file: 'Device,Host ID,Project,Location,Services,Device UUID',
    items: [
      ['Edit Details', 'devices:edit'],
      ['Re-registration', 'devices:register'],
      'Usage Metrics',
      ['Delete', 'devices:delete']
    ]
  },
  {
    noun: 'customer device',
    source: 'sites/worklists/all-devices.tsx',
    address: '/worklists/devices',
    call: '/api/portal/v1/organizations/1/devices',
    answer: ofCustomers((number) => ({ ...device(number), nearestEnd: null })),
    first: 'AHU-1',
    empty: ['No devices yet'],
    heads: ['Customer', 'DeviceHost ID', 'Project', 'Location', 'Services', 'Nearest end'],
    sort: ['Customer', 'customer', 'asc'],
    file: 'Customer,Device,Host ID,Project,Location,Services,Nearest end,Device UUID'
  },
  {
    noun: 'service',
    source: 'sites/worklists/worklist-page.tsx',
    address: '/worklists/services',
    call: '/api/portal/v1/organizations/1/worklists/services',
    answer: ofCustomers((number) => ({ device: device(number), service: 'NDS', endDate: inDays(number) })),
    first: 'AHU-1',
    empty: ['No service has ended or ends within 90 days'],
    heads: ['Customer', 'DeviceHost ID', 'Project', 'Service', 'Ends', 'Days left'],
    sort: ['Service', 'service', 'asc'],
    file: 'Customer,Device,Host ID,Project,Service,Ends,Days left,Device UUID'
  },
  {
    noun: 'point',
    source: 'device-details/points/points-tab.tsx',
    address: '/customers/9/devicedetails?deviceUuid=uuid-1&live=0',
    call: '/api/v1/entitymodel/customers/9/pointNames',
    answer: embedded('pointModels', pointModel),
    answers: customer().answers,
    first: 'Point 1',
    empty: ['No points published by this device'],
    heads: ['Point', 'Path', 'Value', 'Status', 'Type', 'History', 'Actions'],
    sort: ['Type', 'tags.dataType', 'asc']
  },
  {
    noun: 'alarm',
    source: 'alarms/alarms/alarm-board.tsx',
    address: '/customers/9/alarms?show=all',
    call: '/api/portal/v1/customers/9/alarms',
    answer: alarms,
    answers: customer().answers,
    first: 'Source 1',
    empty: ['No alarms: all'],
    heads: ['Priority', 'Source and message', 'State', 'Device', 'Raised', 'Actions'],
    sort: ['State', 'sourceState', 'desc'],
    file: 'Time,Priority,'
  },
  {
    noun: 'backup',
    source: 'recover/backups/backups-page.tsx',
    address: '/customers/9/savedbackups',
    call: '/api/v1/recover/customers/9/backups',
    answer: embedded('backups', backupRecord),
    answers: customer().answers,
    first: 'AHU-1',
    empty: ['No backups yet'],
    heads: ['Taken', 'Device', 'Kind', 'Size', 'Status', 'Notes', 'Locked', 'Actions'],
    sort: ['Device', 'deviceName', 'asc'],
    file: 'Taken,Device,Station,Host ID,Kind',
    view: 'recover:view',
    items: [
      ['Download', 'recover:download'],
      ['Edit note', 'recover:edit'],
      ['Lock', 'recover:edit'],
      ['Delete', 'recover:delete']
    ]
  },
  {
    noun: 'export',
    source: 'data/exports/exports-page.tsx',
    address: '/exports',
    call: '/api/v1/egress/exports',
    answer: embedded('exports', exportRecord),
    button: ['New export', 'exports:initiate'],
    first: 'Export 1',
    empty: ['No exports yet'],
    heads: ['Name', 'Customer', 'Status', 'Rows', 'Requested', 'Requested by', 'Expires', 'Actions'],
    sort: ['Name', 'exportName', 'asc'],
    file: 'Name,Customer,Status,Reason,Points,From,To',
    view: 'exports:view',
    items: [
      ['Download', 'exports:download'],
      ['Run again', 'exports:initiate'],
      ['Delete', 'exports:initiate']
    ]
  },
  {
    noun: 'report',
    source: 'data/reports/reports-page.tsx',
    address: '/reports',
    call: '/api/v1/charts-and-reports/9/reports',
    answer: embedded('reports', reportRecord),
    button: ['New report', 'reports:create'],
    first: 'Report 1',
    empty: ['No saved reports'],
    heads: ['Name', 'Customer', 'Points', 'Range', 'Created by', 'Modified', 'Actions'],
    sort: ['Name', 'reportName', 'asc'],
    isPagedHere: true,
    file: 'Name,Customer,Range,Points,Devices',
    items: [
      'Open',
      'Print',
      'Copy data address',
      ['Duplicate', 'reports:create'],
      ['Rename', 'reports:create'],
      ['Delete', 'reports:delete']
    ]
  },
  {
    noun: 'user',
    source: 'people/users/user-list.tsx',
    address: '/users',
    call: USERS,
    answer: embedded('users', userRecord),
    answers: PEOPLE,
    first: 'Person 1',
    empty: ['No users yet. Add the first user.'],
    heads: ['NameE-mail', 'Organization', 'Type', 'Roles', 'Access', 'Actions'],
    sort: ['Organization', 'organizationName', 'asc'],
    file: 'Name,E-mail,Organization,Type,Roles',
    view: 'users:view',
    items: [
      ['Manage access', 'users:modify-roles'],
      'Copy e-mail',
      'View activity',
      ['Remove accessYou cannot remove your own access.', 'users:modify-roles']
    ]
  },
  {
    noun: 'invitation',
    source: 'people/users/invitations/invitation-list.tsx',
    address: '/users?tab=invitations',
    call: INVITATIONS,
    answer: embedded('userInvitations', invitationRecord),
    answers: PEOPLE,
    first: 'invited.1@northwind.example',
    empty: ['No pending invitations'],
    heads: ['E-mail', 'Invited as', 'Customer', 'Integrator', 'Sent', 'Expires', 'Actions'],
    isPagedHere: true,
    file: 'E-mail,Invited as,Customer',
    view: 'users:view',
    items: [
      ['Resend', 'users:modify-roles'],
      ['Withdraw invitation', 'users:modify-roles']
    ]
  },
  {
    noun: 'service account',
    source: 'people/service-accounts/service-accounts-page.tsx',
    address: '/customers/9/serviceaccount',
    call: `${MANAGEMENT}/organizations/9/serviceAccounts`,
    answer: embedded('serviceAccounts', accountRecord),
    first: 'Account 1',
    empty: ['No service accounts.', "Create one to let other software read this customer's data."],
    heads: ['Name', 'Description', 'Roles', 'Secret expires', 'Created', 'Actions'],
    sort: ['Secret expires', 'secretExpires', 'asc'],
    isPagedHere: true,
    file: 'Name,Description,Roles,Client ID',
    view: 'service-accounts:view',
    items: ['Regenerate secret', 'Edit', 'Delete']
  },
  {
    noun: 'event',
    source: 'people/audit-log/audit-log-page.tsx',
    address: '/auditlog',
    call: `${MANAGEMENT}/organizations/1/auditLogs`,
    // No group of entries goes on elsewhere.
    answer: (total) => (call) =>
      embedded('auditLogs', auditEntry)(call.query.has('actorId') ? 0 : total)(call),
    answers: {
      [DEVICES]: { items: [], page: pageOf(0), partial: [] },
      [`${MANAGEMENT}/organizations/1/auditLogs/search/actions`]: {
        _embedded: { actions: ['DEVICE_UPDATED'] }
      }
    },
    first: 'Person 1',
    empty: ['No activity in this range'],
    heads: ['Time', 'Person', 'What', 'Object', 'Customer', 'Actions'],
    sort: ['Customer', 'customerName', 'asc'],
    file: 'Time,Who,E-mail,Kind,Action,What'
  }
]

/** Each API has its own words for a sort order. */
const asksFor =
  (field: string, order: string) =>
  ({ query }: Call) =>
    [
      [query.get('sort'), query.get('order')],
      [query.get('sortBy'), query.get('sortDir')],
      query.get('sort')?.split(',') ?? []
    ].some(([askedField, askedOrder]) => askedField === field && askedOrder === order)

/** Opens a list of one row. */
async function openShort(t: Test, { address, answers, call, answer, first }: List, user = partnerAdmin) {
  const portal = openPortal(t, address, { ...answers, [call]: answer(1) }, { user })
  await portal.findAllByText(first)
  return portal
}

/** Opens a page of a list with several pages. */
async function openLong(t: Test, { address, answers, call, answer }: List, page: number) {
  const pageAddress = `${address}${address.includes('?') ? '&' : '?'}page=${page}`
  const portal = openPortal(t, pageAddress, { ...answers, [call]: answer(TOTAL) })
  await portal.findByText(/ of 32$/)
  return portal
}

const ROLE_NAMES = ROLES.map(({ name }) => name).filter((name) => name !== 'global_admin')

/** Lists that have no address, or a test of their own. */
const OTHER_LISTS: Record<string, string> = {
  'people/access/scope-picker.tsx': 'a dialog',
  'data/data-service/device-results.tsx': 'the results of a search',
  'device-details/site-points/site-points-page.tsx':
    'two lists of one answer: device-details/site-points.test.tsx'
}

t.test('visits every list', async (t) => {
  const root = fileURLToPath(new URL('../../../client/features', import.meta.url))
  const sources = globSync('**/*.tsx', { cwd: root }).filter((file) =>
    /<List\s/.test(readFileSync(`${root}/${file}`, 'utf8'))
  )
  t.strictSame(sources.sort(), [...LISTS.map(({ source }) => source), ...Object.keys(OTHER_LISTS)].sort())
})

for (const list of LISTS) {
  const { noun, address, call, answer, answers, heads, sort, file, items, view } = list

  t.test(`${noun}s: shows placeholders while they load; “Refresh” reads again after an error`, async (t) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const portal = openPortal(t, address, { ...answers, [call]: () => promise })
    t.ok(await portal.findByText(/^Loading (?!projects)/))
    resolve(problem(503))
    await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
    portal.gateway.answers[call] = answer(1)
    fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
    t.ok(await portal.findAllByText(list.first))
  })

  t.test(`${noun}s: says that there are none`, async (t) => {
    const portal = openPortal(t, address, { ...answers, [call]: answer(0) })
    for (const text of list.empty) t.ok(await portal.findByText(text))
  })

  if (heads) {
    t.test(`${noun}s: has these columns`, async (t) => {
      const portal = await openShort(t, list)
      t.strictSame(textsOf(portal.getAllByRole('columnheader')), heads)
    })

    t.test(`${noun}s: a page past the end is the last page`, async (t) => {
      const portal = await openLong(t, list, 99)
      t.ok(await portal.findByText(/–32 of 32$/))
      if (!list.isPagedHere) t.match(portal.address(), /page=[23]$/)
    })

    t.test(`${noun}s: a phone shows cards`, async (t) => {
      setDisplay({ wide: false })
      const portal = openPortal(t, address, { ...answers, [call]: answer(1) })
      const hasFirst = (text: string | null) => text?.includes(list.first)
      await waitFor(() => assert.ok(textsOf(document.querySelectorAll('li')).some(hasFirst)))
      t.notOk(portal.queryByRole('table'))
    })
  }

  if (sort)
    t.test(`${noun}s: a head sorts in both directions, from the first page`, async (t) => {
      const [head, field, first] = sort
      const portal = await openLong(t, list, 2)
      for (const order of [first, first === 'asc' ? 'desc' : 'asc']) {
        const header = portal.getByRole('columnheader', { name: new RegExp(`^${head}`) })
        fireEvent.click(within(header).getByRole('button'))
        await waitFor(() => {
          const direction = order === 'asc' ? 'ascending' : 'descending'
          assert.equal(header.getAttribute('aria-sort'), direction)
          if (!list.isPagedHere) assert.ok(portal.callsTo(call).some(asksFor(field, order)))
        })
        t.match(portal.address(), `sort=${field}`)
        t.notMatch(portal.address(), 'page=')
      }
      if (list.isPagedHere) t.equal(portal.callsTo(call).length, 1)
    })

  if (file)
    t.test(`${noun}s: are saved as a file with all rows`, async (t) => {
      const files = savedFiles(t)
      const portal = await openLong(t, list, 1)
      fireEvent.click(portal.getByRole('button', { name: /^Export( CSV)?$/ }))
      const asCsv = portal.queryByRole('menuitem', { name: 'As CSV' })
      if (asCsv !== null) fireEvent.click(asCsv)
      await portal.findByText(`32 ${noun}s saved.`)
      const [[fileName, blob] = []] = files
      const lines = ((await blob?.text()) ?? '').trimEnd().split('\r\n')
      t.match(fileName, /-\d{4}-\d\d-\d\d\.csv$/)
      t.equal(lines[0]?.slice(0, file.length), file)
      t.equal(lines.length, 33)
    })

  for (const role of ROLE_NAMES.filter((name) => !rolesThatSee(view).includes(name)))
    t.test(`${noun}s: are neither shown to ${role} nor read`, async (t) => {
      const portal = openPortal(t, address, { ...answers }, { user: user(role, '/organizations/1') })
      t.ok(await portal.findByText(/^Page Not Found$|does not include/))
      t.equal(portal.callsTo(call).length, 0)
    })

  if (items)
    for (const role of rolesThatSee(view))
      t.test(`${noun}s: offers ${role} the permitted actions`, async (t) => {
        const portal = await openShort(t, list, user(role, '/organizations/1'))
        const labels = items.flatMap((item) => {
          if (typeof item === 'string') return [item]
          const [label, action] = item
          return rolesAllowing(action).includes(role) ? [label] : []
        })
        const button = portal.queryAllByRole('button', { name: /^Actions for/ })[0]
        if (button) fireEvent.click(button)
        t.strictSame(textsOf(portal.queryAllByRole('menuitem')), labels)
        if (list.button === undefined) return
        const [label, action] = list.button
        t.equal(portal.queryByRole('button', { name: label }) !== null, rolesAllowing(action).includes(role))
      })
}

t.test('a new sort order stops the reading of all rows for paper', async (t) => {
  const list = LISTS.find(({ noun }) => noun === 'device') as List
  const portal = await openLong(t, list, 1)
  portal.gateway.answers[DEVICES] = never
  fireEvent.click(portal.getByRole('button', { name: 'Print all 32 devices' }))
  await portal.findByRole('button', { name: 'Stop printing' })
  const reading = portal.callsTo(DEVICES).at(-1)
  portal.gateway.answers[DEVICES] = list.answer(TOTAL)
  fireEvent.click(portal.getByRole('button', { name: 'Location' }))
  await portal.findByRole('button', { name: 'Print all 32 devices' })
  t.ok(reading?.signal?.aborted)
})

function rolesThatSee(action: Action | undefined) {
  const allowing: readonly string[] = action ? rolesAllowing(action) : ROLES.map(({ name }) => name)
  return ROLE_NAMES.filter((role) => allowing.includes(role))
}
