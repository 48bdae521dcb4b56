// Other ways to put a customer together, beside which the gateway's is measured: page after page with searches in
// arrays, pages in parallel with maps, and the least that any way in one thread can do that does one thing at a time.
import { Pool } from 'undici'
import { answer } from './answer.ts'

export interface Customer {
  origin: string
  devices: number
}

export interface Floor {
  /** Milliseconds of waiting for the bytes, of parsing, and of serializing what comes out. */
  waiting: number
  parsing: number
  serializing: number
}

interface Project {
  id: string
  projectName: string
}

interface Device {
  deviceUuid: string
  projectName: string
}

interface Subscription {
  deviceUuid: string
}

interface Lists {
  projects: Project[]
  devices: Device[]
  subscriptions: Subscription[]
}

const PAGE_SIZE = 1000
const PARALLEL = 8

answer({
  /** Milliseconds; the result is a tree as JSON. */
  async pageAfterPage(customer: Customer): Promise<number> {
    const begun = performance.now()
    const lists = parsed(await bodiesOf(customer, 1))
    const tree = lists.projects.map((project) => ({ ...project, devices: [] as object[] }))
    for (const device of lists.devices) {
      const subscriptions = lists.subscriptions.filter(({ deviceUuid }) => deviceUuid === device.deviceUuid)
      tree
        .find(({ projectName }) => projectName === device.projectName)
        ?.devices.push({ ...device, subscriptions })
    }
    JSON.stringify(tree)
    return performance.now() - begun
  },
  async parallelAndMaps(customer: Customer): Promise<number> {
    const begun = performance.now()
    JSON.stringify(joined(parsed(await bodiesOf(customer, PARALLEL))))
    return performance.now() - begun
  },
  async floor(customer: Customer): Promise<Floor> {
    const begun = performance.now()
    const bodies = await bodiesOf(customer, PARALLEL)
    const arrived = performance.now()
    const lists = parsed(bodies)
    const read = performance.now()
    const tree = joined(lists)
    const joinedAt = performance.now()
    JSON.stringify(tree)
    return {
      waiting: arrived - begun,
      parsing: read - arrived,
      serializing: performance.now() - joinedAt
    }
  }
})

const pools = new Map<string, Pool>()

async function bodyOf(origin: string, path: string): Promise<Buffer> {
  const pool = pools.get(origin) ?? new Pool(origin, { connections: PARALLEL })
  pools.set(origin, pool)
  const { body } = await pool.request({ method: 'GET', path })
  return Buffer.from(await body.bytes())
}

/** The organization, pages of projects and of devices, and the subscriptions, so many at a time. */
async function bodiesOf(
  { origin, devices }: Customer,
  parallel: number
): Promise<Record<keyof Lists, Buffer[]>> {
  const base = `/api/v2/management/organizations/c-${devices}`
  const projects = await bodyOf(origin, `${base}/projects?page=0&size=${PAGE_SIZE}`)
  const { page } = JSON.parse(projects.toString()) as { page: { totalPages: number } }
  const pages = (rel: string, count: number) =>
    Array.from({ length: count }, (_, number) => `${base}/${rel}?page=${number}&size=${PAGE_SIZE}`)
  const paths = [
    `/api/v1/subscription/customers/c-${devices}`,
    ...pages('projects', page.totalPages).slice(1),
    ...pages('devices', Math.ceil(devices / PAGE_SIZE))
  ]
  const bodies: Buffer[] = []
  let next = 0
  const fetchOthers = async () => {
    for (let at = next++; at < paths.length; at = next++) bodies[at] = await bodyOf(origin, paths[at] ?? '')
  }
  await Promise.all(Array.from({ length: parallel }, fetchOthers))
  return {
    subscriptions: bodies.slice(0, 1),
    projects: [projects, ...bodies.slice(1, page.totalPages)],
    devices: bodies.slice(page.totalPages)
  }
}

function parsed(bodies: Record<keyof Lists, Buffer[]>): Lists {
  const itemsOf = <T>(rel: 'projects' | 'devices') =>
    bodies[rel].flatMap((body) => JSON.parse(body.toString())._embedded[rel] as T[])
  return {
    projects: itemsOf<Project>('projects'),
    devices: itemsOf<Device>('devices'),
    subscriptions: bodies.subscriptions.flatMap((body) => JSON.parse(body.toString()))
  }
}

function joined({ projects, devices, subscriptions }: Lists): object[] {
  const byDevice = new Map<string, object[]>()
  for (const { deviceUuid, ...subscription } of subscriptions) {
    const held = byDevice.get(deviceUuid)
    if (held) held.push(subscription)
    else byDevice.set(deviceUuid, [subscription])
  }
  const tree = projects.map((project) => ({ ...project, devices: [] as object[] }))
  const byName = new Map(tree.map((project) => [project.projectName, project]))
  for (const device of devices) {
    const held = byDevice.get(device.deviceUuid) ?? []
    byName.get(device.projectName)?.devices.push({ ...device, subscriptions: held })
  }
  return tree
}
