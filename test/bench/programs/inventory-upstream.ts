// An upstream that serves prepared answers for customers of any size: `c-1000`, `c-1000x1`, `c-1000x2` … have 1,000 devices
// each. Every answer takes LATENCY_MS.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { answer } from './answer.ts'
import { MY_USER, myUser, numberOf } from './person.ts'

const PAGE_SIZE = 1000
const CUSTOMERS_PAGE_SIZE = 500
const UNCOMPRESSED_BYTES_MAX = 1024
const DEVICES_PER_PROJECT = 16
const LATENCY_MS = Number(process.env.LATENCY_MS)
const NAMES = [
  'AHU-',
  'Chiller ',
  'Boiler Plant ',
  'Cooling Tower ',
  'VAV Floor ',
  'Heat Pump ',
  'Exhaust Fan '
]
const PLACES = ['Roof, level 9', 'Basement B1', 'Plant Room 2', 'Level 4, riser cupboard', 'Pump House']
const OF_INTEGRATOR = /\/organizations\/7(?:\/|$)/
const OFFERINGS = [['NDS', 'Remote', 'Recover'], ['NDS'], ['NDS', 'Remote'], ['Remote', 'Recover'], []]

const ALARMS_AT_START = 3
const ALARMS = 100
/** Different names of sources: those of a customer return at every fiftieth. */
const UNITS = 50
const alarmsOf = (customer: number) =>
  Array.from({ length: ALARMS }, (_, index) => ({
    uuid: `6f1c2d8e-0b7a-4c59-${String(customer).padStart(4, '0')}-${String(index).padStart(12, '0')}`,
    deviceId: `d-${index}`,
    systemGuid: `guid-${index}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) - index * 60_000 - customer * 37).toISOString(),
    sourceName: `AHU-${customer % UNITS} Supply Air Temp ${index}`,
    sourceState: 'offnormal',
    alarmTransition: 'offnormal',
    ackState: 'unacked',
    ackRequired: true,
    priority: 1 + (index % 255),
    alarmClass: 'HVAC',
    messageText: 'Supply air temperature is above its limit',
    normalTime: null,
    ackTime: null,
    user: null,
    notes: [],
    lastUpdate: '2026-01-01T00:00:00.000Z'
  }))

const bodies = new Map<string, Buffer>()
const gzipBodies = new Map<Buffer, Buffer>()
/** Number of raised alarms by customer. */
const raisedAlarms = new Map<string, number>()
let calls = 0
let hangingPeople: ReadonlySet<string> = new Set()

answer({
  prepare: ({ devices }: { devices: number }) => prepare(devices),
  prepareCustomers({ devices, customers }: { devices: number; customers: number }): void {
    prepare(devices)
    const customerList = Array.from({ length: customers }, (_, index) =>
      organization(`c-${devices}x${index + 1}`, devices)
    )
    putPages('/api/v2/management/organizations/7', 'customers', customerList, CUSTOMERS_PAGE_SIZE)
    raisedAlarms.clear()
    put('/api/v1/subscription-usage/metrics-detail', { '2026-01-01T00:00:00Z': 21 })
  },
  /** From now on answers these people nothing but their user and the list of customers. */
  hang({ people }: { people: readonly string[] }): void {
    hangingPeople = new Set(people)
  },
  /** Raises an alarm at a customer. Returns how many were raised there. */
  raise({ customer }: { customer: string }): number {
    const count = (raisedAlarms.get(customer) ?? 0) + 1
    raisedAlarms.set(customer, count)
    return count
  },
  calls() {
    const count = calls
    calls = 0
    return count
  }
})

const organization = (id: string, deviceCount: number) => ({
  id,
  orgName: `Customer ${id}`,
  ...(id === '7' ? {} : { partnerId: '7' }),
  projectCount: 1,
  deviceCount
})

function prepare(devices: number): void {
  const id = `c-${devices}`
  const base = `/api/v2/management/organizations/${id}`
  const projects = Array.from({ length: Math.ceil(devices / DEVICES_PER_PROJECT) }, (_, index) => ({
    id: `p-${index}`,
    projectName: `Project ${index}`,
    _links: { customer: { href: `/organizations/${id}` } }
  }))
  const deviceList = Array.from({ length: devices }, (_, index) => deviceOf(id, index, projects.length))
  put(base, organization(id, devices))
  putPages(base, 'projects', projects)
  putPages(base, 'devices', deviceList)
  put(
    `/api/v1/subscription/customers/${id}`,
    deviceList.flatMap(({ deviceUuid }, index) => subscriptionsOf(deviceUuid, index))
  )
}

function deviceOf(customer: string, index: number, projects: number) {
  const digits = createHash('md5').update(`${customer} ${index}`).digest('hex')
  const project = index % projects
  return {
    id: `d-${index}`,
    deviceUuid: `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-9f3e-${digits.slice(16, 28)}`,
    deviceName: `${NAMES[index % NAMES.length]}${1 + Math.floor(index / projects)}`,
    hostId: `Qnx-TITAN-${digits
      .slice(0, 16)
      .toUpperCase()
      .replace(/(.{4})(?=.)/g, '$1-')}`,
    location: PLACES[index % PLACES.length],
    projectName: `Project ${project}`,
    projectId: `p-${project}`,
    systemGuid: digits.slice(0, 24),
    createdDate: '2024-11-04T08:15:00.000Z',
    _links: { self: { href: `/devices/d-${index}` }, project: { href: `/projects/p-${project}` } }
  }
}

function subscriptionsOf(deviceUuid: string, index: number) {
  return (OFFERINGS[index % OFFERINGS.length] ?? []).map((offeringCode) => ({
    deviceUuid,
    offeringCode,
    startDate: '2025-01-01T00:00:00.000Z',
    endDate: endOf(index),
    ...(offeringCode === 'NDS' ? { planLimit: 25 } : {})
  }))
}

function put(path: string, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  bodies.set(path, bytes)
  if (bytes.length > UNCOMPRESSED_BYTES_MAX) gzipBodies.set(bytes, gzipSync(bytes))
}

function putPages(base: string, rel: string, items: object[], size = PAGE_SIZE): void {
  const totalPages = Math.ceil(items.length / size)
  for (let number = 0; number < totalPages; number += 1) {
    put(`${base}/${rel}?page=${number}&size=${size}`, {
      _embedded: { [rel]: items.slice(number * size, (number + 1) * size) },
      _links: { self: { href: `${base}/${rel}` } },
      page: { number, size, totalPages, totalElements: items.length }
    })
  }
}

/** A page of alarms. Both searches of a reading find the same number, so that each raised alarm counts twice. */
function alarmPage(customer: string): Buffer {
  const totalElements = ALARMS_AT_START + (raisedAlarms.get(customer) ?? 0)
  const page = { number: 0, size: ALARMS, totalPages: 1, totalElements }
  const alarms = alarmsOf(Number(customer.split('x')[1] ?? 0))
  return Buffer.from(JSON.stringify({ _embedded: { alarms }, page }))
}

function bodyFor(target: string): Buffer | undefined {
  const [, customer] = /\/alarms\/customers\/([^/]+)\/alarms:search\?/.exec(target) ?? []
  if (customer !== undefined) return alarmPage(customer)
  const url = target.includes('/metrics-detail?') ? (target.split('?', 1)[0] ?? '') : target
  const [, id] = /\/organizations\/(c-\d+x\d+|\d+)$/.exec(url) ?? []
  if (id !== undefined) return Buffer.from(JSON.stringify(organization(id, 0)))
  return bodies.get(url.replace(/(\/c-\d+)x\d+/, '$1'))
}

const server = createServer((request, response) => {
  const { url = '', headers } = request
  const isAboutCaller = url === MY_USER
  if (!isAboutCaller) calls += 1
  if (!isAboutCaller && !OF_INTEGRATOR.test(url) && hangingPeople.has(numberOf(headers.authorization))) return
  setTimeout(() => {
    const body = isAboutCaller ? myUser(headers.authorization) : bodyFor(url)
    const gzip = body && headers['accept-encoding'] === 'gzip' ? gzipBodies.get(body) : undefined
    const bytes = gzip ?? body ?? '{}'
    response.writeHead(body ? 200 : 404, {
      'content-type': 'application/json',
      'content-length': bytes.length,
      ...(gzip ? { 'content-encoding': 'gzip' } : {})
    })
    response.end(bytes)
  }, LATENCY_MS)
})
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')

/** One service of ten has ended in the last 30 days or ends in the next 90; the others end in years. */
function endOf(index: number): string {
  if (index % 10 > 0) return new Date(Date.UTC(2030, 0, index % 700)).toISOString()
  return new Date(Date.now() + (((index / 10) % 120) - 29.5) * 86_400_000).toISOString()
}
