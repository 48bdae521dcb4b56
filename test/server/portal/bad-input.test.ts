// Upstreams that answer anything: shown as data or told as an error, never a crash, and nothing of the rest lost.
import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import type { CustomerTree, DevicePage, ProjectList } from '#shared/entities.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn, startPortal } from '#test/support/portal.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const elsewhere = await startTinyUpstream(t)
const upstream = await startTinyUpstream(t)

type Answer = (query: URLSearchParams, response: ServerResponse, request: IncomingMessage) => unknown

const send = (response: ServerResponse, body: unknown) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
const device = (id: string, more: object = {}) => ({
  id,
  deviceUuid: `u-${id}`,
  deviceName: `Device ${id}`,
  hostId: `H-${id}`,
  location: 'Roof',
  projectName: 'East',
  systemGuid: `g-${id}`,
  ...more
})
const page = (rel: string, items: unknown, more: object = {}) => ({ _embedded: { [rel]: items }, ...more })
const projects: Answer = (_query, response) =>
  send(response, page('projects', [{ id: 'p', projectName: 'East' }]))
const none: Answer = (_query, response) => send(response, [])

/** A gateway that knows nothing yet, before an upstream that answers the lists as told and all else like the sandbox. */
async function scene(t: Test, lists: { projects?: Answer; devices: Answer; subscriptions?: Answer }) {
  const answers: [path: RegExp, answer: Answer][] = [
    [/\/projects$/, lists.projects ?? projects],
    [/\/devices$/, lists.devices],
    [/\/subscription\/customers\//, lists.subscriptions ?? none]
  ]
  upstream.received.length = 0
  elsewhere.received.length = 0
  upstream.answer = async (request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '', 'http://upstream')
    const [, own] = answers.find(([path]) => path.test(pathname)) ?? []
    if (own) return own(searchParams, response, request)
    const { authorization = '' } = request.headers
    const answer = await fetch(sandbox.url + pathname + search, { headers: { authorization } })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  const portal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
  const browser = await signIn(portal.url, sandbox, 'customer.user')
  const path = (rest: string) => `/api/portal/v1/customers/${NOTABLE.northwind}/${rest}`
  return {
    status: async (rest = 'tree') => (await browser.call(path(rest))).status,
    tree: () => browser.json<CustomerTree>(path('tree')),
    devices: (query = '') => browser.json<DevicePage>(path(`devices?size=1000&${query}`)),
    projects: () => browser.json<ProjectList>(path('projects')),
    asked: (part: string) => upstream.received.filter(({ url }) => url.includes(part)).length
  }
}
const ids = ({ items }: DevicePage) => items.map(({ id }) => id).sort()

t.test('what is no list of devices is told as an error', async (t) => {
  const html = '<!doctype html><h1>Maintenance</h1>'
  const whole = JSON.stringify(page('devices', [device('a')]))
  const { status } = await scene(t, { devices: (_query, response) => send(response, body) })
  let body: unknown = html
  const bodies = [
    html,
    whole.slice(0, whole.length / 2),
    '',
    'null',
    '[]',
    '7',
    page('devices', 'none'),
    page('devices', { a: 1 })
  ]
  for (const one of bodies) {
    body = one
    t.equal(await status(), 502, JSON.stringify(one).slice(0, 40))
  }
  body = page('devices', [], { page: { totalPages: 1e9, totalElements: 1e12 } })
  t.equal(await status(), 502, 'more pages than any customer has')
  body = whole
  t.equal(await status(), 200, 'and none of it is kept')
})

t.test('one page of many that is HTML or breaks off ends it all, and is not asked for ever', async (t) => {
  for (const breaks of [false, true]) {
    const { status, asked } = await scene(t, {
      devices(query, response, request) {
        const number = Number(query.get('page'))
        const body = page('devices', [device(`d${number}`)], { page: { totalPages: 40, totalElements: 40 } })
        if (number !== 3) return send(response, body)
        if (!breaks) return send(response, '<h1>')
        response
          .writeHead(200, { 'content-length': '1000' })
          .write('{"_embedded":', () => request.socket.destroy())
      }
    })
    t.equal(await status(), breaks ? 503 : 502)
    t.ok(asked('/devices?page=3&') <= 3)
  }
})

t.test('a device that comes on two pages is shown once', async (t) => {
  const { devices, tree } = await scene(t, {
    devices(query, response) {
      const items = [
        [device('a'), device('b')],
        [device('b'), device('c')]
      ][Number(query.get('page'))]
      send(response, page('devices', items, { page: { totalPages: 2, totalElements: 4 } }))
    }
  })
  const found = await devices()
  t.strictSame(ids(found), ['a', 'b', 'c'])
  t.equal(found.page.totalElements, 3)
  t.equal((await tree()).projects[0]?.devices.length, 3)
})

t.test('a page that repeats itself gives its devices once', async (t) => {
  const { devices } = await scene(t, {
    devices: (_query, response) =>
      send(
        response,
        page('devices', [device('a'), device('b')], { page: { totalPages: 5, totalElements: 10 } })
      )
  })
  t.strictSame(ids(await devices()), ['a', 'b'])
})

t.test('links that lead in a circle come to an end', async (t) => {
  const { devices, asked } = await scene(t, {
    devices(query, response) {
      const cursor = query.get('cursor') ?? 'first'
      const href = `/api/v2/management/organizations/${NOTABLE.northwind}/devices?cursor=${cursor === 'x' ? 'y' : 'x'}`
      send(response, page('devices', [device(cursor)], { _links: { next: { href } } }))
    }
  })
  t.strictSame(ids(await devices()), ['first', 'x', 'y'])
  t.equal(asked('/devices?'), 3)
})

t.test('a next link to another host is followed at the configured upstream only', async (t) => {
  const { devices } = await scene(t, {
    devices(query, response) {
      const path = `/api/v2/management/organizations/${NOTABLE.northwind}/devices?page=1&size=1000`
      const isFirst = query.get('page') === '0'
      const more = isFirst ? { _links: { next: { href: elsewhere.url + path } } } : {}
      send(response, page('devices', [device(isFirst ? 'a' : 'b')], more))
    }
  })
  t.strictSame(ids(await devices()), ['a', 'b'])
  t.equal(elsewhere.received.length, 0)
})

t.test('counts that lie lose nothing', async (t) => {
  const counts = [
    { totalPages: 1, totalElements: 1 },
    { totalPages: -3, totalElements: -1 },
    { totalPages: 'two', totalElements: null },
    { totalPages: 2.5 },
    { totalPages: 7, totalElements: 2 }
  ]
  for (const told of counts) {
    const { devices } = await scene(t, {
      devices(query, response) {
        const number = Number(query.get('page'))
        const items = [[device('a')], [device('b')]][number] ?? []
        const next = {
          href: `/api/v2/management/organizations/${NOTABLE.northwind}/devices?page=1&size=1000`
        }
        send(response, page('devices', items, { page: told, ...(number === 0 ? { _links: { next } } : {}) }))
      }
    })
    const found = await devices()
    t.strictSame(ids(found), ['a', 'b'], JSON.stringify(told))
    t.equal(found.page.totalElements, 2)
  }
})

t.test('odd devices and projects are shown as far as they can be read', async (t) => {
  const items = [
    device('unknown-project', { projectName: 'Nowhere' }),
    device('nameless-project', { projectName: '' }),
    device('no-project', { projectName: null }),
    device('numbers', { deviceName: 7, hostId: {}, location: [], systemGuid: null }),
    { id: 12 },
    {},
    null,
    'text',
    device('by-name', { deviceName: undefined, name: 'Other field' }),
    device('long', { deviceName: 'x'.repeat(100_000) }),
    device('marks', { deviceName: '<b>"\\u0000 \ud83c' })
  ]
  const { devices, projects, tree } = await scene(t, {
    projects: (_query, response) =>
      send(
        response,
        page('projects', [{ id: 'p1' }, { projectName: 'East' }, { id: 'p3', projectName: null }, null])
      ),
    devices: (_query, response) => send(response, page('devices', items)),
    subscriptions: (_query, response) =>
      send(response, [
        null,
        7,
        { deviceUuid: 'u-numbers', offeringCode: 'NDS', startDate: 'never', endDate: 12, planLimit: '5' },
        { deviceUuid: 'u-gone', offeringCode: 'NDS' }
      ])
  })
  const { unassigned, projects: branches, partial } = await tree()
  t.strictSame(partial, [])
  t.equal(branches.length, 4)
  const all = [...branches.flatMap((branch) => branch.devices), ...unassigned]
  t.equal(all.length, items.length, 'even those without any field')
  t.match(
    all.find(({ id }) => id === 'numbers'),
    {
      deviceName: '',
      hostId: '',
      location: '',
      subscriptions: [{ offeringCode: 'NDS', startDate: 'never', endDate: '' }]
    }
  )
  t.match(
    all.find(({ id }) => id === 'by-name'),
    { deviceName: 'Other field' }
  )
  t.ok(
    unassigned.some(({ id }) => id === 'unknown-project') &&
      unassigned.some(({ id }) => id === 'nameless-project')
  )
  t.equal((await projects()).totals.devices, all.length)
  for (const query of ['sort=location', 'q=xxx', 'service=NDS', 'expires=30&service=NDS'])
    await devices(query)
  t.equal((await devices('service=NDS')).page.totalElements, 0, 'a service without dates is not active')
})

t.test('subscriptions that are no list are missing, and said to be', async (t) => {
  let body: unknown
  for (const one of ['<h1>', '{}', '[{"deviceUuid":"u-a"', 'null', '']) {
    body = one
    const { devices } = await scene(t, {
      devices: (_query, response) => send(response, page('devices', [device('a')])),
      subscriptions: (_query, response) => send(response, body)
    })
    const { items, partial } = await devices()
    t.strictSame(partial, ['subscriptions'], JSON.stringify(one))
    t.equal(items.length, 1)
  }
})
