// Measures a bulk edit of 5,000 devices: changes per second with the client's parallel calls and with as many as a session may
// make, and whether the list shows the changes right after each page. The API takes 25 ms a call.
import { request } from 'undici'
import type { Device } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { quantile, table } from './figures.ts'
import type { Bench, Benchmark } from './frame.ts'
import { type PortalApart, startPortalApart } from './portal-apart.ts'
import { get } from './scene.ts'

const SANDBOX = { devices: 5_000, latencyMs: 25 }
const PAGE_SIZE = 100
/** The client's number, see client/features/sites/devices/use-device-run.ts, and the default of CALLS_IN_FLIGHT. */
const AT_ONCE = [4, 32] as const
const LIST = `/api/portal/v1/customers/${NOTABLE.huge}/devices?size=${PAGE_SIZE}`

interface Run {
  edits: number
  seconds: number
  upstreamCalls: number
  /** Milliseconds of each list after a page of changes. */
  listMs: number[]
  /** Devices that such a list showed as they were before. */
  outdated: number
}

interface Page {
  items: Device[]
  page: { totalPages: number }
}

export const edits: Benchmark = { name: 'edits', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const portal = await startPortalApart(bench, SANDBOX, {
    // One session makes all calls.
    SESSION_CALLS_PER_MINUTE: '1000000',
    BODY_MB_PER_MINUTE: '1000'
  })
  const headers = await portal.headersOf('partner.admin')
  const rows = []
  for (const atOnce of AT_ONCE) {
    const { edits, seconds, upstreamCalls, listMs, outdated } = await edit(
      portal,
      headers,
      atOnce,
      bench.seconds / AT_ONCE.length
    )
    rows.push([
      atOnce,
      edits,
      (edits / seconds).toFixed(0),
      (upstreamCalls / edits).toFixed(2),
      quantile(listMs, 0.5).toFixed(0),
      quantile(listMs, 1).toFixed(0),
      outdated
    ])
  }
  const head = [
    `changes of ${SANDBOX.devices} devices, parallel`,
    'made',
    'a second',
    'upstream calls each',
    'list after a page, p50 ms',
    'max ms',
    'outdated'
  ]
  bench.print(table(head, rows))
}

/** Changes page after page until the time is up, and lists each page right after its changes. */
async function edit(
  portal: PortalApart,
  headers: Record<string, string>,
  atOnce: number,
  seconds: number
): Promise<Run> {
  const { totalPages } = (await listPage(portal, headers, 0)).page
  const made: Run = { edits: 0, seconds: 0, upstreamCalls: 0, listMs: [], outdated: 0 }
  await portal.upstreamCalls()
  const startedAt = performance.now()
  for (let number = 0; number < totalPages && made.seconds < seconds; number += 1) {
    const { items } = await listPage(portal, headers, number)
    const location = `Riser ${atOnce}.${number}`
    const remaining = items.map(({ id }) => id)
    const changeNext = async () => {
      for (let id = remaining.pop(); id !== undefined; id = remaining.pop())
        await changeDevice(portal, headers, id, location)
    }
    await Promise.all(Array.from({ length: atOnce }, changeNext))
    const listedAt = performance.now()
    const changed = await listPage(portal, headers, number)
    made.listMs.push(performance.now() - listedAt)
    made.edits += items.length
    made.outdated += changed.items.filter((device) => device.location !== location).length
    made.seconds = (performance.now() - startedAt) / 1000
  }
  made.upstreamCalls = await portal.upstreamCalls()
  return made
}

async function listPage({ url }: PortalApart, headers: Record<string, string>, page: number): Promise<Page> {
  const { body } = await get(url, { path: `${LIST}&page=${page}`, headers })
  return JSON.parse(Buffer.from(body).toString())
}

async function changeDevice(
  { url }: PortalApart,
  headers: Record<string, string>,
  id: string,
  location: string
): Promise<void> {
  const { statusCode, body } = await request(`${url}/api/v2/management/devices/${id}`, {
    method: 'PATCH',
    headers: {
      ...headers,
      origin: url,
      'content-type': 'application/json',
      'x-customer-id': NOTABLE.huge
    },
    body: JSON.stringify({ location })
  })
  await body.dump()
  if (statusCode !== 200) throw new Error(`the change of ${id} answered ${statusCode}`)
}
