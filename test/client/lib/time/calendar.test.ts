import '../../../support/client/dom.ts'
import t from 'tap'
import {
  dayBegin,
  dayEnd,
  dayOf,
  fromInput,
  parseDay,
  parseMoment,
  toInput
} from '#client/lib/time/calendar.ts'
import { momentWithOffset } from '#client/lib/time/offset.ts'

const NO_DAYS = ['', '2026-02-29', '2026-13-01', 'yesterday', '2026-3-1']
for (const text of NO_DAYS)
  t.test(`"${text}" is not a day`, async (t) => {
    t.equal(dayBegin(text, 'UTC'), '')
    t.equal(dayEnd(text, 'UTC'), '')
  })

const DAYS: [what: string, day: string, zone: string, begin: string, end: string][] = [
  ['in UTC', '2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['east of UTC', '2026-03-01', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-01T22:59:59.999Z'],
  ['of 23 hours', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['of 25 hours', '2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z']
]
for (const [what, day, zone, begin, end] of DAYS)
  t.test(`a day ${what} has its full length`, async (t) => {
    t.equal(dayBegin(day, zone), begin)
    t.equal(dayEnd(day, zone), end)
    t.equal(dayOf(begin, zone), day)
    t.equal(dayOf(end, zone), day)
  })

t.test('parses a day in the portal’s format and in similar formats', async (t) => {
  const texts = ['2026-03-01', '01-Mar-2026', '1-mar-2026', ' 1 March 2026 ', '01/03/2026', '1.3.2026']
  for (const text of texts) t.equal(parseDay(text), '2026-03-01', text)
  for (const text of ['', '1-Mar', '30-Feb-2026', '1/13/2026', '01-Foo-2026', '1-Mar-26', 'tomorrow'])
    t.equal(parseDay(text), null, text)
})

const NO_MOMENTS = [
  '',
  '01-Jun-2026',
  '14:05',
  '31-Jun-2026 14:05',
  '01-Jun-2026 24:00',
  '01-Jun-2026 14:60',
  '01-Jun-2026 14:5',
  '06/13/2026 14:05',
  '01-Jun-2026 2:05 PM',
  '01-Jun-2026 14:05 soon'
]
for (const text of NO_MOMENTS)
  t.test(`"${text}" is not a day and time`, async (t) => t.equal(parseMoment(text, 'UTC'), null))

t.test('parses a day and time in the portal’s format and in similar formats', async (t) => {
  const texts = [
    '01-Jun-2026 09:05',
    ' 1-jun-2026  9:05 ',
    '1 June 2026, 09:05',
    '01/06/2026 9:05',
    '2026-06-01 09:05',
    '2026-06-01T09:05:00'
  ]
  for (const text of texts) t.equal(parseMoment(text, 'UTC'), Date.parse('2026-06-01T09:05Z'), text)
  t.equal(parseMoment('01-Jun-2026 00:00', 'UTC'), Date.parse('2026-06-01'))
  t.equal(parseMoment('01-Jun-2026 23:59:59', 'UTC'), Date.parse('2026-06-01T23:59:59Z'))
})

const MOMENTS: [what: string, input: string, zone: string, instant: string, output: string][] = [
  ['a zone east of UTC', '01-Jun-2026 00:00', 'Asia/Kolkata', '2026-05-31T18:30Z', '01-Jun-2026 00:00'],
  ['before a skipped hour', '29-Mar-2026 01:59', 'Europe/Berlin', '2026-03-29T00:59Z', '29-Mar-2026 01:59'],
  ['in a skipped hour', '29-Mar-2026 02:30', 'Europe/Berlin', '2026-03-29T01:30Z', '29-Mar-2026 03:30'],
  ['after a skipped hour', '29-Mar-2026 03:00', 'Europe/Berlin', '2026-03-29T01:00Z', '29-Mar-2026 03:00'],
  ['before a repeated hour', '25-Oct-2026 01:59', 'Europe/Berlin', '2026-10-24T23:59Z', '25-Oct-2026 01:59'],
  [
    'the first time of a repeated hour',
    '25-Oct-2026 02:00',
    'Europe/Berlin',
    '2026-10-25T00:00Z',
    '25-Oct-2026 02:00 (UTC+2)'
  ],
  [
    'the first time, chosen by its offset',
    '25-Oct-2026 02:59 (UTC+2)',
    'Europe/Berlin',
    '2026-10-25T00:59Z',
    '25-Oct-2026 02:59 (UTC+2)'
  ],
  [
    'the second time of a repeated hour',
    '25-Oct-2026 02:00 utc+1',
    'Europe/Berlin',
    '2026-10-25T01:00Z',
    '25-Oct-2026 02:00 (UTC+1)'
  ],
  ['after a repeated hour', '25-Oct-2026 03:00', 'Europe/Berlin', '2026-10-25T02:00Z', '25-Oct-2026 03:00'],
  [
    'the second time, with an ASCII minus sign',
    '01-Nov-2026 01:30 (UTC-5)',
    'America/New_York',
    '2026-11-01T06:30Z',
    '01-Nov-2026 01:30 (UTC−5)'
  ],
  [
    'a wrong offset, which is ignored',
    '26-Oct-2026 02:30 (UTC+2)',
    'Europe/Berlin',
    '2026-10-26T01:30Z',
    '26-Oct-2026 02:30'
  ]
]
for (const [what, input, zone, instant, output] of MOMENTS)
  t.test(`${what}: ${input} in ${zone} is ${instant}, and shows as ${output}`, async (t) => {
    const ms = parseMoment(input, zone) as number
    t.equal(ms, Date.parse(instant))
    t.equal(momentWithOffset(ms, zone), output)
    t.equal(parseMoment(output, zone), ms, 'parses the output as the same time')
  })

t.test('an invalid time has no day', async (t) => t.equal(dayOf('soon', 'UTC'), ''))

t.test('converts local times to instants and back, over two years and in several zones', async (t) => {
  const failures: string[] = []
  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia'
  ])
    for (
      let time = Date.parse('2026-01-01T00:00Z');
      time < Date.parse('2028-01-01T00:00Z');
      time += 7 * 3_600_000
    ) {
      const localTime = toInput(time, zone)
      const instant = fromInput(localTime, zone) as number
      if (toInput(instant, zone) !== localTime || instant > time) failures.push(`${localTime} ${zone}`)
    }
  t.strictSame(failures, [])
})
