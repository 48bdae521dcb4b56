import t from 'tap'
import { planOf, USAGE_WITHOUT_GRAPH, usageOf, usagePeriod, usagePoints } from '#server/usage-metrics.ts'

const NOW = Date.parse('2026-03-31T12:00:00.000Z')
const TERM = { startDate: '2024-01-01T00:00:00.000Z', endDate: '2027-01-01T00:00:00.000Z' }
const usageFor = (gigabytes: number, planLimit?: number) =>
  usageOf(
    { ...TERM, ...(planLimit === undefined ? {} : { planLimit }) },
    usagePoints({ '2026-03-01T00:00:00Z': gigabytes }),
    NOW
  )

t.test('ignores invalid times and amounts, and sorts by time', async (t) => {
  for (const map of [null, undefined, 7, 'text', [], ['2026-01-01'], {}]) t.strictSame(usagePoints(map), [])
  const map = {
    '2026-02-01T00:00:00Z': 2,
    '2026-01-01T00:00:00Z': 1,
    '2026-01-03': 3,
    'not a time': 1,
    '12345': 1,
    __proto__x: 1,
    '': 1,
    '2026-13-45T00:00:00Z': 1,
    '2026-01-04T00:00:00Z': '5',
    '2026-01-05T00:00:00Z': null,
    '2026-01-06T00:00:00Z': Number.NaN,
    '2026-01-07T00:00:00Z': Number.POSITIVE_INFINITY,
    '2026-01-08T00:00:00Z': { value: 1 }
  }
  t.strictSame(usagePoints(map), [
    { time: '2026-01-01T00:00:00.000Z', value: 1 },
    { time: '2026-01-03T00:00:00.000Z', value: 3 },
    { time: '2026-02-01T00:00:00.000Z', value: 2 }
  ])
})

t.test('counts negative amounts as zero, and keeps huge amounts finite', async (t) => {
  t.match(usageFor(-5, 10), { used: 0, percent: 0, level: 'ok', over: 0, bar: { fill: 0 } })
  const usage = usageFor(Number.MAX_VALUE, 0.000001)
  t.ok(Number.isFinite(usage.used) && Number.isFinite(usage.percent) && Number.isFinite(usage.over))
  t.match(usage, { level: 'exceeded', bar: { fill: 100 } })
  t.notMatch(JSON.stringify(usage), /null,"level"|Infinity|e\+/)
})

t.test('reports no usage without points', async (t) => {
  t.match(usageOf({ ...TERM, planLimit: 25 }, [], NOW), {
    used: 0,
    percent: 0,
    level: 'ok',
    title: null,
    text: null,
    points: []
  })
})

t.test('reports no percentage without a plan limit', async (t) => {
  for (const planLimit of [undefined, 0, -1, Number.NaN])
    t.match(usageFor(12, planLimit), {
      planLimit: null,
      used: 12,
      percent: null,
      level: 'ok',
      over: 0,
      bar: { fill: 0, baseline: 66.5 },
      title: null,
      text: null
    })
})

t.test('warns from 80 percent and reports exceeded above 100', async (t) => {
  const warning = { title: 'Usage Warning', text: 'Data usage is approaching the limit' }
  const exceededBy = (n: string) => ({
    title: 'Usage Limit Exceeded',
    text: `Your usage has exceeded the plan limit by ${n} GB`
  })
  const cases: [used: number, limit: number, level: string, message: object][] = [
    [7.999999, 10, 'ok', { title: null, text: null }],
    [8, 10, 'warning', warning],
    [28, 35, 'warning', warning],
    [27.999999, 35, 'ok', { title: null, text: null }],
    [10, 10, 'warning', warning],
    [10.000001, 10, 'exceeded', exceededBy('0.01')],
    [10.004, 10, 'exceeded', exceededBy('0.01')],
    [10.006, 10, 'exceeded', exceededBy('0.01')],
    [10.1, 10, 'exceeded', exceededBy('0.1')],
    [11.236, 10, 'exceeded', exceededBy('1.24')],
    [13, 10, 'exceeded', exceededBy('3')],
    [12345.5, 10, 'exceeded', exceededBy('12335.5')]
  ]
  for (const [gigabytes, limit, level, message] of cases)
    t.match(usageFor(gigabytes, limit), { level, ...message }, `${gigabytes} of ${limit}`)
})

