// Ranges, axes, bands and labels of charts.
import t from 'tap'
import type uPlot from 'uplot'
import { spread } from '#client/ui/chart/chart-axes.ts'
import { optionsOf } from '#client/ui/chart/chart-options.ts'
import type { AxisChoice, ChartSeries } from '#client/ui/chart/chart-series.ts'

const FRAME = { width: 400, height: 200, zone: 'UTC', sides: 1 as const, timeAxis: true }
function rangeOf(
  kind: 'line' | 'bars',
  min: number | null,
  max: number | null,
  rest: Partial<ChartSeries> = {}
): [number, number] {
  const options = optionsOf([{ label: 'Data usage', unit: 'GB', kind, values: [min, max], ...rest }], FRAME)
  const { range } = options.scales?.GB ?? {}
  if (typeof range !== 'function') throw new Error('the scale has no range of its own')
  return range({} as uPlot, min as number, max as number, 'GB') as [number, number]
}

t.test('a line of large values that differ little does not begin at 0', async (t) => {
  t.ok(rangeOf('line', 100, 101)[0] > 90)
})

for (const [name, min, max] of [
  ['that differ little', 100, 101],
  ['of equal values', 4.2, 4.2],
  ['of very different values', 0.001, 12],
  ['up to the largest number', 1, 1e308]
] as const)
  t.test(`bars ${name} start at 0, and the tallest fits`, async (t) => {
    const [low, high] = rangeOf('bars', min, max)
    t.equal(low, 0)
    t.ok(high >= Math.min(max, 8.9e307) && Number.isFinite(high), `${high}`)
  })

t.test('negative bars end at 0', async (t) => {
  const [low, high] = rangeOf('bars', -5, -1)
  t.ok(low <= -5)
  t.equal(high, 0)
  t.ok(rangeOf('bars', -5, 5)[0] <= -5 && rangeOf('bars', -5, 5)[1] >= 5)
})

t.test('draws an axis without values', async (t) => {
  t.same(rangeOf('bars', null, null), [0, 1])
  t.same(rangeOf('bars', 0, 0), [0, 1])
})

t.test('a percentage axis shows 0 to 100 %, and more only if values exceed that range', async (t) => {
  const percentage = { bounds: [0, 100] as const }
  t.same(rangeOf('line', 40, 60, percentage), [0, 100])
  t.same(rangeOf('line', null, null, percentage), [0, 100])
  const [low, high] = rangeOf('line', 40, 130, percentage)
  t.equal(low, 0)
  t.ok(high >= 130)
  t.ok(rangeOf('line', -20, 50, percentage)[0] <= -20)
})

t.test('shows a limit near the values, not a distant one', async (t) => {
  const upperEnd = (value: number, unit = 'GB') => {
    const limits = () => [{ unit, value, text: '' }]
    const { scales } = optionsOf([{ label: 'a', unit: 'GB', values: [10, 12] }], FRAME, limits)
    const range = scales?.GB?.range
    return typeof range === 'function' ? range({} as uPlot, 10, 12, 'GB')[1] : null
  }
  t.ok(Number(upperEnd(18)) >= 18)
  t.ok(Number(upperEnd(18.1)) < 15)
  t.ok(Number(upperEnd(18, '%')) < 15)
})

t.test('the numbers at the ends of lines do not overlap ticks of an axis', async (t) => {
  const twoUnits = optionsOf(
    [
      { label: 'a', unit: '°C', values: [1], color: 0 },
      { label: 'b', unit: '%', values: [1], color: 1 }
    ],
    FRAME
  )
  t.match(twoUnits.axes?.[2], { side: 1, gap: 24, ticks: { show: false } })
  const oneUnit = optionsOf([{ label: 'a', unit: '°C', values: [1], color: 0 }], FRAME)
  t.ok(Number(oneUnit.padding?.[1]) >= 24)
})

t.test('stacked charts align their time axes, also charts with lanes', async (t) => {
  const rightWidth = (series: ChartSeries[]) => {
    const { padding, axes = [] } = optionsOf(series, { ...FRAME, sides: 2 })
    const rightSizes = axes.filter(({ side }) => side === 1).map(({ size }) => Number(size))
    return Number(padding?.[1]) + rightSizes.reduce((sum, size) => sum + size, 0)
  }
  const line = (unit: string): ChartSeries => ({ label: unit, unit, values: [1], color: 0 })
  const lane: ChartSeries = { label: 'Fan', unit: '', kind: 'lane', values: [], color: 2, runs: [] }
  t.equal(rightWidth([line('°C'), line('%')]), rightWidth([line('°C')]))
  t.equal(rightWidth([lane]), rightWidth([line('°C')]))
})

t.test('a band consists of two series without a stroke, after all lines', async (t) => {
  const banded: ChartSeries = { label: 'a', unit: '°C', values: [2], band: { low: [1], high: [3] }, color: 0 }
  const { series, bands } = optionsOf([banded, { label: 'b', unit: '°C', values: [1], color: 1 }], FRAME)
  t.equal(series.length, 5)
  t.match(bands, [{ series: [3, 4] }])
  t.same(
    series.slice(3).map(({ width }) => width),
    [0, 0]
  )
})

const rangeWith = (choice: AxisChoice, min = 10, max = 12) => {
  const { scales } = optionsOf([{ label: 'a', unit: 'GB', values: [min, max] }], {
    ...FRAME,
    axes: { GB: choice }
  })
  const { range, distr } = scales?.GB ?? {}
  return typeof range === 'function' ? { ends: range({} as uPlot, min, max, 'GB'), distr } : null
}

t.test('manual limits take precedence, even a minimum above all values', async (t) => {
  t.same(rangeWith({ min: 0, max: 50, log: false })?.ends, [0, 50])
  t.equal(rangeWith({ min: null, max: 50, log: false })?.ends[1], 50)
  t.same(rangeWith({ min: 30, max: null, log: false })?.ends, [30, 31])
})

t.test('a logarithmic axis has whole powers of ten and never reaches 0', async (t) => {
  t.same(rangeWith({ min: null, max: null, log: true }, 3, 1200), { ends: [1, 10_000], distr: 3 })
  t.same(rangeWith({ min: null, max: null, log: true }, -3, 0), { ends: [1, 10], distr: 3 })
})

t.test('labels of an axis differ, and labels of times do not overlap', async (t) => {
  const { axes } = optionsOf([{ label: 'a', unit: 'GB', values: [1] }], FRAME)
  const labels = axes?.[1]?.values as (self: uPlot, splits: number[]) => string[]
  t.same(labels({} as uPlot, [1e15, 1.001e15, 1.002e15]), ['1.000e15', '1.001e15', '1.002e15'])
  t.same(labels({} as uPlot, [0, 1e15, 2e15]), ['0', '1.0e15', '2.0e15'])
  t.ok(Number(axes?.[0]?.space) >= '00:00:00'.length * 7)
})

t.test('numbers that do not overlap stay at the ends of their lines', async (t) => {
  t.same(spread([10, 50, 30], 13, 0, 100), [10, 50, 30])
  t.same(spread([], 13, 0, 100), [])
})

t.test('numbers that would overlap move apart, in the order of their lines', async (t) => {
  t.same(spread([50, 49, 51], 13, 0, 100), [62, 49, 75])
})

t.test('labels stay within the chart', async (t) => {
  t.same(spread([99, 100, 98], 10, 0, 100), [90, 100, 80])
  t.same(spread([-20, 300], 10, 0, 100), [0, 100])
})
