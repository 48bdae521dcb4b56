import t from 'tap'
import type { Page } from '#shared/answers/parts.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'

const now = Date.now()
// Alarms change with time, so the clock does not change while the tests compare lists.
const sandbox = await openSandbox(t, { clock: () => now })
const { state, calls } = sandbox
const portal = await startPortal(t, { startedSandbox: sandbox })
const browser = await portal.as('customer.user')

interface Alarm {
  uuid: string
  timestamp: string
  sourceName: string
  sourceState: string
  ackState: string
  priority: number
  alarmClass: string
  messageText: string
  systemGuid: string
}

const path = (query = '', customer: string = NOTABLE.northwind) =>
  `/api/portal/v1/customers/${customer}/alarms?${query}`
const list = (query = '') => browser.json<Page<Alarm>>(path(query))
const statusOf = async (query: string, id?: string) => (await browser.call(path(query, id))).status

async function allAlarms(): Promise<Alarm[]> {
  const answer = await browser.call(
    `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search?page=0&size=1000`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  )
  return ((await answer.json()) as { _embedded: { alarms: Alarm[] } })._embedded.alarms
}
const needsAction = ({ sourceState, ackState }: Alarm) => sourceState !== 'normal' || ackState !== 'acked'

t.test('refuses callers without the right, and foreign customers and systems', async (t) => {
  const foreign = state.devices.of(NOTABLE.otherPartnersCustomer)[0]?.systemGuid ?? ''
  t.equal(await statusOf('', NOTABLE.otherPartnersCustomer), 403)
  t.equal(await statusOf(`systemGuid=${foreign}`), 404)
  t.equal(await statusOf('systemGuid=no-such-system'), 404)
  t.equal(await statusOf(`systemGuid=${foreign}&systemGuid=${foreign}`), 400, 'two systems')
  t.equal((await (await portal.as('no.access')).call(path())).status, 403)
})

t.test('refuses a malformed query without an upstream call', async (t) => {
  calls.length = 0
  const queries = ['page=-1', 'size=1001', 'sourceStates=broken', 'sort=notes', 'startTime=yesterday']
  const limits = ['priorityFrom=0', 'priorityTo=256', `keyword=${'x'.repeat(201)}`]
  for (const query of [...queries, ...limits]) t.equal(await statusOf(query), 400, query.slice(0, 40))
  t.equal(calls.filter(({ url }) => url.includes('alarms:search')).length, 0)
})

t.test('lists alarms that are not normal or not acknowledged, newest first, in pages', async (t) => {
  const expected = (await allAlarms()).filter(needsAction)
  const firstPage = await list('size=10')
  t.equal(firstPage.page.totalElements, expected.length)
  t.equal(firstPage.page.totalPages, Math.ceil(expected.length / 10))
  t.ok(firstPage.items.every(needsAction))
  t.ok(firstPage.items.some(({ sourceState }) => sourceState === 'normal'))
  const timestamps: string[] = []
  for (let page = 0; page <= firstPage.page.totalPages; page += 1)
    timestamps.push(...(await list(`size=10&page=${page}`)).items.map(({ timestamp }) => timestamp))
  const newestFirst = expected.map(({ timestamp }) => timestamp).sort()
  t.strictSame(timestamps, newestFirst.reverse())
})

t.test('applies all filters together', async (t) => {
  const expected = (await allAlarms()).filter(needsAction)
  const [alarm] = expected
  if (!alarm) return t.fail('the sample has no alarm')
  const projectOf = (guid: string) =>
    state.devices.of(NOTABLE.northwind).find(({ systemGuid }) => systemGuid === guid)?.projectId
  const project = projectOf(alarm.systemGuid)
  const otherProject = state.projects.of(NOTABLE.northwind).find(({ id }) => id !== project)?.id
  const hasKeyword = ({ sourceName, messageText }: Alarm) =>
    `${sourceName} ${messageText}`.toLowerCase().includes(alarm.sourceName.toLowerCase())
  const isSameSystem = ({ systemGuid }: Alarm) => systemGuid === alarm.systemGuid
  const isSameClass = ({ alarmClass }: Alarm) => alarmClass === alarm.alarmClass
  const cases: [query: string, matches: (alarm: Alarm) => boolean][] = [
    ['priorityTo=127', ({ priority }) => priority <= 127],
    ['priorityFrom=64&priorityTo=127', ({ priority }) => priority >= 64 && priority <= 127],
    ['sourceStates=normal', ({ sourceState }) => sourceState === 'normal'],
    ['sourceStates=fault&sourceStates=normal', ({ sourceState }) => /^(?:fault|normal)$/.test(sourceState)],
    [`systemGuid=${alarm.systemGuid}`, isSameSystem],
    [`projectId=${project}`, ({ systemGuid }) => projectOf(systemGuid) === project],
    [`projectId=${project}&systemGuid=${alarm.systemGuid}`, isSameSystem],
    [`projectId=${otherProject}&systemGuid=${alarm.systemGuid}`, () => false],
    ['projectId=no-such-project', () => false],
    [`alarmClasses=${encodeURIComponent(alarm.alarmClass)}`, isSameClass],
    [`keyword=${encodeURIComponent(alarm.sourceName)}`, hasKeyword],
    [`startTime=${alarm.timestamp}`, ({ timestamp }) => timestamp >= alarm.timestamp]
  ]
  for (const [query, matches] of cases) {
    const { items, page } = await list(`size=1000&${query}`)
    t.ok(items.every(matches), query)
    t.equal(page.totalElements, expected.filter(matches).length, query)
  }
})

