// The details of an alarm use people's words; identifiers are apart.
import t from 'tap'
import { alarmFacts } from '#client/features/alarms/alarms/alarm-facts.ts'
import { chartPoint, FAN } from '#test/support/client/history.ts'

const factsOf = (alarmData: Record<string, string | number | null>, point = chartPoint()) =>
  alarmFacts({ alarmData }, point).facts.map(({ name, text }) => [name, text])

t.test('names the value of a state with the words of its point', async (t) => {
  t.same(factsOf({ alarmValue: 'false' }, chartPoint(FAN)), [['Value at the alarm', 'Off']])
  t.same(alarmFacts({ alarmData: { alarmValue: 'false' } }, null).facts, [
    { name: 'Value at the alarm', text: 'False' }
  ])
})

t.test('shows numbers and limits with the unit, at the precision of the point', async (t) => {
  t.same(factsOf({ alarmValue: '24.5612', highLimit: 24, units: '°C' }), [
    ['Value at the alarm', '24.6 °C'],
    ['High limit', '24.0 °C']
  ])
  t.same(factsOf({ alarmValue: 'n/a', lowLimit: null }), [['Value at the alarm', 'n/a']])
})

t.test('names unknown data by their key in words, and lists identifiers apart', async (t) => {
  const alarmData = { toneCount: 3, slotPath: 'a/b', cloudId: 'c-1', sourceGuid: 'g' }
  const { facts, identifiers } = alarmFacts({ alarmData }, null)
  t.same(facts, [{ name: 'Tone count', text: '3' }])
  t.same(identifiers, [
    { name: 'Path', text: 'a/b' },
    { name: 'Cloud id', text: 'c-1' },
    { name: 'Source guid', text: 'g' }
  ])
})
