import '../../support/client/dom.ts'
import t from 'tap'
import { clipped, count, initials } from '#client/lib/format.ts'

t.test('cuts texts after 39 characters, and after 35 on small screens', async (t) => {
  t.equal(clipped('x'.repeat(39), 'desktop'), null)
  t.equal(clipped('x'.repeat(40), 'desktop'), `${'x'.repeat(39)}…`)
  t.equal(clipped('x'.repeat(35), 'mobile'), null)
  t.equal(clipped('x'.repeat(36), 'mobile'), `${'x'.repeat(35)}…`)
})

t.test('formats counts and initials', async (t) => {
  t.equal(count(1, 'device'), '1 device')
  t.equal(count(1240, 'device'), '1,240 devices')
  t.equal(initials(''), '?')
  t.equal(initials('Maria'), 'M')
  t.equal(initials('Maria de la Ruiz'), 'MR')
  t.equal(initials('partner.admin'), 'PA')
})
