// The services that have ended or end soon: which, how many, and the limit of their rows.
import t from 'tap'
import { dueServicesOf } from '#server/inventory/worker/due-services.ts'
import type { Device } from '#shared/answers/customers.ts'
import { WORKLIST_ROWS_MAX } from '#shared/worklists.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-03-01T12:00:00Z')
const iso = (days: number) => new Date(NOW + days * DAY_MS).toISOString()

type Term = [offeringCode: string, startDays: number, endDays: number]

function device(number: number, ...terms: Term[]): Device {
  return {
    id: `d-${number}`,
    deviceUuid: `u-${number}`,
    deviceName: `Device ${number}`,
    hostId: `h-${number}`,
    location: '',
    projectName: 'Tower',
    systemGuid: '',
    createdDate: null,
    projectId: null,
    subscriptions: terms.map(([offeringCode, startDays, endDays]) => ({
      offeringCode,
      startDate: iso(startDays),
      endDate: iso(endDays)
    }))
  }
}

const rowsOf = (...devices: Device[]) =>
  dueServicesOf(devices, NOW).services.map(({ device: { deviceUuid }, service, endMs }) => [
    deviceUuid,
    service,
    (endMs - NOW) / DAY_MS
  ])

t.test(
  'lists services that have ended, the latest first, then those that end within 90 days, the next first',
  async (t) => {
    const devices = [
      device(1, ['NDS', -400, -20], ['Remote', -10, 91]),
      device(2, ['NDS', -400, -3], ['Recover', -10, 30], ['Remote', -10, 90]),
      device(3, ['NDS', -400, 5])
    ]
    t.strictSame(rowsOf(...devices), [
      ['u-2', 'NDS', -3],
      ['u-1', 'NDS', -20],
      ['u-3', 'NDS', 5],
      ['u-2', 'Recover', 30],
      ['u-2', 'Remote', 90]
    ])
    t.match(dueServicesOf(devices, NOW), { ended: 2, ending: 2, servicesTotal: 5 })
  }
)

t.test(
  'a service with a later subscription has not ended; of several subscriptions, one counts',
  async (t) => {
    t.strictSame(rowsOf(device(1, ['NDS', -400, -3], ['NDS', -3, 300])), [])
    t.strictSame(rowsOf(device(1, ['NDS', -400, -3], ['NDS', 10, 300])), [], 'also if it has not begun')
    t.strictSame(rowsOf(device(1, ['NDS', -400, -3], ['NDS', -900, -401])), [['u-1', 'NDS', -3]])
    t.strictSame(rowsOf(device(1, ['NDS', -400, 50], ['NDS', -40, 20])), [['u-1', 'NDS', 20]])
    t.strictSame(rowsOf(device(1, ['NDS', 1, 20])), [], 'has not begun')
  }
)

t.test('a service that ends at this moment has ended', async (t) => {
  t.strictSame(rowsOf(device(1, ['NDS', -400, 0])), [['u-1', 'NDS', 0]])
})

t.test('limits the rows of a customer, but not their number', async (t) => {
  const numbers = [...Array(WORKLIST_ROWS_MAX + 1).keys()]
  const devices = numbers.map((number) => device(number, ['NDS', -400, -1], ['Remote', -400, 1]))
  const { services, servicesTotal, ended, ending } = dueServicesOf(devices, NOW)
  t.equal(services.length, 2 * WORKLIST_ROWS_MAX)
  t.strictSame([servicesTotal, ended, ending], [2 * numbers.length, numbers.length, numbers.length])
})
