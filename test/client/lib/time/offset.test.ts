import t from 'tap'
import { momentWithOffset, zoneText } from '#client/lib/time/offset.ts'
import { isRepeated, isUtc, offsetText, secondWithOffset } from '#shared/time/zones.ts'

const BERLIN = 'Europe/Berlin'
const msOf = (iso: string) => Date.parse(iso)

for (const [zone, iso, text] of [
  ['UTC', '2026-11-21T12:00Z', 'UTC'],
  [BERLIN, '2026-11-21T12:00Z', 'UTC+1'],
  [BERLIN, '2026-07-21T12:00Z', 'UTC+2'],
  ['Asia/Kolkata', '2026-07-21T12:00Z', 'UTC+5:30'],
  ['America/St_Johns', '2026-01-21T12:00Z', 'UTC−3:30']
] as const)
  t.test(`the offset of ${zone} at ${iso} is ${text}`, async (t) => {
    t.equal(offsetText(msOf(iso), zone), text)
  })

t.test('names a zone with its offset', async (t) => {
  t.equal(zoneText(msOf('2026-11-21T12:00Z'), BERLIN), 'CET (UTC+1)')
  t.equal(zoneText(msOf('2026-11-21T12:00Z'), 'Asia/Kolkata'), 'UTC+5:30')
  t.equal(zoneText(msOf('2026-11-21T12:00Z'), 'UTC'), 'UTC')
})

for (const [zone, iso, repeated] of [
  [BERLIN, '2026-10-24T23:59:59Z', false],
  [BERLIN, '2026-10-25T00:00Z', true],
  [BERLIN, '2026-10-25T00:59:59Z', true],
  [BERLIN, '2026-10-25T01:00Z', true],
  [BERLIN, '2026-10-25T01:59:59Z', true],
  [BERLIN, '2026-10-25T02:00Z', false],
  [BERLIN, '2026-03-29T00:59Z', false],
  [BERLIN, '2026-03-29T01:00Z', false],
  ['Australia/Lord_Howe', '2026-04-04T14:45Z', true],
  ['Australia/Lord_Howe', '2026-04-04T14:15Z', false],
  ['UTC', '2026-10-25T01:00Z', false]
] as const)
  t.test(`the local time at ${iso} occurs ${repeated ? 'twice' : 'once'} in ${zone}`, async (t) => {
    t.equal(isRepeated(msOf(iso), zone), repeated)
  })

t.test('times of the repeated hour show their offset, other times do not', async (t) => {
  t.equal(momentWithOffset(msOf('2026-10-25T00:30Z'), BERLIN), '25-Oct-2026 02:30 (UTC+2)')
  t.equal(momentWithOffset(msOf('2026-10-25T01:30Z'), BERLIN), '25-Oct-2026 02:30 (UTC+1)')
  t.equal(secondWithOffset(msOf('2026-10-25T02:30Z'), BERLIN), '25-Oct-2026 03:30:00')
})

t.test('recognizes the names of UTC', async (t) => {
  t.ok(['UTC', 'Etc/UTC', 'GMT'].every(isUtc))
  t.notOk(isUtc('Europe/London'))
})
