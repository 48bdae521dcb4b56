// What a tooltip says of an instant.
import t from 'tap'
import type { ChartLine } from '#client/features/history/drawing/chart-lines.ts'
import { lineReader, snapped, tooltipText } from '#client/features/history/drawing/tooltip-rows.ts'
import { pointOf } from '#client/features/points/point.ts'

const exact = () => null
const text = (lines: ChartLine[], atMs: number, bucketOf: (line: ChartLine) => number | null = exact) =>
  tooltipText(lines, [], atMs, bucketOf, lineReader())

function line(
  color: number,
  pairs: [number, number][],
  rest: Partial<ChartLine> = {},
  tags: object = {}
): ChartLine {
  return {
    id: `${color}`,
    name: `Line ${color + 1}`,
    device: '',
    point: pointOf({
      cloudId: `c-${color}`,
      displayName: 'x',
      systemGuid: 'g',
      facets: { precision: 1 },
      tags: { dataType: 'Numeric', units: '°C', ...tags }
    }),
    samples: {
      times: Float64Array.from(pairs, ([time]) => time),
      values: Float64Array.from(pairs, ([, value]) => value)
    },
    heldUntilMs: null,
    color,
    shiftMs: null,
    ...rest
  }
}
const EVERY: [number, number][] = [
  [0, 1],
  [10, 2],
  [20, 3],
  [30, 4],
  [200, 5]
]
const FAN = { dataType: 'Boolean', trueText: 'Running', falseText: 'Off' }

t.test('every series is told, the highest value first and those without one last', async (t) => {
  const lines = [line(0, EVERY), line(1, []), line(2, [[10, 98.34]], {}, { units: '%' })]
  const { numbers } = text(lines, 10)
  t.same(
    numbers.map(({ line: { color }, text: said, units }) => [color, said, units]),
    [
      [2, '98.3', '%'],
      [0, '2.0', '°C'],
      [1, 'no value', '']
    ]
  )
})

t.test('a value is that of the next sample, and none where nothing was recorded for longer', async (t) => {
  const said = (atMs: number) => text([line(0, EVERY)], atMs).numbers[0]?.text
  t.equal(said(14), '2.0')
  t.equal(said(16), '3.0')
  t.equal(said(100), 'no value')
  t.equal(said(190), '5.0')
})

t.test('what holds is told between its records, not before them and not after it is known', async (t) => {
  const fan = line(0, [[100, 1]], { heldUntilMs: 300 }, FAN)
  const said = (atMs: number) => text([fan], atMs).states[0]?.text
  t.equal(said(99), 'no value')
  t.equal(said(100), 'Running')
  t.equal(said(300), 'Running')
  t.equal(said(301), 'no value')
})

t.test('an average is told with its lowest and highest', async (t) => {
  const { numbers } = text([line(0, EVERY)], 10, () => 40)
  t.equal(numbers[0]?.text, '2.5')
  t.equal(numbers[0]?.spread, '1.0–4.0')
})

t.test('the difference to the earlier period is told with its sign', async (t) => {
  const difference = (value: number, before: number, tags: object = {}) => {
    const held = { heldUntilMs: 100 }
    const own = line(0, [[0, value]], held, tags)
    const ghost = line(0, [[0, before]], { ...held, id: 'g', shiftMs: 5 }, tags)
    const { numbers, states } = text([own, ghost], 10)
    t.equal(numbers.length + states.length, 1, 'the earlier period has no row of its own')
    return [...numbers, ...states][0]?.difference
  }
  t.equal(difference(21.26, 20), '+1.3')
  t.equal(difference(20, 21), '−1.0')
  t.equal(difference(20, 20.01), '±0')
  t.equal(difference(1, 0, FAN), 'before: Off')
  t.equal(difference(1, 1, FAN), 'as before')
  t.equal(text([line(0, EVERY)], 10).numbers[0]?.difference, null)
})

t.test('alarms are told from raised to normal', async (t) => {
  const alarm = {
    uuid: 'a',
    cloudId: 'c-0',
    text: 'Hot',
    fromMs: 5,
    toMs: 15,
    lowLimit: null,
    highLimit: null
  }
  const told = (atMs: number, toMs: number | null = 15) =>
    tooltipText([line(0, EVERY)], [{ ...alarm, toMs }], atMs, exact, lineReader()).alarms.length
  t.same([told(4), told(5), told(15), told(16), told(999, null)], [0, 1, 1, 0, 1])
})

t.test(
  'the instant is that of the sample next to the cursor; of states alone it is the cursor itself',
  async (t) => {
    const fan = line(2, [[0, 1]], { heldUntilMs: 100 }, FAN)
    t.equal(snapped([line(0, EVERY), line(1, [[13, 1]]), fan], 12, exact), 13)
    t.equal(snapped([fan], 12, exact), 12)
    t.equal(snapped([], 12, exact), 12)
    t.equal(
      snapped([line(0, EVERY)], 55, () => 40),
      40,
      'an average is of the time that it begins with'
    )
  }
)
