import '../../../support/client/dom.ts'
import t from 'tap'
import { isFiltered, passes } from '#client/features/device-details/points/filters.tsx'
import { searchFor } from '#client/features/device-details/points/use-filtered-points.ts'
import { pointOf } from '#client/features/points/point.ts'

const ANY = { type: '', writable: '', status: '' }
const point = (dataType: string, writable: boolean, outValue: string) =>
  pointOf({
    cloudId: 'c',
    displayName: 'P',
    systemGuid: 'g',
    outValue,
    facets: { writable },
    tags: { dataType }
  })
const setpoint = point('Numeric', true, '21.0 {ok}')
const fan = point('Boolean', false, 'true {unackedAlarm,alarm}')
const withoutStatus = point('String', false, 'Model 7')

t.test('an empty filter matches all', async (t) => {
  t.notOk(isFiltered(ANY))
  for (const one of [setpoint, fan, withoutStatus]) t.ok(passes(ANY, one))
})

const passing: [name: string, filter: Partial<typeof ANY>, matches: boolean[]][] = [
  ['no point of an unknown type', { type: 'Colour' }, [false, false, false]],
  ['a type', { type: 'Numeric' }, [true, false, false]],
  ['one of two types', { type: 'Numeric,Boolean' }, [true, true, false]],
  ['writable', { writable: 'yes' }, [true, false, false]],
  ['read only', { writable: 'no' }, [false, true, true]],
  ['either', { writable: 'yes,no' }, [true, true, true]],
  ['ok, and no point without a status', { status: 'ok' }, [true, false, false]],
  ['one of several flags', { status: 'unackedAlarm' }, [false, true, false]],
  ['all of several filters', { type: 'Boolean', writable: 'no', status: 'alarm' }, [false, true, false]],
  [
    'no point if one of several filters does not match',
    { type: 'Boolean', writable: 'yes' },
    [false, false, false]
  ]
]
for (const [name, some, matches] of passing)
  t.test(`matches ${name}`, async (t) => {
    const filter = { ...ANY, ...some }
    t.same(
      [setpoint, fan, withoutStatus].map((one) => passes(filter, one)),
      matches
    )
    t.ok(isFiltered(filter))
  })

type Query = Parameters<typeof searchFor>[0]
const rest = { systemGuid: 'g', page: 0, size: 25, sort: 'displayName', order: 'asc' } as const
const named: Query = { ...rest, items: ['temp'], type: 'pointNames', comparison: 'CONTAINS' }
const nothing: Query = { ...named, items: [] }
const unknown: Query = { ...nothing, type: 'tagColours' as 'tagNames' }
const byTag = { ...rest, items: ['Numeric'], type: 'tagValues', comparison: 'EQUALS' }
const searches: [name: string, query: Query, filter: Partial<typeof ANY>, sent: object, sift: boolean][] = [
  ['all points', nothing, {}, nothing, false],
  ['a name', named, {}, named, false],
  ['a type by its tag', nothing, { type: 'Numeric' }, byTag, false],
  ['a type by its tag, then filters by status', nothing, { type: 'Numeric', status: 'fault' }, byTag, true],
  ['all points, then filters by writable', nothing, { writable: 'yes' }, nothing, true],
  ['a name, then filters by type', named, { type: 'Numeric' }, named, true],
  ['an unknown kind without a filter', unknown, { type: 'Numeric', status: 'fault' }, unknown, false]
]
for (const [name, query, filter, sent, sift] of searches)
  t.test(`searches for ${name}`, async (t) => {
    t.same(searchFor(query, { ...ANY, ...filter }), { query: sent, sift })
  })
