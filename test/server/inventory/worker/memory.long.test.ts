// A customer uses at most the estimated memory of the worker.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createCalls } from '#server/inventory/worker/calls.ts'
import { DEVICE_SORTS } from '#shared/devices.ts'
import { bodyOf, pageBody } from '../../../support/fetched.ts'

const DEVICES = 17_000
const CUSTOMER = { id: 'c', orgName: 'C', scope: '/organizations/1/customers/c' }

const uuid = (at: number) => `8f3c0e1a-1b2c-4d3e-8f40-${String(at).padStart(12, '0')}`
const device = (at: number, text = '') => ({
  id: `d-${at}`,
  deviceUuid: uuid(at),
  deviceName: `${text}AHU-${at}`,
  hostId: `${text}Win-${at}`,
  location: `${text}Roof ${at}`,
  projectName: `Project ${at % 1_000}`,
  systemGuid: uuid(at + 1_000_000),
  createdDate: '2024-11-04T08:15:00.000Z'
})
const subscription = (at: number, number: number) => ({
  deviceUuid: uuid(at),
  offeringCode: `S${number}`,
  startDate: `2024-11-04T08:15:0${number}.${at}Z`,
  endDate: `2034-11-04T08:15:0${number}.${at}Z`,
  ...(number === 0 ? { planLimit: 7.5 } : {})
})
const list = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

setFlagsFromString('--expose-gc')
// While a function waits for V8's compiler threads, its data, here the previous customer, is not collected.
setFlagsFromString('--no-opt')
setFlagsFromString('--no-maglev')
const collect: () => void = runInNewContext('gc')
const usedHeap = () => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

type Kind = [name: string, device: (at: number) => object, subscriptions?: number, projects?: number]
const KINDS: Kind[] = [
  ['with usual texts', device],
  ['with three services', device, 3],
  ['with ten services', device, 10],
  ['without texts', (id) => ({ id })],
  ['with short texts', (at) => ({ ...device(at), deviceName: `${at}`, hostId: `${at}`, location: `${at}` })],
  ['with names that are not Latin', (at) => device(at, '東京')],
  ['with long texts', (at) => device(at, 'x'.repeat(240))],
  ['with long texts, one of them not Latin', (at) => device(at, (at === 0 ? '東' : 'x').repeat(240))],
  ['with long texts, none of them Latin', (at) => device(at, '東'.repeat(240))],
  ['in separate projects', (at) => ({ ...device(at), projectName: `Project ${at}` }), 0, DEVICES]
]
for (const [name, createDevice, subscriptions = 0, projects = 1_000] of KINDS)
  t.test(`devices ${name} use no more heap than estimated`, async (t) => {
    const before = usedHeap()
    const calls = createCalls({ memoryBytes: 2 ** 32, pageMaxBytes: 2 ** 23 })
    const pages = (rel: 'projects' | 'devices', count: number, item: (at: number) => object) =>
      list(Math.ceil(count / 1_000), (number) => {
        const items = list(Math.min(1_000, count - number * 1_000), (at) => item(number * 1_000 + at))
        return calls.page({ id: 1, customerId: 'c', rel, ...pageBody(rel, items) }).part
      })
    const { heapBytes } = await calls.assemble({
      id: 1,
      customerId: 'c',
      projects: pages('projects', projects, (at) => ({ id: `p-${at}`, projectName: `Project ${at}` })),
      devices: pages('devices', DEVICES, createDevice),
      subscriptions: bodyOf(
        list(DEVICES, (at) => list(subscriptions, (number) => subscription(at, number))).flat()
      ),
      assembledAt: '',
      previous: null
    })
    for (const sort of DEVICE_SORTS)
      for (const order of ['asc', 'desc'] as const)
        await calls.devices({
          id: 1,
          query: { q: 'ahu', sort, order, page: 0, size: 15, service: 'NDS', expires: 0 },
          nowMs: Date.now()
        })
    await calls.search({ customers: [{ id: 1, customer: CUSTOMER }], q: 'ahu', size: 15 })
    calls.owns({ id: 1, kind: 'device', names: ['x'] })
    calls.systems({ id: 1, guids: ['x'] })
    const usedBytes = usedHeap() - before
    t.ok(usedBytes <= heapBytes, `${usedBytes / DEVICES} of ${heapBytes / DEVICES} bytes each`)
    t.ok(usedBytes > heapBytes / 2.5, `${usedBytes / DEVICES} of ${heapBytes / DEVICES} bytes each`)
    t.ok(calls.device({ id: 1, uuid: uuid(0) }) || name === 'without texts')
  })
