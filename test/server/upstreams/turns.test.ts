import { setImmediate as eventLoop } from 'node:timers/promises'
import t from 'tap'
import { createTurns, sortInTurns } from '#server/upstreams/turns.ts'

t.test('what a piece of work throws is thrown to its owner, and the next one still runs', async (t) => {
  const turns = createTurns()
  const failing = turns.take(() => {
    throw new Error('broken')
  })
  const next = turns.take(() => 'fine')
  await t.rejects(failing, { message: 'broken' })
  t.equal(await next, 'fine')
})

t.test('pieces run in order, and the event loop between any two', async (t) => {
  const turns = createTurns()
  const seen: string[] = []
  let ended = false
  const loop = (async () => {
    while (!ended) {
      seen.push('.')
      await eventLoop()
    }
  })()
  await Promise.all(['a', 'b', 'c'].map((name) => turns.take(() => seen.push(name))))
  ended = true
  await loop
  t.match(seen.join(''), /^\.+a\.+b\.+c\.*$/)
})

t.test('a long loop visits each index once, in pieces that others run between', async (t) => {
  const turns = createTurns()
  for (const count of [0, 1, 31, 32, 33, 1000]) {
    const seen: number[] = []
    await turns.each(count, (index) => seen.push(index))
    t.strictSame(seen, [...Array(count).keys()], `${count}`)
  }
  let others = 0
  const until = performance.now() + 60
  const long = turns.each(1_000_000, () => {
    if (performance.now() < until) for (let spin = 0; spin < 1000; spin += 1);
  })
  const counting = setInterval(() => {
    others += 1
  }, 1)
  await long
  clearInterval(counting)
  t.ok(others > 3, `others ran ${others} times`)
})

t.test('sorting in turns is sorting, and keeps the order of equal ones', async (t) => {
  const turns = createTurns()
  for (const count of [0, 1, 2, 3, 7, 8, 9, 1000, 4097]) {
    const keys = Array.from({ length: count }, (_, index) => (index * 7919) % 97)
    const order = Uint32Array.from(keys, (_, index) => index)
    const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0)
    const expected = [...order].sort(compare)
    await sortInTurns(order, compare, turns)
    t.strictSame([...order], expected, `${count}`)
  }
})
