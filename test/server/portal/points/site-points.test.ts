// Whose token reads the points of a customer, and what a failed read means for other callers.
import pino from 'pino'
import t, { type Test } from 'tap'
import { Problem, problems } from '#server/errors.ts'
import { createCustomerHandle } from '#server/inventory/customer-handle.ts'
import { createInventoryWorker, type InventoryWorker } from '#server/inventory/worker-client.ts'
import { createSitePoints } from '#server/portal/points/site-points.ts'
import type { PresentViewer } from '#server/portal/readings/failures.ts'
import type { Bearer, Body, UpstreamClient } from '#server/upstreams/client.ts'
import { bodyOf, pageBody } from '../../../support/fetched.ts'

const CUSTOMER = 'c'
const POINT = { systemGuid: 'g-a', cloudId: 'p', displayName: 'Temp', outValue: '20 {ok}' }
const NONE = { name: '', match: 'equals' } as const

interface Search {
  by: string
  path: string
  searchItems: string[]
  systemGuid?: string
}

/** A viewer of a session. All viewers have the same visibility. */
const viewerOf = (id: string, currentUser = async () => ({ id, visibility: 'v' })) =>
  ({
    user: { id, visibility: 'v' },
    accessToken: async () => id,
    replaceToken: async () => null,
    currentUser
  }) as unknown as PresentViewer

async function readCustomer(worker: InventoryWorker, names: readonly string[]) {
  const id = worker.nextId()
  const readPage = async (rel: 'projects' | 'devices', items: object[]) =>
    (await worker.call('page', { id, customerId: CUSTOMER, rel, ...pageBody(rel, items) })).part
  const summary = await worker.call('assemble', {
    id,
    customerId: CUSTOMER,
    projects: [await readPage('projects', [])],
    devices: [
      await readPage(
        'devices',
        names.map((name) => ({ id: name, deviceUuid: `u-${name}`, systemGuid: `g-${name}` }))
      )
    ],
    subscriptions: bodyOf(
      names.map((name) => ({
        deviceUuid: `u-${name}`,
        offeringCode: 'NDS',
        startDate: '1970-01-01T00:00:00Z',
        endDate: '2100-01-01T00:00:00Z'
      }))
    ),
    assembledAt: '',
    previous: null
  })
  return createCustomerHandle(worker, id, summary)
}

async function start(t: Test, names = ['a']) {
  const clock = { nowMs: 1_000_000 }
  const log = pino({ enabled: false })
  const worker = createInventoryWorker({ memoryMb: 64, pageMaxMb: 4, timeoutMs: 60_000, log })
  t.teardown(() => worker.close())
  const api = {
    searches: [] as Search[],
    answer: async (_search: Search): Promise<Body> => pageBody('pointModels', [POINT])
  }
  const client = {
    async searchBody(_api: string, path: string, body: object, bearer: Bearer) {
      const search = { by: await bearer.accessToken(), path, ...body } as Search
      api.searches.push(search)
      return api.answer(search)
    }
  } as unknown as UpstreamClient
  let onDeath = (_culprit: number | undefined) => {}
  const points = createSitePoints({
    client,
    worker: {
      ...worker,
      onDeath(listener) {
        onDeath = listener
      }
    },
    clock: () => clock.nowMs,
    connections: 8,
    unusedMs: 600_000
  })
  t.teardown(() => points.close())

  const customer = await readCustomer(worker, names)
  const of = (
    viewer: PresentViewer,
    { isComplete = true, first = NONE as { name: string; match: 'equals' } } = {}
  ) => points.of(CUSTOMER, viewer, customer, new AbortController().signal, { first, isComplete })
  const readBy = () => api.searches.map(({ by }) => by).join()
  const die = (culprit: number | undefined) => onDeath(culprit)
  return { clock, worker, die, api, points, of, readBy }
}

const refusal = (status: number, upstreamStatus: number) =>
  new Problem(status, 'upstream_refused', { upstreamStatus })
const NOT_SIGNED_IN = problems.notSignedIn()
const TOO_MANY_CALLS = refusal(503, 429)
const NOT_STORED = problems.inventoryUnavailable()
const NO_ROOM = problems.inventoryUnavailable(new Error('no memory for the points of a customer'))
const FORBIDDEN = refusal(403, 403)

t.test('a caller who waits for the read of another reads if only the other is refused', async (t) => {
  const { api, of, readBy } = await start(t)
  const began = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  api.answer = async ({ by }) => {
    began.resolve()
    await gate.promise
    if (by === 'anna') throw FORBIDDEN
    return pageBody('pointModels', [POINT])
  }
  const anna = t.rejects(of(viewerOf('anna')), FORBIDDEN)
  await began.promise
  const ben = of(viewerOf('ben'))
  gate.resolve()
  await anna
  t.match((await ben).progress, { waiting: [], readAt: 1_000_000 })
  t.equal(readBy(), 'anna,ben')
  await t.rejects(of(viewerOf('anna')), FORBIDDEN)
})

t.test('a sign-out ends a read for nobody else, and is no refusal of the API', async (t) => {
  const { api, of, readBy } = await start(t)
  let isSignedIn = true
  const leaving = viewerOf('anna', async () => {
    if (!isSignedIn) throw NOT_SIGNED_IN
    return { id: 'anna', visibility: 'v' }
  })
  const began = Promise.withResolvers<void>()
  api.answer = async ({ by }) => {
    if (by !== 'anna' || !isSignedIn) return pageBody('pointModels', [POINT])
    isSignedIn = false
    began.resolve()
    return pageBody('pointModels', [POINT], { page: { totalPages: 3 } })
  }
  const first = t.rejects(of(leaving), NOT_SIGNED_IN)
  await began.promise
  const ben = of(viewerOf('ben'))
  await first
  const { id } = await ben
  t.equal(readBy(), 'anna,ben')
  t.equal((await of(viewerOf('anna'))).id, id, 'another session of the same person shares the points')
})

