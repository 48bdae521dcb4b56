// Recognizes numbers that hold until the next record, from the first records of a range or the last ones before it.
import t from 'tap'
import { ENOUGH_RECORDS, FEW_RECORDS, INSPECTED_MS, wasRecordedOnChange } from '#shared/history/on-change.ts'
import { NO_SAMPLES, type Samples } from '#shared/history/samples.ts'
import { randomFrom, samplesOf } from '#test/support/samples.ts'

const isOnChange = (within: Samples) => wasRecordedOnChange(within, NO_SAMPLES, 0)
const samples = (...pairs: [time: number, value: number][]) => samplesOf(pairs)
const regular = (count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index): [number, number] => [index * 900_000, value(index)])

t.test('numbers at regular intervals were not recorded on change', async (t) => {
  t.notOk(isOnChange(samples(...regular(50, (index) => index))))
  t.notOk(isOnChange(samples(...regular(50, () => 1))))
  t.notOk(
    isOnChange(samples(...regular(50, (index) => index).filter(([time]) => time % 4_500_000 !== 0))),
    'also with gaps'
  )
})

t.test('inspects only the first records', async (t) => {
  const records = regular(5_000, (index) => index)
  t.notOk(isOnChange(samples(...records)))
  const irregularRecords = records.map(([time, value], index): [number, number] => [
    time + ((index * index * 7919) % 880_000),
    value
  ])
  t.ok(isOnChange(samples(...irregularRecords)))
})

t.test('irregular numbers that differ were recorded on change', async (t) => {
  const records: [number, number][] = [
    [0, 17],
    [5, 19],
    [90, 17],
    [100, 19],
    [180, 19],
    [300, 17]
  ]
  t.ok(isOnChange(samples(...records)))
  t.notOk(isOnChange(samples(...records.map(([time]): [number, number] => [time, 17]))))
  t.ok(isOnChange(samples([0, 1])), 'assumes changes if there are too few records')
})

const DAY = 86_400_000
/** At random times, each with another value than the record before. */
function changes(count: number, fromMs = 0, stepMs = 5_000_000): Samples {
  const random = randomFrom(count)
  let ms = fromMs
  return samplesOf(
    Array.from({ length: count }, (_, index) => {
      ms += stepMs * (0.1 + random())
      return [ms, index] as const
    })
  )
}
const measured = (count: number, fromMs = 0) =>
  samples(...regular(count, (index) => index).map(([ms, value]): [number, number] => [fromMs + ms, value]))

t.test('a set point that changes at like hours of each day was recorded on change', async (t) => {
  const random = randomFrom(3)
  const quarters = (hours: number) => 3_600_000 * hours + 900_000 * Math.floor(random() * 3)
  const records = Array.from({ length: 9 }, (_, day): [number, number][] => [
    [day * DAY, 700],
    [day * DAY + quarters(7.5), 5900],
    [day * DAY + quarters(16.5), 700]
  ]).flat()
  for (let count = 3; count <= records.length; count++)
    t.ok(isOnChange(samples(...records.slice(0, count))), `${count} records`)
})

t.test('needs earlier records if the first week of a range has too few', async (t) => {
  t.equal(wasRecordedOnChange(measured(FEW_RECORDS - 1), null, 0), null)
  t.equal(wasRecordedOnChange(measured(FEW_RECORDS), null, 0), false)
  t.equal(wasRecordedOnChange(changes(FEW_RECORDS), null, 0), true)
  t.equal(wasRecordedOnChange(measured(500, INSPECTED_MS), null, 0), null, 'no record within the week')
})

t.test('decides from the last records before a range that begins with a gap', async (t) => {
  const later = measured(500, 30 * DAY)
  t.equal(wasRecordedOnChange(later, changes(200, -250 * DAY, DAY), 0), true)
  t.equal(wasRecordedOnChange(changes(500, 30 * DAY), measured(200, -2 * DAY), 0), false)
})

t.test('decides from the first week with records if there are none before', async (t) => {
  t.equal(wasRecordedOnChange(measured(500, 30 * DAY), NO_SAMPLES, 0), false)
  t.equal(wasRecordedOnChange(changes(500, 30 * DAY), NO_SAMPLES, 0), true)
})

t.test('later records of the range never change the decision', async (t) => {
  const first = measured(ENOUGH_RECORDS)
  const rest = changes(2_000, first.times.at(-1))
  const whole = samplesOf([...first.times, ...rest.times].map((ms, at) => [ms, at] as const))
  t.equal(wasRecordedOnChange(whole, null, 0), wasRecordedOnChange(first, null, 0))
})
