import t from 'tap'
import { type Problem, problems } from '#server/errors.ts'
import { createSingleFlight, type Shared } from '#server/upstreams/single-flight.ts'
import { answerProblem } from '#server/upstreams/transport/failures.ts'

interface Fetch {
  by: string
  signal: AbortSignal
  end: (result: string) => void
  fail: (error: Error) => void
}

function createFlights() {
  const time = { now: 1_000 }
  const flights = createSingleFlight<string>(() => time.now)
  const fetches: Fetch[] = []
  const results: [result: string, beganAt: number][] = []
  const share = (by = 'one', more: Partial<Shared<string>> = {}, name = 'name') =>
    flights.share(name, {
      fetch: (signal) => new Promise((end, fail) => void fetches.push({ by, signal, end, fail })),
      keep: (...result) => void results.push(result),
      ...more
    })
  return { time, flights, fetches, results, share }
}

const tick = () => new Promise((resolve) => setImmediate(resolve))

function problemOf(status: number): Problem {
  const problem = answerProblem(status, {})
  problem.options.upstreamStatus = status
  return problem
}

t.test('waiting callers fetch with their own token when the leader’s token was refused', async (t) => {
  const refusals: [name: string, error: Error][] = [
    ...[400, 401, 403, 404, 409, 429].map((status): [string, Error] => [`${status}`, problemOf(status)]),
    ['an expired session', problems.notSignedIn()],
    ['a token that cannot be refreshed', problems.authorityUnavailable(null)],
    ['no session store', problems.storeUnavailable(null)],
    ['a leader that disconnected', problems.clientGone()]
  ]
  for (const [name, error] of refusals) {
    const { fetches, results, share } = createFlights()
    const leader = share('leader')
    const waiters = [share('second'), share('third')]
    t.equal(fetches.length, 1, name)
    fetches[0]?.fail(error)
    await t.rejects(leader, error, name)
    await tick()
    t.strictSame(
      fetches.map(({ by }) => by),
      ['leader', 'second', 'third'],
      `${name}: the waiters fetch in parallel`
    )
    fetches[1]?.end('of the second')
    fetches[2]?.end('of the third')
    t.strictSame(await Promise.all(waiters), ['of the second', 'of the third'], name)
    t.equal(results.length, 2, `${name}: stores the results`)
  }
})

t.test('a waiter whose token is refused too gets its own refusal', async (t) => {
  const { fetches, results, share } = createFlights()
  const [leader, otherCall] = [share('leader'), share('other')]
  fetches[0]?.fail(problemOf(403))
  await t.rejects(leader, /403 forbidden/)
  await tick()
  fetches[1]?.fail(problemOf(404))
  await t.rejects(otherCall, /404 not_found/)
  t.strictSame(results, [])
})

t.test('waiting callers share a failure that is not a refusal; it is not cached', async (t) => {
  const failures = [
    new TypeError('unexpected'),
    problems.upstreamGarbled(),
    problems.upstreamTooLarge('more than 2 MB'),
    problems.upstreamBusy(),
    problems.upstreamTimeout(),
    problems.upstreamUnreachable(),
    ...[500, 502, 503, 504].map(problemOf)
  ]
  for (const error of failures) {
    const { flights, fetches, results, share } = createFlights()
    const calls = [share(), share('other'), share('third', { signal: new AbortController().signal })]
    fetches[0]?.fail(error)
    for (const call of calls) await t.rejects(call, error)
    t.equal(fetches.length, 1, error.message)
    t.notOk(flights.isJoinable('name'))
    t.strictSame(results, [])
  }
})

t.test('an aborted caller begins no fetch', async (t) => {
  const { fetches, share } = createFlights()
  await t.rejects(share('one', { signal: AbortSignal.abort() }), problems.clientGone())
  t.equal(fetches.length, 0)
})

t.test('aborts the fetch when the last waiter aborts, and drops the result', async (t) => {
  const { flights, fetches, results, share } = createFlights()
  const [aborter1, aborter2] = [new AbortController(), new AbortController()]
  const calls = [share('one', { signal: aborter1.signal }), share('other', { signal: aborter2.signal })]
  aborter1.abort()
  await t.rejects(calls[0] as Promise<string>, problems.clientGone())
  t.notOk(fetches[0]?.signal.aborted, 'another caller still waits')
  aborter2.abort()
  await t.rejects(calls[1] as Promise<string>, problems.clientGone())
  t.ok(fetches[0]?.signal.aborted)
  t.notOk(flights.isJoinable('name'))
  fetches[0]?.end('too late')
  await tick()
  t.strictSame(results, [])
})

