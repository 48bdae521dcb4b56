import t from 'tap'
import {
  isTaken,
  notChartable,
  numberText,
  pointOf,
  readWritten,
  shownText,
  valueText
} from '#client/features/data/points/point.ts'
import { fan, mode, model, numeric } from '#test/support/client/point-kinds.ts'

t.test('reads a model without tags as a read-only point without unit or history', async (t) => {
  const point = pointOf({ cloudId: 'c-9', displayName: '', systemGuid: 'g' })
  t.match(point, {
    displayName: 'c-9',
    kind: 'String',
    units: '',
    pointId: null,
    historyName: null,
    low: null,
    writable: false
  })
  t.equal(notChartable(point), 'No history is recorded for this point')
  t.equal(notChartable(pointOf(model({ dataType: 'String' }))), 'Texts cannot be charted')
  t.equal(notChartable(numeric), null)
})

t.test('reads range, texts and kind from tags, and prefers limits from facets', async (t) => {
  t.match(numeric, { low: -10, high: 40, kind: 'Numeric', units: '°C', precision: 1, writable: true })
  t.match(pointOf(model({ range: '0..100' }, { facets: { min: 16, max: 30 } })), { low: 16, high: 30 })
  t.same(mode.texts, [
    { ordinal: 0, text: 'Off' },
    { ordinal: 1, text: 'Low speed' },
    { ordinal: 4, text: 'Boost' }
  ])
  t.equal(pointOf(model({ dataType: undefined, type: 'control:BooleanWritable' })).kind, 'Boolean')
  t.ok(pointOf(model({ type: 'control:NumericWritable' })).writable)
})

const writeCases: [name: string, point: typeof numeric, text: string, expected: object][] = [
  ['an empty text', numeric, '  ', { problem: 'Enter a value.' }],
  ['a word', numeric, 'warm', { problem: 'Enter a number.' }],
  ['NaN', numeric, 'NaN', { problem: 'Enter a number.' }],
  ['infinity', numeric, '1e999', { problem: 'Enter a number.' }],
  ['a hexadecimal number', pointOf(model()), '0x10', { problem: 'Enter a number.' }],
  ['a number below the range', numeric, '-10.1', { problem: 'The lowest value is -10 °C.' }],
  ['a number above the range', numeric, '40.01', { problem: 'The highest value is 40 °C.' }],
  ['the lower end of the range', numeric, '-10', { value: -10 }],
  ['the upper end of the range', numeric, ' 40 ', { value: 40 }],
  ['a decimal comma', numeric, '21,5', { value: 21.5 }],
  ['more digits than the point shows', numeric, '20.55555', { value: 20.6, rounded: true }],
  ['1e308 without a range', pointOf(model()), '1e308', { value: 1e308 }],
  ['an unknown ordinal', mode, '2', { problem: 'Choose one of the values of this point.' }],
  ['an ordinal', mode, '4', { value: 4 }],
  ['true', fan, 'true', { value: true }],
  ['false', fan, 'false', { value: false }]
]
for (const [name, point, text, expected] of writeCases)
  t.test(`writing ${name} to a ${point.kind} point: ${JSON.stringify(expected)}`, async (t) => {
    t.same(readWritten(point, text), expected)
  })

t.test('formats values with the texts of the point', async (t) => {
  t.equal(valueText(fan, true), 'Running')
  t.equal(valueText(fan, 'off'), 'Off')
  t.equal(valueText(mode, 4), 'Boost')
  t.equal(valueText(mode, 3), '3')
  t.equal(valueText(numeric, 20), '20.0')
  t.equal(valueText(numeric, null), '–')
  t.equal(numberText(12345.67, 1), '12,345.7')
  t.equal(numberText(1e308, 1), '1.0e+308')
  t.equal(numberText(Number.NaN, 1), 'NaN')
  t.equal(numberText(0.1 + 0.2, null), '0.3')
})

t.test('shows the last value, or the one of the entity model in the same form', async (t) => {
  const counter = { ...numeric, units: 'h', precision: null, out: { ...numeric.out, value: '37716.50' } }
  t.equal(shownText(counter, { value: 37716.5 }), '37,716.5 h')
  t.equal(shownText(counter), '37,716.50 h')
  t.equal(shownText({ ...counter, out: { ...counter.out, value: '' } }, { value: null }), '–')
  t.equal(shownText({ ...fan, out: { ...fan.out, value: 'Running' } }), 'Running')
  t.equal(shownText({ ...fan, out: { ...fan.out, value: 'true' } }), 'Running')
  t.equal(shownText({ ...mode, out: { ...mode.out, value: '4' } }), 'Boost')
  t.equal(shownText({ ...mode, out: { ...mode.out, value: '' } }), '–')
})

t.test('compares a value that is read back with the precision of the point', async (t) => {
  t.notOk(isTaken(numeric, 21.5, 21.4))
  t.notOk(isTaken(numeric, 21.5, null))
  t.notOk(isTaken(fan, true, 'Off'))
  t.notOk(isTaken(mode, 4, 1))
  t.ok(isTaken(numeric, 21.52, 21.5))
  t.ok(isTaken(fan, true, 'Running'))
  t.ok(isTaken(mode, 4, 'Boost'))
})