t.test('adds points without rounding errors', async (t) => {
  const days = Array.from({ length: 10 }, (_, day) => [`2026-03-${10 + day}T00:00:00Z`, 0.1])
  const usage = usageOf({ ...TERM, planLimit: 1 }, usagePoints(Object.fromEntries(days)), NOW)
  t.match(usage, { used: 1, percent: 100, level: 'warning', over: 0 })
})

t.test('scales the bar to 150 percent, with the limit at 66.5', async (t) => {
  const cases: [used: number, fill: number][] = [
    [0, 0],
    [7.5, 50],
    [14.9, 14.9 / 0.15],
    [15, 100],
    [15.1, 100],
    [1000, 100]
  ]
  for (const [gigabytes, fill] of cases) {
    const { bar } = usageFor(gigabytes, 10)
    t.ok(Math.abs(bar.fill - fill) < 1e-9, `${gigabytes} of 10`)
    t.equal(bar.baseline, 66.5)
  }
})

t.test('shows a yearly history for subscriptions older than 13 months', async (t) => {
  const cases: [start: string, now: string, period: string][] = [
    ['2025-02-28T12:00:00Z', '2026-03-28T12:00:00.000Z', 'Monthly'],
    ['2025-02-28T12:00:00Z', '2026-03-28T12:00:00.001Z', 'Yearly'],
    ['2024-12-31T00:00:00Z', '2026-01-31T00:00:00.000Z', 'Monthly'],
    ['2024-12-31T00:00:00Z', '2026-01-31T00:00:00.001Z', 'Yearly'],
    ['2027-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'Monthly'],
    ['', '2026-01-01T00:00:00Z', 'Monthly'],
    ['yesterday', '2026-01-01T00:00:00Z', 'Monthly']
  ]
  for (const [start, now, period] of cases)
    t.equal(usagePeriod(start, Date.parse(now)), period, `${start} at ${now}`)
})

t.test('shows the graph for subscriptions older than 2 months, otherwise the banner', async (t) => {
  const cases: [start: string, now: string, graph: boolean][] = [
    ['2026-01-31T12:00:00Z', '2026-03-31T12:00:00.000Z', false],
    ['2026-01-31T12:00:00Z', '2026-03-31T12:00:00.001Z', true],
    ['2025-12-31T00:00:00Z', '2026-02-28T00:00:00.000Z', false],
    ['2025-12-31T00:00:00Z', '2026-02-28T00:00:00.001Z', true],
    ['never', '2026-02-28T00:00:00.001Z', false]
  ]
  for (const [startDate, now, graph] of cases) {
    const usage = usageOf({ ...TERM, startDate, planLimit: 1 }, [], Date.parse(now))
    t.equal(usage.graph, graph, `${startDate} at ${now}`)
    t.equal(usage.banner, graph ? null : USAGE_WITHOUT_GRAPH)
  }
})

t.test('takes the plan from the active data service, or from the one that ends last', async (t) => {
  const plan = (offeringCode: string, endDate: string, startDate = '2026-01-01') => ({
    offeringCode,
    startDate,
    endDate
  })
  const nowMs = Date.parse('2026-01-15')
  t.equal(planOf([], nowMs), undefined)
  t.equal(planOf([plan('Remote', '2027-01-01')], nowMs), undefined)
  const [first, last, invalid] = ['2026-02-01', '2026-03-01', 'soon'].map((end) => plan('NDS', end))
  if (!first || !last || !invalid) throw new Error('there are three plans')
  t.equal(planOf([first, invalid, plan('Remote', '2027-01-01'), last], nowMs), last)
  const renewal = plan('NDS', '2027-03-01', '2026-03-01')
  t.equal(planOf([renewal, last], nowMs), last, 'a renewal that is bought ahead is not the plan yet')
  t.equal(planOf([renewal, last], Date.parse('2026-03-01')), renewal)
  t.equal(planOf([first, renewal, last], Date.parse('2028-01-01')), renewal, 'all have ended')
})
