import t from 'tap'
import { problems } from '#server/errors.ts'
import { createFlights } from '#server/portal/flights.ts'

/** Work that ends when told to. */
function work() {
  const begun: { signal: AbortSignal; end: (result: string) => void; fail: (error: Error) => void }[] = []
  const start = (signal: AbortSignal) =>
    new Promise<string>((end, fail) => {
      begun.push({ signal, end, fail })
    })
  return { begun, start }
}

function scene() {
  const flights = createFlights<string>()
  const { begun, start } = work()
  const landed: string[] = []
  const join = (signal?: AbortSignal, name = 'one') =>
    flights.join(name, start, (result) => landed.push(result), signal)
  return { flights, begun, landed, join }
}

t.test('who is gone already begins nothing', async (t) => {
  const { begun, join } = scene()
  await t.rejects(join(AbortSignal.abort()), problems.clientGone())
  t.equal(begun.length, 0)
})

t.test('when the last one has gone the work is given up, and its result not kept', async (t) => {
  const { flights, begun, landed, join } = scene()
  const [one, other] = [new AbortController(), new AbortController()]
  const waiting = [join(one.signal), join(other.signal)]
  one.abort()
  await t.rejects(waiting[0] as Promise<string>, problems.clientGone())
  t.notOk(begun[0]?.signal.aborted, 'another one waits')
  other.abort()
  await t.rejects(waiting[1] as Promise<string>, problems.clientGone())
  t.ok(begun[0]?.signal.aborted)
  t.notOk(flights.isUnderWay('one'))
  begun[0]?.end('too late')
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(landed, [])
})

t.test('who comes after it was given up begins anew', async (t) => {
  const { begun, landed, join } = scene()
  const gone = new AbortController()
  const left = join(gone.signal)
  gone.abort()
  await t.rejects(left, problems.clientGone())
  const second = join()
  t.equal(begun.length, 2)
  begun[0]?.fail(new Error('aborted'))
  begun[1]?.end('second')
  t.equal(await second, 'second')
  t.strictSame(landed, ['second'])
})

t.test('one who cannot go keeps it under way', async (t) => {
  const { begun, join } = scene()
  const gone = new AbortController()
  const [left, stays] = [join(gone.signal), join()]
  gone.abort()
  await t.rejects(left, problems.clientGone())
  t.notOk(begun[0]?.signal.aborted)
  begun[0]?.end('done')
  t.equal(await stays, 'done')
})

t.test('a thousand wait for one; other names have their own', async (t) => {
  const { begun, landed, join } = scene()
  const waiting = Array.from({ length: 1000 }, () => join(new AbortController().signal))
  const other = join(undefined, 'other')
  t.equal(begun.length, 2)
  begun[0]?.end('all')
  begun[1]?.end('other')
  t.ok((await Promise.all(waiting)).every((result) => result === 'all'))
  t.equal(await other, 'other')
  t.strictSame(landed, ['all', 'other'])
})

t.test('a failure is everybody’s, and is not kept', async (t) => {
  const { flights, begun, join } = scene()
  const waiting = [join(), join(new AbortController().signal)]
  begun[0]?.fail(new Error('broken'))
  for (const one of waiting) await t.rejects(one, { message: 'broken' })
  t.notOk(flights.isUnderWay('one'))
  void join()
  t.equal(begun.length, 2)
})

t.test('what was forgotten is answered to those who wait, not kept, and not joined', async (t) => {
  const { flights, begun, landed, join } = scene()
  const before = join()
  flights.forget((name) => name === 'one')
  const after = join()
  t.equal(begun.length, 2)
  begun[0]?.end('old')
  begun[1]?.end('new')
  t.equal(await before, 'old')
  t.equal(await after, 'new')
  t.strictSame(landed, ['new'])
})
