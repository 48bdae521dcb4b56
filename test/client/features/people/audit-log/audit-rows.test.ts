// The rows of the audit log: groups of sign-ins and of equal entries, and the texts of their columns.
import t from 'tap'
import {
  customerOf,
  cutEntriesOf,
  deedOf,
  groupsOf,
  minuteFilter,
  minuteKeyOf,
  objectOf,
  personOf,
  rowName,
  rowsOf
} from '#client/features/people/audit-log/audit-rows.ts'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { auditEntry as entry } from '../../../../support/client/records.ts'

const BO: AuditLogEntry['actor'] = { id: 'u-2', type: 'USER', name: 'Bo' }
const login = (id: string, rest: Partial<AuditLogEntry> = {}) => entry({ id, action: 'LOGIN', ...rest })
const closed = new Map<string, boolean>()

t.test('a change between sign-ins, or another outcome, separates their groups', async (t) => {
  const counts = (...entries: AuditLogEntry[]) => groupsOf(entries).map(({ length }) => length)
  t.strictSame(counts(login('1'), entry({ id: '2' }), login('3')), [1, 1, 1])
  t.strictSame(counts(login('1'), login('2', { outcome: 'FAILURE' })), [1, 1])
})

t.test('sign-ins and sign-outs of several people share a row with their numbers', async (t) => {
  const entries = [
    login('1'),
    login('2', { actor: BO, customerId: 'c-9', customerName: 'Northwind' }),
    login('3', { action: 'LOGOUT' })
  ]
  const [row, ...otherRows] = rowsOf(entries, 25, closed)
  t.strictSame(otherRows, [])
  t.equal(row && deedOf(row), '2 sign-ins and 1 sign-out')
  t.equal(row && personOf(row), '2 people')
  t.equal(row && customerOf(row), '2 customers')
  t.equal(row && rowName(row), '2 people: 2 sign-ins and 1 sign-out')
})

t.test('sign-ins of one person at one customer name both', async (t) => {
  const at = { customerId: 'c-9', customerName: 'Northwind' }
  const [row] = rowsOf([login('1', at), login('2', at)], 25, closed)
  t.equal(row && rowName(row), 'Maria Ruiz: 2 sign-ins')
  t.equal(row && customerOf(row), 'Northwind')
})

t.test('an open group shows its members below it', async (t) => {
  const entries = [login('1'), login('2'), entry({ id: '3' })]
  const rows = rowsOf(entries, 25, new Map([['1', true]]))
  t.strictSame(
    rows.map(({ id, group, isMember }) => [id, group?.entries.length, isMember]),
    [
      ['1', 2, undefined],
      ['1', undefined, true],
      ['2', undefined, true],
      ['3', undefined, undefined]
    ]
  )
})

t.test('groups of a full page start open if the page would have less than half of its rows', async (t) => {
  const signIns = ['1', '2', '3', '4'].map((id) => login(id))
  t.equal(rowsOf(signIns, 4, closed).length, 5)
  t.equal(rowsOf(signIns, 4, new Map([['1', false]])).length, 1)
  t.equal(rowsOf(signIns, 5, closed).length, 1)
})

t.test('groups equal entries that follow each other', async (t) => {
  const point = { type: 'POINT', id: 'c-1', name: 'Fan' }
  const write = (id: string, rest: Partial<AuditLogEntry> = {}) =>
    entry({ id, action: 'POINT_WRITTEN', resource: point, ...rest })
  const counts = (...rows: AuditLogEntry[]) => groupsOf(rows).map(({ length }) => length)
  t.strictSame(counts(), [])
  t.strictSame(counts(write('1'), write('2'), write('3')), [3])
  const differences: Partial<AuditLogEntry>[] = [
    { actor: { id: 'u-2', type: 'USER', name: 'Maria Ruiz' } },
    { action: 'POINT_CLEARED' },
    { resource: { ...point, id: 'c-2' } },
    { outcome: 'FAILURE' },
    { customerId: 'c-9' },
    { changes: [{ field: 'value', before: '1', after: '2' }] }
  ]
  const nextMinute = { timestamp: '2026-03-01T12:01:00Z' }
  for (const difference of differences)
    t.strictSame(
      counts(write('1'), write('2', { ...difference, ...nextMinute })),
      [1, 1],
      Object.keys(difference).join()
    )
  t.strictSame(counts(write('1'), write('2', nextMinute)), [2], 'equal entries of any time')
  t.strictSame(counts(write('1'), write('2', { action: 'POINT_CLEARED' }), write('3')), [1, 1, 1])
})

/** One of several devices whose location a person has changed. */
const move = (number: number, rest: Partial<AuditLogEntry> = {}) =>
  entry({
    id: `m-${number}`,
    action: 'DEVICE_UPDATED',
    resource: { type: 'DEVICE', id: `d-${number}`, name: `AHU-${number}` },
    changes: [{ field: 'location', before: 'Yard', after: 'Roof' }],
    ...rest
  })

