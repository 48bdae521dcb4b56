// The counts and times of the alarms on a printed page.
import t from 'tap'
import { alarmsText, durationWithin } from '#client/features/data/history/paper/period-alarms.ts'
import type { Alarm } from '#shared/answers/alarms.ts'

const HOUR = 3_600_000
const RANGE = { fromMs: 100 * HOUR, toMs: 200 * HOUR }
const alarm = (fromHour: number, toHour: number | null, ackState: Alarm['ackState'] = 'acked') =>
  ({
    timestamp: new Date(fromHour * HOUR).toISOString(),
    normalTime: toHour === null ? null : new Date(toHour * HOUR).toISOString(),
    ackState
  }) as Alarm

const durations: [name: string, alarm: Alarm, nowHour: number, hours: number][] = [
  ['within the period', alarm(110, 115), 300, 5],
  ['that began before it', alarm(90, 110), 300, 10],
  ['that ended after it', alarm(190, 210), 300, 10],
  ['that is still active', alarm(150, null), 160, 10],
  ['that is still active after the period', alarm(150, null), 300, 50]
]
for (const [name, one, nowHour, hours] of durations)
  t.test(`counts the time in the period of an alarm ${name}`, async (t) => {
    t.equal(durationWithin(one, RANGE, nowHour * HOUR), hours * HOUR)
  })

t.test('says how many alarms are listed, active and not acknowledged, and their time', async (t) => {
  const textOf = (alarms: Alarm[], isCut = false) => alarmsText({ alarms, isCut }, RANGE, 300 * HOUR)
  t.match(textOf([]), /^No alarms\./)
  t.match(
    textOf([alarm(110, 115), alarm(190, null, 'unacked')]),
    /^2 alarms\. Still active: 1\. Not acknowledged: 1\. Time in alarm within this period, added up: 15 h\./
  )
  const many = Array.from({ length: 512 }, () => alarm(110, 111))
  t.match(textOf(many.slice(0, 200)), /^200 alarms\./)
  t.match(textOf(many), /^The newest 200 of 512 alarms\./)
  t.match(textOf(many, true), /^The newest 200 of more than 512 alarms\..* Older alarms are not counted\.$/)
})

t.test('says that older alarms are not counted if few or none of the newest are of the period', async (t) => {
  const textOf = (alarms: Alarm[]) => alarmsText({ alarms, isCut: true }, RANGE, 300 * HOUR)
  const few = Array.from({ length: 5 }, () => alarm(110, 111))
  t.match(textOf(few), /^The newest 5 of more than 5 alarms\..* Older alarms are not counted\.$/)
  t.equal(textOf([]), 'No alarms among the newest 2,000. Older alarms are not counted.')
})

t.test('says that alarms raised long before the period are not included', async (t) => {
  const textOf = (alarms: Alarm[]) => alarmsText({ alarms, isCut: false }, RANGE, 300 * HOUR)
  const note = 'Alarms raised more than 30 days before the period are not included.'
  t.equal(textOf([]), `No alarms. ${note}`)
  t.ok(textOf([alarm(110, 115)]).endsWith(` 5 h. ${note}`))
})