t.test('reads points again that the worker has freed', async (t) => {
  const { clock, worker, of, readBy } = await start(t)
  const anna = viewerOf('anna')
  worker.release((await of(anna)).id)
  clock.nowMs += 60_000
  await t.rejects(of(anna), NOT_STORED)
  t.match((await of(anna)).progress, { readAt: clock.nowMs })
  t.equal(readBy(), 'anna,anna')
})

t.test('keeps points if only the rows of a file have no room', async (t) => {
  const { points, of } = await start(t)
  const { id } = await of(viewerOf('anna'))
  await t.rejects(points.forgetting(id, Promise.reject(NO_ROOM)), NO_ROOM)
  t.equal((await of(viewerOf('anna'))).id, id)
  await t.rejects(points.forgetting(id, Promise.reject(NOT_STORED)), NOT_STORED)
  t.not((await of(viewerOf('anna'))).id, id)
})

for (const refused of ['g-a', 'g-b', 'g-d'])
  t.test(`reads the points of all other systems if the API refuses ${refused}`, async (t) => {
    const { clock, api, of } = await start(t, ['a', 'b', 'c', 'd', 'e'])
    api.answer = async ({ systemGuid }) => {
      if (systemGuid === undefined) throw refusal(400, 400)
      if (systemGuid === refused) throw FORBIDDEN
      return pageBody('pointModels', [{ ...POINT, systemGuid }])
    }
    const anna = viewerOf('anna')
    const partly = { waiting: [], failed: [refused], readAt: clock.nowMs }
    t.match((await of(anna)).progress, partly)
    clock.nowMs += 10_000
    t.match((await of(anna)).progress, partly, 'also when only this system is read again')
    t.equal(api.searches.filter(({ systemGuid }) => systemGuid === refused).length, 2)
  })

t.test('is refused if the API refuses every system', async (t) => {
  const { api, of } = await start(t, ['a', 'b', 'c', 'd', 'e'])
  api.answer = async ({ systemGuid }) => {
    throw systemGuid === undefined ? refusal(400, 400) : FORBIDDEN
  }
  await t.rejects(of(viewerOf('anna')), FORBIDDEN)
})

t.test('keeps the points of a read during which the clock is set back', async (t) => {
  const { clock, api, points, of } = await start(t)
  api.answer = async ({ path }) => {
    if (!path.includes('page=0')) return pageBody('pointModels', [{ ...POINT, cloudId: 'q' }])
    clock.nowMs -= 1_000
    return pageBody('pointModels', [POINT], { page: { totalPages: 2 } })
  }
  const anna = viewerOf('anna')
  await of(anna)
  const { found } = (await points.find(CUSTOMER, anna)?.('temp', 10)) ?? {}
  t.strictSame(found?.map(({ point }) => point.cloudId).sort(), ['p', 'q'])
})

t.test('reads points once after a command before the clock was set back', async (t) => {
  const { clock, points, of, readBy } = await start(t)
  const anna = viewerOf('anna')
  await of(anna)
  points.changed(CUSTOMER)
  clock.nowMs -= 1_000
  await of(anna)
  await of(anna)
  t.equal(readBy(), 'anna,anna')
})

t.test('points that have stopped the worker are not read for a minute', async (t) => {
  const { clock, die, of, readBy } = await start(t)
  const [anna, ben] = [viewerOf('anna'), viewerOf('ben')]
  await of(anna)
  die(undefined)
  const { id } = await of(anna)
  t.equal(readBy(), 'anna,anna', 'nobody is to blame')
  die(id)
  for (const viewer of [anna, ben]) await t.rejects(of(viewer), NOT_STORED)
  t.equal(readBy(), 'anna,anna')
  clock.nowMs += 60_000
  await of(ben)
  t.equal(readBy(), 'anna,anna,ben')
})

t.test('an API that refuses further calls is asked by nobody for ten seconds', async (t) => {
  const { clock, api, of, readBy } = await start(t)
  const [anna, ben] = [viewerOf('anna'), viewerOf('ben')]
  api.answer = async () => {
    throw TOO_MANY_CALLS
  }
  for (const viewer of [anna, ben, anna, ben]) await t.rejects(of(viewer), TOO_MANY_CALLS)
  t.equal(readBy(), 'anna')
  clock.nowMs += 10_000
  await t.rejects(of(ben), TOO_MANY_CALLS)
  t.equal(readBy(), 'anna,ben')
})

for (const [name, answer] of [
  ['has more pages than a device may have', pageBody('pointModels', [POINT], { page: { totalPages: 101 } })],
  ['is refused', refusal(400, 400)],
  ['fails', refusal(502, 500)]
] as const)
  t.test(`reads all points if the search for a name ${name}`, async (t) => {
    const { api, of } = await start(t)
    api.answer = async ({ searchItems }) => {
      if (searchItems.length === 0) return pageBody('pointModels', [POINT])
      if (answer instanceof Problem) throw answer
      return answer
    }
    const { progress } = await of(viewerOf('anna'), { first: { name: 'Temp', match: 'equals' } })
    t.match(progress, { readAt: 1_000_000, waiting: [], total: 1 })
    t.strictSame(
      api.searches.map(({ searchItems, systemGuid }) => [searchItems, systemGuid]),
      [
        [['Temp'], undefined],
        [[], undefined]
      ]
    )
  })
