import t from 'tap'
import { type Problem, problems } from '#server/errors.ts'
import { createSingleFlight, type Shared } from '#server/upstreams/single-flight.ts'
import { answerProblem } from '#server/upstreams/transport/failures.ts'

interface Begun {
  by: string
  signal: AbortSignal
  end: (result: string) => void
  fail: (error: Error) => void
}

function createFlights() {
  const time = { now: 1_000 }
  const flights = createSingleFlight<string>(() => time.now)
  const begun: Begun[] = []
  const kept: [result: string, beganAt: number][] = []
  const share = (by = 'one', more: Partial<Shared<string>> = {}, name = 'name') =>
    flights.share(name, {
      fetch: (signal) => new Promise((end, fail) => void begun.push({ by, signal, end, fail })),
      keep: (...result) => void kept.push(result),
      ...more
    })
  return { time, flights, begun, kept, share }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function answered(status: number): Problem {
  const problem = answerProblem(status, {})
  problem.options.upstreamStatus = status
  return problem
}

t.test('waiting callers fetch with their own token when the leader’s was refused', async (t) => {
  const refusals: [name: string, error: Error][] = [
    ...[400, 401, 403, 404, 409, 429].map((status): [string, Error] => [`${status}`, answered(status)]),
    ['an expired session', problems.notSignedIn()],
    ['a token that cannot be refreshed', problems.authorityUnavailable(null)],
    ['no session store', problems.storeUnavailable(null)],
    ['a leader that disconnected', problems.clientGone()]
  ]
  for (const [name, error] of refusals) {
    const { begun, kept, share } = createFlights()
    const leader = share('leader')
    const others = [share('second'), share('third')]
    t.equal(begun.length, 1, name)
    begun[0]?.fail(error)
    await t.rejects(leader, error, name)
    await turn()
    t.strictSame(
      begun.map(({ by }) => by),
      ['leader', 'second', 'third'],
      `${name}: the others fetch in parallel`
    )
    begun[1]?.end('of the second')
    begun[2]?.end('of the third')
    t.strictSame(await Promise.all(others), ['of the second', 'of the third'], name)
    t.equal(kept.length, 2, `${name}: keeps their results`)
  }
})

t.test('a waiter whose token is refused too gets its own refusal', async (t) => {
  const { begun, kept, share } = createFlights()
  const [leader, other] = [share('leader'), share('other')]
  begun[0]?.fail(answered(403))
  await t.rejects(leader, /403 forbidden/)
  await turn()
  begun[1]?.fail(answered(404))
  await t.rejects(other, /404 not_found/)
  t.strictSame(kept, [])
})

t.test('waiting callers share every other failure, which is not cached', async (t) => {
  const failures = [
    new TypeError('unexpected'),
    problems.upstreamGarbled(),
    problems.upstreamTooLarge('more than 2 MB'),
    problems.upstreamBusy(),
    problems.upstreamTimeout(),
    problems.upstreamUnreachable(),
    ...[500, 502, 503, 504].map(answered)
  ]
  for (const error of failures) {
    const { flights, begun, kept, share } = createFlights()
    const waiting = [share(), share('other'), share('third', { signal: new AbortController().signal })]
    begun[0]?.fail(error)
    for (const one of waiting) await t.rejects(one, error)
    t.equal(begun.length, 1, error.message)
    t.notOk(flights.isJoinable('name'))
    t.strictSame(kept, [])
  }
})

t.test('an aborted caller begins no fetch', async (t) => {
  const { begun, share } = createFlights()
  await t.rejects(share('one', { signal: AbortSignal.abort() }), problems.clientGone())
  t.equal(begun.length, 0)
})

t.test('aborts the fetch when the last waiter aborts, and drops its result', async (t) => {
  const { flights, begun, kept, share } = createFlights()
  const [one, other] = [new AbortController(), new AbortController()]
  const waiting = [share('one', { signal: one.signal }), share('other', { signal: other.signal })]
  one.abort()
  await t.rejects(waiting[0] as Promise<string>, problems.clientGone())
  t.notOk(begun[0]?.signal.aborted, 'another caller still waits')
  other.abort()
  await t.rejects(waiting[1] as Promise<string>, problems.clientGone())
  t.ok(begun[0]?.signal.aborted)
  t.notOk(flights.isJoinable('name'))
  begun[0]?.end('too late')
  await turn()
  t.strictSame(kept, [])
})

t.test('a caller after an aborted fetch begins a new one', async (t) => {
  const { begun, kept, share } = createFlights()
  const abort = new AbortController()
  const aborted = share('one', { signal: abort.signal })
  abort.abort()
  await t.rejects(aborted, problems.clientGone())
  const second = share()
  t.equal(begun.length, 2)
  begun[0]?.fail(new Error('aborted'))
  begun[1]?.end('second')
  t.equal(await second, 'second')
  t.strictSame(kept, [['second', 1_000]])
})

t.test('a waiter without a signal keeps the fetch running when the leader aborts', async (t) => {
  const { begun, share } = createFlights()
  const abort = new AbortController()
  const [aborted, other] = [share('leader', { signal: abort.signal }), share()]
  abort.abort()
  await t.rejects(aborted, problems.clientGone())
  t.notOk(begun[0]?.signal.aborted)
  begun[0]?.end('done')
  t.equal(await other, 'done')
})

t.test('a waiter that fetches for itself aborts only its own fetch', async (t) => {
  const { begun, share } = createFlights()
  const abort = new AbortController()
  const leader = share('leader')
  const [aborted, other] = [share('aborted', { signal: abort.signal }), share('other')]
  begun[0]?.fail(answered(401))
  await t.rejects(leader)
  await turn()
  abort.abort()
  await t.rejects(aborted, problems.clientGone())
  t.ok(begun.find(({ by }) => by === 'aborted')?.signal.aborted)
  begun.find(({ by }) => by === 'other')?.end('done')
  t.equal(await other, 'done')
})

t.test('a thousand callers share one fetch; other names have their own', async (t) => {
  const { begun, kept, share, time } = createFlights()
  const waiting = Array.from({ length: 1000 }, () => share('one', { signal: new AbortController().signal }))
  time.now = 2_000
  const other = share('one', {}, 'other')
  t.equal(begun.length, 2)
  begun[0]?.end('all')
  begun[1]?.end('other')
  t.ok((await Promise.all(waiting)).every((result) => result === 'all'))
  t.equal(await other, 'other')
  t.strictSame(
    kept,
    [
      ['all', 1_000],
      ['other', 2_000]
    ],
    'stores the start time of each'
  )
})

t.test('callers do not join a fetch that is too old, and it does not replace a newer one', async (t) => {
  const { begun, kept, share, time } = createFlights()
  const early = share('early')
  time.now = 31_000
  const joined = share('joins', { notBefore: 1_000 })
  t.equal(begun.length, 1, 'at the limit')
  const late = share('late', { notBefore: 1_001 })
  t.equal(begun.length, 2, 'just above the limit')
  begun[1]?.end('new')
  begun[0]?.end('old')
  t.strictSame(await Promise.all([early, joined, late]), ['old', 'old', 'new'])
  t.strictSame(kept, [['new', 31_000]])
})

t.test('a forgotten fetch answers its waiters, but is neither kept nor joined', async (t) => {
  const { flights, begun, kept, share } = createFlights()
  const before = share()
  flights.forget((name) => name === 'name')
  const after = share()
  t.equal(begun.length, 2)
  begun[0]?.end('old')
  begun[1]?.end('new')
  t.equal(await before, 'old')
  t.equal(await after, 'new')
  t.strictSame(kept, [['new', 1_000]])
})

t.test('forgetting a name also covers waiters that fetch for themselves', async (t) => {
  const { flights, begun, kept, share } = createFlights()
  const [leader, other] = [share('leader'), share('other')]
  begun[0]?.fail(answered(403))
  await t.rejects(leader)
  await turn()
  flights.forget((name) => name === 'name')
  begun[1]?.end('from before the change')
  t.equal(await other, 'from before the change')
  t.strictSame(kept, [])
})
