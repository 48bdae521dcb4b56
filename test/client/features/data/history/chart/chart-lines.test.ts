import t from 'tap'
import { picturesOf, viewWithin } from '#client/features/data/history/chart/chart-lines.ts'
import { FAN, lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'

t.test('charts numbers of up to two units together, and each state in its own lane', async (t) => {
  const line = (color: number, tags: object, shiftMs: number | null = null) =>
    lineOf(color, samplesOf([0, 1]), { ...tags }, shiftMs)
  const pictures = picturesOf([
    line(0, { units: '°C' }),
    line(1, { units: '%' }),
    line(2, { units: '' }),
    line(3, { units: '°C' }),
    line(4, FAN),
    line(5, { dataType: 'Enum' }),
    line(4, FAN, 5),
    line(3, { units: '°C' }, 5)
  ])
  t.same(
    pictures.map(({ name, lines, state }) => [name, lines.length, state?.color]),
    [
      ['3 points in °C and %', 4, undefined],
      ['1 point in no unit', 1, undefined],
      ['Line 5', 2, 4],
      ['Line 6', 1, 5]
    ]
  )
  t.same(picturesOf([lineOf(0, samplesOf([])), lineOf(1, samplesOf([]), FAN)]), [])
})

t.test('a hidden line keeps its name and its position, also the only line of its chart', async (t) => {
  const line = (color: number, tags: object) => lineOf(color, samplesOf([1, 1]), { ...tags })
  const lines = [line(0, { units: '°C' }), line(1, FAN), line(2, { units: '°C' }), line(3, { units: 'kW' })]
  const namesAndLines = (hidden: string[]) =>
    picturesOf(lines, { hiddenKeys: hidden }).map(({ named, lines }) => [
      named.map(({ key }) => key),
      lines.map(({ key }) => key)
    ])
  t.same(namesAndLines([]), [
    [
      ['c-0', 'c-2', 'c-3'],
      ['c-0', 'c-2', 'c-3']
    ],
    [['c-1'], ['c-1']]
  ])
  t.same(namesAndLines(['c-0', 'c-1', 'c-3']), [
    [['c-0', 'c-2', 'c-3'], ['c-2']],
    [['c-1'], []]
  ])
})

t.test('the time in view lies within the range and is not too short', async (t) => {
  const range = { fromMs: 0, toMs: 1_000_000 }
  t.equal(viewWithin(range, range), null)
  t.equal(viewWithin({ fromMs: -5, toMs: 2_000_000 }, range), null)
  t.same(viewWithin({ fromMs: 500_000, toMs: 500_001 }, range), { fromMs: 495_001, toMs: 505_001 })
  t.same(viewWithin({ fromMs: 900_000, toMs: 1_100_000 }, range), { fromMs: 800_000, toMs: 1_000_000 })
})