t.test('a caller after an aborted fetch begins a new fetch', async (t) => {
  const { fetches, results, share } = createFlights()
  const aborter = new AbortController()
  const abortedCall = share('one', { signal: aborter.signal })
  aborter.abort()
  await t.rejects(abortedCall, problems.clientGone())
  const second = share()
  t.equal(fetches.length, 2)
  fetches[0]?.fail(new Error('aborted'))
  fetches[1]?.end('second')
  t.equal(await second, 'second')
  t.strictSame(results, [['second', 1_000]])
})

t.test('a waiter without a signal keeps the fetch running when the leader aborts', async (t) => {
  const { fetches, share } = createFlights()
  const aborter = new AbortController()
  const [abortedCall, otherCall] = [share('leader', { signal: aborter.signal }), share()]
  aborter.abort()
  await t.rejects(abortedCall, problems.clientGone())
  t.notOk(fetches[0]?.signal.aborted)
  fetches[0]?.end('done')
  t.equal(await otherCall, 'done')
})

t.test('a waiter that fetches for itself aborts only its own fetch', async (t) => {
  const { fetches, share } = createFlights()
  const aborter = new AbortController()
  const leader = share('leader')
  const [abortedCall, otherCall] = [share('aborted', { signal: aborter.signal }), share('other')]
  fetches[0]?.fail(problemOf(401))
  await t.rejects(leader)
  await tick()
  aborter.abort()
  await t.rejects(abortedCall, problems.clientGone())
  t.ok(fetches.find(({ by }) => by === 'aborted')?.signal.aborted)
  fetches.find(({ by }) => by === 'other')?.end('done')
  t.equal(await otherCall, 'done')
})

t.test('a thousand callers of a name share one fetch; another name has another fetch', async (t) => {
  const { fetches, results, share, time } = createFlights()
  const calls = Array.from({ length: 1000 }, () => share('one', { signal: new AbortController().signal }))
  time.now = 2_000
  const otherCall = share('one', {}, 'other')
  t.equal(fetches.length, 2)
  fetches[0]?.end('all')
  fetches[1]?.end('other')
  t.ok((await Promise.all(calls)).every((result) => result === 'all'))
  t.equal(await otherCall, 'other')
  t.strictSame(
    results,
    [
      ['all', 1_000],
      ['other', 2_000]
    ],
    'stores the start time of each fetch'
  )
})

t.test('callers do not join an old fetch, whose result does not replace a newer result', async (t) => {
  const { fetches, results, share, time } = createFlights()
  const firstCall = share('early')
  time.now = 31_000
  const joinedCall = share('joins', { notBefore: 1_000 })
  t.equal(fetches.length, 1, 'at the limit')
  const lateCall = share('late', { notBefore: 1_001 })
  t.equal(fetches.length, 2, 'just above the limit')
  fetches[1]?.end('new')
  fetches[0]?.end('old')
  t.strictSame(await Promise.all([firstCall, joinedCall, lateCall]), ['old', 'old', 'new'])
  t.strictSame(results, [['new', 31_000]])
})

t.test('a forgotten fetch answers its waiters, but is neither stored nor joined', async (t) => {
  const { flights, fetches, results, share } = createFlights()
  const before = share()
  flights.forget((name) => name === 'name')
  const after = share()
  t.equal(fetches.length, 2)
  fetches[0]?.end('old')
  fetches[1]?.end('new')
  t.equal(await before, 'old')
  t.equal(await after, 'new')
  t.strictSame(results, [['new', 1_000]])
})

t.test('forgetting a name also covers waiters that fetch for themselves', async (t) => {
  const { flights, fetches, results, share } = createFlights()
  const [leader, otherCall] = [share('leader'), share('other')]
  fetches[0]?.fail(problemOf(403))
  await t.rejects(leader)
  await tick()
  flights.forget((name) => name === 'name')
  fetches[1]?.end('from before the change')
  t.equal(await otherCall, 'from before the change')
  t.strictSame(results, [])
})
