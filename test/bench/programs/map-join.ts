// The baseline for an assembly: reads pages in parallel and joins them with maps.
import { Pool } from 'undici'
import { answer } from './answer.ts'

interface Customer {
  origin: string
  devices: number
}

interface Lists {
  projects: { projectName: string }[]
  devices: { deviceUuid: string; projectName: string }[]
  subscriptions: { deviceUuid: string }[]
}

interface Page {
  page: { totalPages: number }
  _embedded: Partial<Lists>
}

const PAGE_SIZE = 1000
const PARALLEL = 8
let pool: Pool | undefined

answer({
  /** Assembles the tree as JSON; returns the duration in milliseconds. */
  async assemble(customer: Customer): Promise<number> {
    const startedAt = performance.now()
    JSON.stringify(joinLists(await listsOf(customer)))
    return performance.now() - startedAt
  }
})
// usage.ts unrefs the channel, but only the channel keeps this process alive.
process.channel?.ref()

async function listsOf({ origin, devices }: Customer): Promise<Lists> {
  pool ??= new Pool(origin, { connections: PARALLEL })
  const client = pool
  const read = async (path: string) =>
    (await client.request({ method: 'GET', path })).body.json() as Promise<Page>
  const base = `/api/v2/management/organizations/c-${devices}`
  const page = (rel: string, number: number) => `${base}/${rel}?page=${number}&size=${PAGE_SIZE}`
  const firstPage = await read(page('projects', 0))
  const paths = [
    `/api/v1/subscription/customers/c-${devices}`,
    ...Array.from({ length: firstPage.page.totalPages - 1 }, (_, index) => page('projects', index + 1)),
    ...Array.from({ length: Math.ceil(devices / PAGE_SIZE) }, (_, index) => page('devices', index))
  ]
  const [subscriptions, ...pages] = await Promise.all(paths.map(read))
  const lists = [firstPage, ...pages].map(({ _embedded }) => _embedded)
  return {
    projects: lists.flatMap(({ projects = [] }) => projects),
    devices: lists.flatMap(({ devices = [] }) => devices),
    // The list of subscriptions has no pages.
    subscriptions: subscriptions as unknown as Lists['subscriptions']
  }
}

function joinLists({ projects, devices, subscriptions }: Lists): object[] {
  const byDevice = Map.groupBy(subscriptions, ({ deviceUuid }) => deviceUuid)
  const tree = projects.map((project) => ({ ...project, devices: [] as object[] }))
  const byName = new Map(tree.map((project) => [project.projectName, project]))
  for (const device of devices) {
    const list =
      byDevice.get(device.deviceUuid)?.map(({ deviceUuid: _, ...subscription }) => subscription) ?? []
    byName.get(device.projectName)?.devices.push({ ...device, subscriptions: list })
  }
  return tree
}
