import '../../support/client/dom.ts'
import t from 'tap'
import { codeLabel, count, formatBytes, initials } from '#client/lib/format.ts'

t.test('formats counts and initials', async (t) => {
  t.equal(count(1, 'device'), '1 device')
  t.equal(count(1240, 'device'), '1,240 devices')
  t.equal(initials(''), '?')
  t.equal(initials('Maria'), 'M')
  t.equal(initials('Maria de la Ruiz'), 'MR')
  t.equal(initials('partner.admin'), 'PA')
})

t.test('an empty code has an empty label', async (t) => {
  t.equal(codeLabel(''), '')
})

t.test('formats bytes in units of a thousand', async (t) => {
  t.strictSame([0, 999, 1000, 1_234_567, 84_000_000, 2e15].map(formatBytes), [
    '0 bytes',
    '999 bytes',
    '1 kB',
    '1.2 MB',
    '84 MB',
    '2,000 TB'
  ])
})