t.test('shows active, unacknowledged or all alarms, and reaches every page of them', async (t) => {
  const all = await allAlarms()
  const shown: [name: string, matches: (alarm: Alarm) => boolean][] = [
    ['active', ({ sourceState }) => sourceState !== 'normal'],
    ['unacked', ({ ackState }) => ackState !== 'acked'],
    ['all', () => true]
  ]
  for (const [name, matches] of shown) {
    const { items, page } = await list(`show=${name}&size=1000`)
    t.ok(items.every(matches), name)
    t.equal(page.totalElements, all.filter(matches).length, name)
  }
  t.equal((await list('show=active&sourceStates=normal')).page.totalElements, 0)
  t.equal(await statusOf('show=none'), 400)
  const first = await list('show=all&size=10')
  const last = await list(`show=all&size=10&page=${first.page.totalPages - 1}`)
  t.strictSame(last.items.at(-1)?.timestamp, all.map(({ timestamp }) => timestamp).sort()[0])
})

t.test('sends all alarms that match as lines, in the order of the list', async (t) => {
  const accept = 'application/x-ndjson'
  for (const query of ['', 'show=all', 'sort=priority&order=asc', 'projectId=no-such-project']) {
    const answer = await browser.call(path(`${query}&size=1`), { headers: { accept } })
    t.equal(answer.headers.get('content-type'), accept)
    const lines = (await answer.text()).split('\n').filter(Boolean)
    const { items } = await list(`${query}&size=1000`)
    t.strictSame(
      lines.map((line) => (JSON.parse(line) as Alarm).uuid),
      items.map(({ uuid }) => uuid),
      query
    )
  }
})

t.test('sends an alarm once that returns to normal between the two searches', async (t) => {
  const { upstream, signInAs } = await openGateway(t, { startedSandbox: sandbox })
  const person = await signInAs('customer.user')
  const [first, changed, last] = (await list('size=3')).items
  const found = [[first, changed], [{ ...changed, sourceState: 'normal' }, last], []].values()
  upstream.rule = ({ target }) => {
    if (!target.includes('alarms:search')) return undefined
    const alarms = found.next().value ?? []
    const page = { totalPages: 1, totalElements: alarms.length }
    return { status: 200, body: { _embedded: { alarms }, page } }
  }
  const answer = await person.call(path(), { headers: { accept: 'application/x-ndjson' } })
  const lines = (await answer.text()).trimEnd().split('\n')
  t.strictSame(
    lines.map((line) => (JSON.parse(line) as Alarm).uuid),
    [first?.uuid, changed?.uuid, last?.uuid]
  )
})

t.test('limits the alarms of a project to its devices that have a system', async (t) => {
  const { upstream, signInAs } = await openGateway(t, { startedSandbox: sandbox })
  const [device] = state.devices.of(NOTABLE.northwind)
  if (!device) return t.fail('the sample has no device')
  const { systemGuid, projectId } = device
  t.teardown(() => Object.assign(device, { systemGuid }))
  device.systemGuid = ''
  const person = await signInAs('customer.user')
  await person.json(path(`projectId=${projectId}`))
  const searches = upstream.asked.filter(({ target }) => target.includes('alarms:search'))
  t.ok(searches.length > 0)
  for (const { body } of searches) t.notOk(JSON.parse(body).systemGuids.includes(''))
})

t.test('answers a failure at once as a problem, and a later one as the last line', async (t) => {
  const { upstream, signInAs } = await openGateway(t, { startedSandbox: sandbox })
  const person = await signInAs('customer.user')
  const read = (accept: string) => person.call(path('show=all'), { headers: { accept } })
  const { items } = await list('show=all&size=1')
  const alarms = Array.from({ length: 200 }, (_, number) => ({ ...items[0], uuid: `a-${number}` }))
  const firstPage = { _embedded: { alarms }, page: { totalPages: 2, totalElements: 300 } }
  upstream.rule = ({ target }) => {
    if (!target.includes('alarms:search')) return undefined
    return target.includes('page=0') ? { status: 200, body: firstPage } : { status: 503 }
  }
  const begun = await read('application/x-ndjson')
  t.equal(begun.status, 200)
  const lines = (await begun.text()).trimEnd().split('\n')
  t.equal(lines.length, 201)
  t.match(JSON.parse(lines.at(-1) ?? ''), { status: 503 })

  upstream.rule = ({ target }) => (target.includes('alarms:search') ? { status: 503 } : undefined)
  for (const accept of ['application/json', 'application/x-ndjson']) {
    const answer = await read(accept)
    t.equal(answer.status, 503, accept)
    t.match(answer.headers.get('content-type'), 'application/problem+json', accept)
    t.ok(answer.headers.get('retry-after'), accept)
  }
})
