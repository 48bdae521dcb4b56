import '../../../support/client/dom.ts'
import '../../../support/client/patience.ts'
import assert from 'node:assert/strict'
import { cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
import t, { type Test } from 'tap'
import { browser } from '#client/lib/browser.ts'
import { ApiError, failureOf, isNotFound } from '#client/lib/http/api-error.ts'
import { noteBack } from '#client/lib/http/connection.ts'
import { get, IdentityContext, useInfiniteQuery, useQuery, useRefresh } from '#client/lib/http/query.ts'
import { request } from '#client/lib/http/request.ts'
import type { Page } from '#shared/answers/parts.ts'
import { type Call, never, pageOf, problem, startGateway } from '../../../support/client/gateway.ts'
import { withRetries } from '../../../support/client/with-retries.tsx'

t.afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const failures: [what: string, answer: unknown, status: number, title: string][] = [
  ['a 503', problem(503), 503, 'Network Connectivity Failed'],
  ['a 504', problem(504), 504, 'Network Connectivity Failed'],
  ['a 499', problem(499), 499, 'Network Connectivity Failed'],
  ['a 409', problem(409), 409, 'Data Conflict found'],
  ['a 500', problem(500), 500, 'Something went wrong'],
  [
    'an error page that is no problem document',
    new Response('<h1>', { status: 502 }),
    502,
    'Something went wrong'
  ],
  [
    'a problem document that is cut off',
    new Response('{', { status: 500, headers: { 'content-type': 'application/problem+json' } }),
    500,
    'Something went wrong'
  ],
  ['a lost connection', () => Promise.reject(new TypeError('failed')), 503, 'Network Connectivity Failed'],
  ['an answer that is no JSON', new Response('<h1>'), 503, 'Network Connectivity Failed']
]

for (const [what, answer, status, title] of failures) {
  t.test(`${what} shows “${title}”`, async (t) => {
    const gateway = startGateway({ '/api/x': answer })
    t.teardown(gateway.stop)
    const error = await request('/api/x').catch((caught: unknown) => caught)
    t.type(error, ApiError)
    t.equal((error as ApiError).status, status)
    t.equal(failureOf(error).title, title)
  })
}

t.test('an error keeps the code and the request id of the gateway', async (t) => {
  const gateway = startGateway({ '/api/x': problem(404, { code: 'notFound' }) })
  t.teardown(gateway.stop)
  const error = await request('/api/x').catch((caught: unknown) => caught)
  t.match(error, { code: 'notFound', requestId: 'request-1', title: 'Refused' })
  t.ok(isNotFound(error))
  t.equal(failureOf(new Error('anything')).title, 'Something went wrong')
})

t.test('signs in again after a 401 and returns to the address', async (t) => {
  const gateway = startGateway({ '/api/x': problem(401) })
  t.teardown(gateway.stop)
  const addresses: string[] = []
  browser.leaveTo = (url) => addresses.push(url)
  void request('/api/x')
  await waitFor(() => assert.deepEqual(addresses, ['/auth/login?returnTo=%2F']))
})

t.test('a 401 throws “user is not authenticated” after a silent renewal and three sign-ins', async (t) => {
  const gateway = startGateway({ '/api/x': problem(401) })
  t.teardown(gateway.stop)
  sessionStorage.setItem('portal.sign-ins', JSON.stringify([Date.now(), Date.now(), Date.now()]))
  await t.rejects(request('/api/x'), { message: 'user is not authenticated', status: 401 } as Error & {
    status: number
  })
  t.equal(gateway.calls.length, 2, 'the silent renewal repeats the call')
})

t.test('hides a 401 if a retry succeeds, for instance after a sign-in in another tab', async (t) => {
  let refusals = 0
  const gateway = startGateway({ '/api/x': () => (refusals++ === 0 ? problem(401) : { name: 'x' }) })
  t.teardown(gateway.stop)
  browser.leaveTo = (url) => t.fail(`left for ${url}`)
  t.same(await request('/api/x'), { name: 'x' })
})

function busyGateway(t: Test, refusals: number, retryAfter: string, refusal = () => problem(429)) {
  const { setTimeout: realSetTimeout } = globalThis
  const pauses: number[] = []
  const wait = (run: () => void, ms = 0) => {
    pauses.push(ms)
    return realSetTimeout(run)
  }
  t.intercept(globalThis, 'setTimeout', { value: wait })
  let refusalsLeft = refusals
  const gateway = startGateway({
    '/api/x': () => {
      refusalsLeft -= 1
      if (refusalsLeft < 0) return { name: 'x' }
      const response = refusal()
      response.headers.set('retry-after', retryAfter)
      return response
    }
  })
  t.teardown(gateway.stop)
  return { gateway, pauses }
}

t.test('repeats a call once after a 429, when the Retry-After time has passed', async (t) => {
  const { gateway, pauses } = busyGateway(t, 1, '2')
  t.same(await request('/api/x', { method: 'POST', body: { a: 1 } }), { name: 'x' })
  t.equal(gateway.calls.length, 2)
  t.equal(pauses.length, 1)
  t.ok((pauses[0] ?? 0) >= 2000 && (pauses[0] ?? 0) <= 4000, `${pauses[0]} ms`)
})

t.test('reports a 429 that repeats or has a long Retry-After', async (t) => {
  for (const [refusals, retryAfter, calls] of [
    [2, '1', 2],
    [1, '6', 1],
    [1, 'soon', 1]
  ] as const) {
    const { gateway } = busyGateway(t, refusals, retryAfter)
    const error = await request('/api/x').catch((caught: unknown) => caught)
    t.equal((error as ApiError).status, 429, retryAfter)
    t.equal(gateway.calls.length, calls)
    gateway.stop()
  }
})

const storeUnavailable = () => problem(503, { type: 'urn:portal:problem:session_store_unavailable' })

t.test('without a session store, does not retry a write and retries a read four times', async (t) => {
  t.teardown(noteBack)
  for (const [method, refusals, calls] of [
    ['POST', 1, 1],
    ['GET', 5, 5]
  ] as const) {
    const { gateway } = busyGateway(t, refusals, '1', storeUnavailable)
    const options = method === 'GET' ? {} : { method }
    const error = await request('/api/x', options).catch((caught: unknown) => caught)
    t.match(error, { status: 503, retryAfterSeconds: 1 })
    t.equal(gateway.calls.length, calls)
    gateway.stop()
  }
})

t.test('retries a read after the Retry-After time of the session store', async (t) => {
  t.teardown(noteBack)
  const { gateway, pauses } = busyGateway(t, 4, '1', storeUnavailable)
  t.same(await request('/api/x'), { name: 'x' })
  t.equal(gateway.calls.length, 5)
  t.ok(pauses.every((ms) => ms >= 1000 && ms <= 2000))
})

for (const status of [401, 429])
  t.test(`a call aborted while it waits after a ${status} ends at once`, async (t) => {
    const pause = Promise.withResolvers<void>()
    t.intercept(globalThis, 'setTimeout', { value: () => pause.resolve() })
    const response = problem(status)
    response.headers.set('retry-after', '5')
    const gateway = startGateway({ '/api/x': response })
    t.teardown(gateway.stop)
    const aborter = new AbortController()
    const answer = request('/api/x', { signal: aborter.signal })
    await pause.promise
    aborter.abort()
    await t.rejects(answer, { name: 'AbortError' } as Error)
    t.equal(gateway.calls.length, 1)
  })

t.test('sends a JSON body with the headers of the portal', async (t) => {
  const gateway = startGateway({ '/api/x': new Response(null, { status: 204 }) })
  t.teardown(gateway.stop)
  t.equal(await request('/api/x', { method: 'POST', body: { a: 1 } }), undefined)
  const [call] = gateway.calls
  t.equal(call?.headers.get('x-portal-csrf'), '1')
  t.equal(call?.headers.get('accept'), 'application/json')
  t.equal(call?.headers.get('content-type'), 'application/json')
})

function NameView({ path }: { path: string }) {
  const { data, error } = useQuery(path, get<{ name: string }>)
  if (error !== undefined) return <p>failed</p>
  return <p>{data?.name ?? 'loading'}</p>
}

const KEYS = ['first', 'second', 'third']

const page = (paths: string[], userId = 'u-1') => (
  <SWRConfig
    value={{ provider: () => new Map(), loadingTimeout: 0, dedupingInterval: 0, shouldRetryOnError: false }}
  >
    <IdentityContext value={{ userId, organizationId: 'o-1' }}>
      {paths.map((path, index) => (
        <NameView key={KEYS[index]} path={path} />
      ))}
    </IdentityContext>
  </SWRConfig>
)

t.test('aborts a load that no component uses, without an error', async (t) => {
  const gateway = startGateway({ '/api/a': never, '/api/b': { name: 'B' } })
  t.teardown(gateway.stop)
  const { rerender, findByText, queryByText } = render(page(['/api/a']), withRetries)
  rerender(page(['/api/b']))
  await findByText('B')
  await waitFor(() => assert.equal(gateway.calls[0]?.signal?.aborted, true))
  t.equal(gateway.calls[1]?.signal?.aborted, false)
  t.notOk(queryByText('failed'))
})

t.test('continues a load that another component uses', async (t) => {
  const gateway = startGateway({ '/api/a': never, '/api/b': { name: 'B' }, '/api/unused': never })
  t.teardown(gateway.stop)
  const { rerender, findByText } = render(page(['/api/a', '/api/a', '/api/unused']), withRetries)
  rerender(page(['/api/b', '/api/a']))
  await findByText('B')
  const callOf = (path: string) => gateway.calls.find((call) => call.path === path)
  await waitFor(() => assert.equal(callOf('/api/unused')?.signal?.aborted, true))
  t.equal(callOf('/api/a')?.signal?.aborted, false)
})

t.test('does not show one person’s data to the next person', async (t) => {
  const gateway = startGateway({ '/api/a': { name: 'first' } })
  t.teardown(gateway.stop)
  const { rerender, findByText, queryByText } = render(page(['/api/a']), withRetries)
  await findByText('first')
  gateway.answers['/api/a'] = never
  rerender(page(['/api/a'], 'u-2'))
  t.notOk(queryByText('first'))
  await findByText('loading')
})

t.test('polls also while it renders more often than it polls', async (t) => {
  const gateway = startGateway({ '/api/a': { name: 'A' } })
  t.teardown(gateway.stop)
  function Polling() {
    useQuery('/api/a', get<object>, { refreshInterval: (answer) => (answer ? 200 : 0) })
    return null
  }
  const view = () => (
    <SWRConfig value={{ provider: () => new Map(), loadingTimeout: 0, dedupingInterval: 0 }}>
      <Polling />
    </SWRConfig>
  )
  const { rerender } = render(view(), withRetries)
  const renders = setInterval(() => rerender(view()), 20)
  t.teardown(() => clearInterval(renders))
  await waitFor(() => assert.ok(gateway.calls.length >= 3))
})

interface GrowingAnswer extends Page<string> {
  items: string[]
}

/** A gateway with two pages of one row each. The rows contain the number of calls before, so that a reload shows. */
function startGrowingList(t: Test, interval?: number) {
  const gateway = startGateway({
    '/api/rows': ({ query }: Call) => ({
      items: [`row ${query.get('page')} as of call ${gateway.calls.length}`],
      page: pageOf(2, Number(query.get('page')), 1)
    })
  })
  t.teardown(gateway.stop)
  function GrowingList() {
    const {
      data = [],
      hasNextPage,
      fetchNextPage
    } = useInfiniteQuery<GrowingAnswer>('/api/rows?size=1', interval)
    return (
      <>
        {data
          .flatMap(({ items }) => items)
          .map((row) => (
            <p key={row}>{row}</p>
          ))}
        {hasNextPage && (
          <button type="button" onClick={fetchNextPage}>
            Load more
          </button>
        )}
      </>
    )
  }
  function ChangeButton() {
    const refresh = useRefresh()
    return (
      <button type="button" onClick={() => void refresh('/api/rows')}>
        Change
      </button>
    )
  }
  const cache = new Map()
  const view = (isShown: boolean) => (
    <SWRConfig value={{ provider: () => cache, loadingTimeout: 0, dedupingInterval: 0 }}>
      <IdentityContext value={{ userId: 'u-1', organizationId: 'o-1' }}>
        {isShown && <GrowingList />}
        <ChangeButton />
      </IdentityContext>
    </SWRConfig>
  )
  const { rerender, ...portal } = render(view(true), withRetries)
  const pagesRead = () => gateway.calls.map(({ query }) => query.get('page')).join()
  return { ...portal, pagesRead, show: (isShown: boolean) => rerender(view(isShown)) }
}

t.test('“load more” of a growing list reads only the next page', async (t) => {
  const { findByText, pagesRead } = startGrowingList(t)
  fireEvent.click(await findByText('Load more'))
  await findByText('row 1 as of call 2')
  t.equal(pagesRead(), '0,1')
})

t.test('a change reloads all pages of a growing list on display', async (t) => {
  const { findByText, pagesRead } = startGrowingList(t)
  fireEvent.click(await findByText('Load more'))
  await findByText('row 1 as of call 2')
  fireEvent.click(await findByText('Change'))
  await findByText('row 1 as of call 4')
  t.equal(pagesRead(), '0,1,0,1')
})

t.test('a poll reloads all pages of a growing list', async (t) => {
  const { findByText, pagesRead } = startGrowingList(t, 200)
  fireEvent.click(await findByText('Load more'))
  await waitFor(() => assert.match(pagesRead(), /0,1,0,1/))
})

t.test('a growing list shows all loaded pages again after another screen, without reading', async (t) => {
  const { findByText, pagesRead, show } = startGrowingList(t)
  fireEvent.click(await findByText('Load more'))
  await findByText('row 1 as of call 2')
  show(false)
  show(true)
  await findByText('row 1 as of call 2')
  t.equal(pagesRead(), '0,1')
})

t.test('after a change, a growing list that was not on display is read from its first page', async (t) => {
  const { findByText, queryByText, show } = startGrowingList(t)
  fireEvent.click(await findByText('Load more'))
  await findByText('row 1 as of call 2')
  show(false)
  // Calls of a list that is not on display end in the next task.
  await new Promise((resolve) => setTimeout(resolve))
  fireEvent.click(await findByText('Change'))
  show(true)
  await findByText(/^row 0 as of call [34]$/)
  t.notOk(queryByText(/^row 1/))
})