t.test(
  'groups what one person did to several objects in one minute of the clock, and nothing else',
  async (t) => {
    const counts = (...rows: AuditLogEntry[]) => groupsOf(rows).map(({ length }) => length)
    t.strictSame(
      counts(
        move(1, { timestamp: '2026-03-01T12:00:59.999Z' }),
        move(2, { timestamp: '2026-03-01T12:00:00Z' })
      ),
      [2]
    )
    t.strictSame(counts(move(1), move(2, { timestamp: '2026-03-01T11:59:59.999Z' })), [1, 1])
    const differences: Partial<AuditLogEntry>[] = [
      { actor: BO },
      { action: 'DEVICE_DELETED' },
      { outcome: 'FAILURE' },
      { resource: { type: 'PROJECT', id: 'p-1', name: 'East' } }
    ]
    for (const difference of differences)
      t.strictSame(counts(move(1), move(2, difference)), [1, 1], Object.keys(difference).join())
    t.strictSame(counts(move(1), login('9'), move(2)), [2, 1], 'another entry between them')
  }
)

t.test(
  'a bulk edit of a full page is one closed row with its person, action and number of objects',
  async (t) => {
    const entries = Array.from({ length: 25 }, (_, index) => move(index))
    const [row, ...others] = rowsOf(entries, 25, closed)
    t.strictSame(others, [])
    t.equal(row && rowName(row), 'Maria Ruiz changed the location to Roof: 25 devices')
    t.equal(row && objectOf(row), '25 devices')
    t.equal(rowsOf(entries, 25, new Map([['m-0', true]])).length, 26)
    const different = entries.map((edit, index) => ({
      ...edit,
      ...changed('location', 'Yard', `Roof ${index}`)
    }))
    const [differentRow] = rowsOf(different, 25, closed)
    t.equal(differentRow && deedOf(differentRow), 'changed the location')
    const [mixedRow] = rowsOf([move(1), move(2, changed('deviceName', 'a', 'b'))], 25, closed)
    t.equal(mixedRow && deedOf(mixedRow), 'changed device')
  }
)

t.test('an object that was changed twice counts once', async (t) => {
  const [row] = rowsOf([move(1), move(2), move(1, { id: 'again' })], 25, closed)
  t.equal(row && objectOf(row), '2 devices')
})

t.test('only the ends of a page that are no ends of the log can go on elsewhere', async (t) => {
  const items = [move(1), login('9'), move(3)]
  const cutIds = (number: number, totalPages: number) => {
    const { first, last } = cutEntriesOf({ items, page: { number, size: 3, totalPages, totalElements: 9 } })
    return [first?.id, last?.id]
  }
  t.strictSame(cutIds(0, 1), [undefined, undefined])
  t.strictSame(cutIds(0, 3), [undefined, 'm-3'])
  t.strictSame(cutIds(1, 3), ['m-1', 'm-3'])
  t.strictSame(cutIds(2, 3), ['m-1', undefined])
  t.match(minuteFilter(move(1)), { from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T12:00:59.999Z' })
})

t.test('a group that goes on elsewhere has its entries of all pages, once they are read', async (t) => {
  const entries = [move(3), login('9')]
  const minute = minuteKeyOf(move(3))
  const all = [move(1), move(2), move(3), move(4)]
  const page = { number: 0, size: 1000, totalPages: 1, totalElements: all.length }
  const [single] = rowsOf(entries, 25, closed, new Map([[minute, undefined]]))
  t.equal(single?.group, undefined, 'not read yet')
  const [unread] = rowsOf([move(3), move(4)], 25, closed, new Map([[minute, undefined]]))
  t.equal(unread?.group?.total, null, 'not read yet')
  const [row, ...others] = rowsOf(entries, 25, closed, new Map([[minute, { items: all, page }]]))
  t.equal(row && objectOf(row), '4 devices')
  t.match(row?.group, { total: 4, isContinued: true, entries: { length: 4 } })
  t.equal(others.length, 1)
})

const changed = (field: string, before: string | null, after: string | null) => ({
  changes: [{ field, before, after }]
})
const DEEDS: [deed: string, rest: Partial<AuditLogEntry>][] = [
  ['signed in', { action: 'LOGIN' }],
  ['moved device to project West', changed('projectName', 'East', 'West')],
  ['changed the location to Roof', { action: 'DEVICE_UPDATED', ...changed('location', 'Yard', 'Roof') }],
  ['locked a backup', { action: 'BACKUP_UPDATED', ...changed('retained', 'false', 'true') }],
  ['sent the invitation again', { action: 'INVITATION_RESENT' }],
  ['accepted an invitation', { action: 'INVITATION_ACCEPTED' }],
  ['generated a new secret', { action: 'SECRET_GENERATED' }],
  ['connected by Remote', { action: 'REMOTE_CONNECTED' }],
  ['cleared the override', { action: 'POINT_CLEARED' }],
  ['added a note', { action: 'ALARM_NOTED' }],
  ['teleported thing', { action: 'TELEPORTED_THING' }]
]
for (const [deed, rest] of DEEDS)
  t.test(`without the object’s name, the text of ${rest.action ?? 'a move'} is: ${deed}`, async (t) =>
    t.equal(deedOf(entry(rest)), deed)
  )
