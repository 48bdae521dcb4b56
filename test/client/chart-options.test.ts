// The y ranges of charts.
import t from 'tap'
import type uPlot from 'uplot'
import { optionsOf } from '#client/components/chart-options.ts'

const FRAME = { width: 400, height: 200, zone: 'UTC', sides: 1 as const }
function rangeOf(kind: 'line' | 'bars', min: number | null, max: number | null): [number, number] {
  const options = optionsOf([{ label: 'Data usage', unit: 'GB', kind, values: [min, max] }], FRAME)
  const { range } = options.scales?.GB ?? {}
  if (typeof range !== 'function') throw new Error('the scale has no range of its own')
  return range({} as uPlot, min as number, max as number, 'GB') as [number, number]
}

t.test('a line of large values that differ little does not begin at 0', async (t) => {
  t.ok(rangeOf('line', 100, 101)[0] > 90)
})

for (const [name, min, max] of [
  ['that differ little', 100, 101],
  ['that are all alike', 4.2, 4.2],
  ['from the smallest', 0.001, 12],
  ['as large as there are', 1, 1e308]
] as const)
  t.test(`bars ${name} stand on 0, and the tallest fits`, async (t) => {
    const [low, high] = rangeOf('bars', min, max)
    t.equal(low, 0)
    t.ok(high >= Math.min(max, 8.9e307) && Number.isFinite(high), `${high}`)
  })

t.test('bars below 0 hang from it', async (t) => {
  const [low, high] = rangeOf('bars', -5, -1)
  t.ok(low <= -5)
  t.equal(high, 0)
  t.ok(rangeOf('bars', -5, 5)[0] <= -5 && rangeOf('bars', -5, 5)[1] >= 5)
})

t.test('without any amount there is still an axis', async (t) => {
  t.same(rangeOf('bars', null, null), [0, 1])
  t.same(rangeOf('bars', 0, 0), [0, 1])
})
