// Records are passed on in small parts, no further than the reader reads.
import t from 'tap'
import { inParts } from '#server/portal/report-data/parts.ts'
import type { PointRecord } from '#server/portal/report-data/records.ts'

const record = (ms: number, index = 0): PointRecord => ({ index, ms, value: 1, status: '' })
const many = (count: number) => Array.from({ length: count }, (_, ms) => record(ms))
const noCheck = async () => {}

function sourceOf(batches: readonly PointRecord[][]) {
  const state = { taken: 0, isEnded: false }
  async function* source() {
    try {
      for (const batch of batches) {
        state.taken += 1
        yield batch
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, source: source() }
}

async function sizesOf(parts: AsyncIterable<readonly PointRecord[]>): Promise<number[]> {
  const sizes: number[] = []
  for await (const part of parts) sizes.push(part.length)
  return sizes
}

t.test('splits a long batch, and keeps no short one back', async (t) => {
  const { source } = sourceOf([many(2_500), [], many(3), many(1_000)])
  t.same(await sizesOf(inParts(source, [[0]], noCheck)), [1_000, 1_000, 500, 3, 1_000])
})

t.test('repeats a record for each place of its point in the report', async (t) => {
  const { source } = sourceOf([[record(1, 0), record(2, 1)]])
  const parts: PointRecord[][] = []
  for await (const part of inParts(source, [[0, 2], [1]], noCheck)) parts.push(part)
  t.same(
    parts.flat().map(({ index, ms }) => [index, ms]),
    [
      [0, 1],
      [2, 1],
      [1, 2]
    ]
  )
  const repeated = sourceOf([many(600)])
  t.same(await sizesOf(inParts(repeated.source, [[0, 1, 2, 3]], noCheck)), [1_000, 1_000, 400])
})

t.test(
  'takes no batch before the reader has read the last part, and ends the source with the reader',
  async (t) => {
    const { state, source } = sourceOf(Array.from({ length: 10 }, () => many(2)))
    const parts = inParts(source, [[0]], noCheck)
    await parts.next()
    await parts.next()
    t.equal(state.taken, 2)
    await parts.return()
    t.same(state, { taken: 2, isEnded: true })
  }
)

t.test('lets other work run between two full parts', async (t) => {
  const { source } = sourceOf([many(3_000)])
  let turns = 0
  const isTurn = () => {
    turns += 1
    waiting = setImmediate(isTurn)
  }
  let waiting = setImmediate(isTurn)
  const turnsOfParts: number[] = []
  for await (const _part of inParts(source, [[0]], noCheck)) turnsOfParts.push(turns)
  clearImmediate(waiting)
  t.equal(new Set(turnsOfParts).size, 3)
})

t.test('ends with the right of the reader', async (t) => {
  const { state, source } = sourceOf([many(3_000)])
  let checks = 0
  const parts = inParts(source, [[0]], async () => {
    checks += 1
    if (checks === 2) throw new Error('gone')
  })
  t.equal((await parts.next()).value?.length, 1_000)
  await t.rejects(parts.next(), /gone/)
  t.ok(state.isEnded)
})
