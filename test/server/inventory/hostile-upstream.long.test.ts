// One customer's upstream answers anything: it is refused, and another tenant is answered as before.
import type { ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { DevicePage } from '#shared/entities.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { type Answer, startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { startSteadyLoad } from '../../support/steady-load.ts'
import { cookiesOf } from '../../support/visits.ts'

const HOSTILE = 'c-1004'
const OTHERS_WITHIN_MS = 2_000
const CALLS_PER_SECOND = 20

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const upstream = await startControlledUpstream(t, sandbox)

const send = (body: Buffer | string, headers: Record<string, string> = {}): Answer => {
  const bytes = Buffer.from(body)
  return (response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(bytes)
}
const zipped = (body: Buffer | string) => send(gzipSync(body), { 'content-encoding': 'gzip' })
const page = (items: string, more = '') => `{"_embedded":{"devices":[${items}]}${more}}`
const many = (count: number, item: string | ((at: number) => string)) =>
  Array.from({ length: count }, (_, at) => (typeof item === 'string' ? item : item(at))).join(',')
const device = (at: number, deviceName = `AHU-${at}`) =>
  JSON.stringify({
    id: `d-${at}`,
    deviceUuid: `u-${at}`,
    deviceName,
    hostId: `H-${at}`,
    systemGuid: `g-${at}`
  })
const next = `,"_links":{"next":{"href":"/api/v2/management/organizations/${HOSTILE}/devices?page=1&size=1000&at="}}`

async function scene(t: Test, answers: { devices?: (at: number) => Answer; subscriptions?: Answer }) {
  const portal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
  let pages = 0
  upstream.rule = ({ target }) => {
    if (target.includes(`${HOSTILE}/devices`) && answers.devices) return answers.devices(pages++)
    return target.includes(`/subscription/customers/${HOSTILE}`) ? answers.subscriptions : undefined
  }
  const admin = await portal.as('partner.admin')
  const tenant = await portal.as('customer.user')
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/devices?q=ahu`
  await tenant.json(path)
  const load = startSteadyLoad(portal.url, path, [await cookiesOf(tenant)], CALLS_PER_SECOND)
  await eventually(() => load.answered.length > 0)
  const loop = monitorEventLoopDelay()
  loop.enable()
  const call = (rest = 'devices') => admin.call(`/api/portal/v1/customers/${HOSTILE}/${rest}`)
  return {
    call,
    async end() {
      const before = load.answered.length
      await eventually(() => load.answered.length > before)
      const answered = await load.end()
      const slowest = Math.max(...answered.map(({ begun, ended }) => ended - begun))
      t.strictSame([...new Set(answered.map(({ status }) => status))], [200])
      const figures = `others waited ${slowest.toFixed()} ms, the event loop ${(loop.max / 1e6).toFixed()} ms`
      t.ok(slowest < OTHERS_WITHIN_MS, figures)
      t.notMatch(portal.logged.join(), /the inventory worker has died/)
    }
  }
}

const HANGUL = '가'.repeat(240)
const slowToSort = (number: number) =>
  send(
    page(
      many(1_000, (at) => device(number * 1_000 + at, `${HANGUL}${number * 1_000 + at}`)),
      next.replace('at=', `at=${number}`)
    )
  )

const DEVICES: Record<string, () => (at: number) => Answer> = {
  'empty objects, 31 MB': () => once(send(page(many(10_400_000, '{}')))),
  'three million tiny objects in a page': () => once(zipped(page(many(3_000_000, '{}')))),
  'as many as fit into the bytes of a page': () => once(send(page(many(1_390_000, '{}')))),
  'brackets nested four million times': () => once(send('['.repeat(4_000_000))),
  '60 MB that were zipped': () => once(zipped(Buffer.alloc(60 * 2 ** 20, ' '))),
  '256 MB that were zipped': () => once(zipped(Buffer.alloc(2 ** 28))),
  'keys that are all different': () =>
    once(send(page(many(1_000, (row) => `{${many(90, (at) => `"k${row}_${at}":1.5`)}}`)))),
  'one value too many in each device': () =>
    once(send(page(many(1_000, (row) => `{${many(101, (at) => `"k${row}_${at}":1.5`)}}`)))),
  'texts of four megabytes': () => once(send(page(device(1, 'x'.repeat(4_000_000))))),
  'a list that never ends': () => once(send(page(many(1_000, '{}'), next))),
  'an endless page': () => once(endless)
}
const once = (answer: Answer) => () => answer

const endless: Answer = (response: ServerResponse) => {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  response.writeHead(200)
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}

for (const [name, answers] of Object.entries(DEVICES))
  t.test(`devices: ${name}`, async (t) => {
    const { call, end } = await scene(t, { devices: answers() })
    const [first, second] = [await call(), await call()]
    t.ok([200, 502, 503].includes(first.status), `answered ${first.status}`)
    t.ok([200, 502, 503].includes(second.status))
    await end()
  })

t.test('devices that take long to sort', async (t) => {
  const pages = Array.from({ length: 40 }, (_, number) => slowToSort(number))
  const last = send(page(''))
  const { call, end } = await scene(t, { devices: (at) => pages[at] ?? last })
  for (const query of ['devices', 'devices?sort=location', 'projects'])
    t.equal((await call(query)).status, 200, query)
  await end()
})

const SUBSCRIPTIONS: Record<string, () => Answer> = {
  'empty objects, 31 MB': () => send(`[${many(10_400_000, '{}')}]`),
  '60 MB of one device': () =>
    send(`[${many(480_000, `{"deviceUuid":"u-1","offeringCode":"${'x'.repeat(90)}"}`)}]`),
  'nested brackets': () => send('['.repeat(30_000_000)),
  '256 MB that were zipped': () => zipped(Buffer.alloc(2 ** 28)),
  'one long text': () => send(`["${'x'.repeat(60_000_000)}"]`),
  'an endless list': () => endless
}
for (const [name, answer] of Object.entries(SUBSCRIPTIONS))
  t.test(`subscriptions: ${name}`, async (t) => {
    const { call, end } = await scene(t, {
      devices: (at) => send(page(at === 0 ? device(1) : '')),
      subscriptions: answer()
    })
    const first = await call()
    t.equal(first.status, 200)
    t.match((await first.json()) as DevicePage, { partial: ['subscriptions'], page: { totalElements: 1 } })
    await end()
  })
