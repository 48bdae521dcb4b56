// Assembles one customer, or stores points, in a process of its own, and reports the heap and its estimate. A process that has
// assembled other customers would count their garbage too.
import { createCalls } from '#server/inventory/worker/calls.ts'
import { createPointStore } from '#server/inventory/worker/point-store.ts'
import { DEVICE_SORTS } from '#shared/devices.ts'
import { bodyOf, pageBody } from '../../../support/fetched.ts'

export interface Contents {
  devices: number
  /** Precedes the name, the host id and the location of a device. */
  text?: string
  /** The text of the first device, if it differs. */
  firstText?: string
  /** `id`: a device has no other field. `short`: the three texts are a number. */
  fields?: 'all' | 'short' | 'id'
  subscriptionsPerDevice?: number
  projects?: number
  /** Measures these points instead of devices. `text` precedes the name of a point, and `state` its state. */
  points?: number
  /** By default, points are numeric. */
  state?: string
}

export interface Measured {
  usedBytes: number
  estimatedBytes: number
}

const CUSTOMER = { id: 'c', orgName: 'C', scope: '/organizations/1/customers/c' }
const PAGE_SIZE = 1_000

const uuid = (number: number) => `8f3c0e1a-1b2c-4d3e-8f40-${String(number).padStart(12, '0')}`
const listOf = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index))

function createDevice(index: number, { text = '', firstText = text, fields = 'all', projects }: Contents) {
  const id = `d-${index}`
  if (fields === 'id') return { id }
  const prefix = index === 0 ? firstText : text
  const isShort = fields === 'short'
  return {
    id,
    deviceUuid: uuid(index),
    deviceName: isShort ? `${index}` : `${prefix}AHU-${index}`,
    hostId: isShort ? `${index}` : `${prefix}Win-${index}`,
    location: isShort ? `${index}` : `${prefix}Roof ${index}`,
    projectName: `Project ${index % (projects ?? 1_000)}`,
    systemGuid: uuid(index + 1_000_000),
    createdDate: '2024-11-04T08:15:00.000Z'
  }
}

function createSubscriptions(devices: number, subscriptionsPerDevice: number): object[] {
  return listOf(devices, (index) =>
    listOf(subscriptionsPerDevice, (number) => createSubscription(index, number))
  ).flat()
}

function createSubscription(deviceIndex: number, number: number) {
  const subscription = {
    deviceUuid: uuid(deviceIndex),
    offeringCode: `S${number}`,
    startDate: `2024-11-04T08:15:0${number}.${deviceIndex}Z`,
    endDate: `2034-11-04T08:15:0${number}.${deviceIndex}Z`
  }
  return number === 0 ? { ...subscription, planLimit: 7.5 } : subscription
}

function usedHeap(): number {
  global.gc?.()
  global.gc?.()
  return process.memoryUsage().heapUsed
}

async function measure(contents: Contents): Promise<Measured> {
  const { devices, subscriptionsPerDevice = 0, projects = 1_000 } = contents
  const usedBefore = usedHeap()
  const calls = createCalls({ memoryBytes: 2 ** 32, pageMaxBytes: 2 ** 23 })
  const readPages = (rel: 'projects' | 'devices', count: number, createItem: (index: number) => object) =>
    listOf(Math.ceil(count / PAGE_SIZE), (page) => {
      const first = page * PAGE_SIZE
      const items = listOf(Math.min(PAGE_SIZE, count - first), (index) => createItem(first + index))
      return calls.page({ id: 1, customerId: 'c', rel, ...pageBody(rel, items) }).part
    })
  const { heapBytes } = await calls.assemble({
    id: 1,
    customerId: 'c',
    projects: readPages('projects', projects, (index) => ({
      id: `p-${index}`,
      projectName: `Project ${index}`
    })),
    devices: readPages('devices', devices, (index) => createDevice(index, contents)),
    subscriptions: bodyOf(createSubscriptions(devices, subscriptionsPerDevice)),
    assembledAt: '',
    previous: null
  })
  await buildIndexes(calls)
  const usedBytes = usedHeap() - usedBefore
  // Also keeps the customer in memory until now.
  if (calls.systems({ id: 1, guids: [] }).length > 0) throw new Error('unexpected systems')
  return { usedBytes, estimatedBytes: heapBytes }
}

async function measurePoints({ points = 0, text = '', state }: Contents): Promise<Measured> {
  const usedBefore = usedHeap()
  const store = createPointStore(2 ** 23, () => {})
  // A function of its own, which keeps nothing of a page.
  const readPage = (first: number) => {
    const models = listOf(Math.min(PAGE_SIZE, points - first), (index) =>
      createPoint(first + index, text, state)
    )
    return store.page({ id: 1, customerId: 'c', readAt: 1, ...pageBody('pointModels', models) })
  }
  for (let first = 0; first < points; first += PAGE_SIZE) await readPage(first)
  const usedBytes = usedHeap() - usedBefore
  return { usedBytes, estimatedBytes: store.heapBytes() }
}

const POINTS_PER_DEVICE = 40

function createPoint(index: number, text: string, state?: string) {
  const name = `${text}Supply Air Temp ${index % POINTS_PER_DEVICE}`
  return {
    displayName: name,
    cloudId: uuid(index),
    systemGuid: uuid(Math.floor(index / POINTS_PER_DEVICE)),
    outValue: state === undefined ? `${index / 10} {ok}` : `${index} ${state}`,
    facets: { writable: false, units: '°C', precision: 1, min: 0, max: 50 },
    links: { device: `/devices/${index}`, customer: '/organizations/c' },
    tags: {
      telemetryId: uuid(index),
      slotPath: `slot:/Drivers/BacnetNetwork/AHU/points/${name}`,
      ...(state === undefined
        ? { dataType: 'Numeric', type: 'control:NumericPoint' }
        : { dataType: 'String' }),
      historyName: `/AHU_${index}/${name}`,
      units: '°C',
      range: '0..50',
      equip: 'AHU',
      quantity: 'temp'
    }
  }
}

/** Sends every query that stores something. */
async function buildIndexes(calls: ReturnType<typeof createCalls>): Promise<void> {
  for (const sort of DEVICE_SORTS)
    for (const order of ['asc', 'desc'] as const) {
      const query = { q: 'ahu', sort, order, page: 0, size: 15, service: 'NDS', expires: 0 } as const
      await calls.devices({ id: 1, query, nowMs: Date.now() })
    }
  await calls.search({ customers: [{ id: 1, customer: CUSTOMER }], q: 'ahu', size: 15 })
  calls.owns({ id: 1, kind: 'device', names: ['x'] })
  calls.systems({ id: 1, guids: ['x'] })
}

process.once('message', async (contents: Contents) => {
  process.send?.(await (contents.points ? measurePoints(contents) : measure(contents)))
  process.disconnect()
})
