import t from 'tap'
import {
  isFiltered,
  type PointFilter,
  passes,
  readPointFilter,
  searchFor
} from '#client/features/device-details/points/point-filter.ts'
import { pointOf } from '#client/features/points/point.ts'

const ANY: PointFilter = { kinds: [], writable: [], statuses: [] }
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

t.test('ignores unknown words; an empty filter matches all', async (t) => {
  const read = readPointFilter({ type: 'Colour', writable: 'maybe', status: 'lost' })
  t.same(read, ANY)
  t.notOk(isFiltered(read))
  for (const one of [setpoint, fan, withoutStatus]) t.ok(passes(ANY, one))
})

const passing: [name: string, filter: Partial<PointFilter>, matches: boolean[]][] = [
  ['a type', { kinds: ['Numeric'] }, [true, false, false]],
  ['one of two types', { kinds: ['Numeric', 'Boolean'] }, [true, true, false]],
  ['writable', { writable: ['yes'] }, [true, false, false]],
  ['read only', { writable: ['no'] }, [false, true, true]],
  ['either', { writable: ['yes', 'no'] }, [true, true, true]],
  ['ok', { statuses: ['ok'] }, [true, false, false]],
  ['one of several flags', { statuses: ['unackedAlarm'] }, [false, true, false]],
  [
    'every one of several filters',
    { kinds: ['Boolean'], writable: ['no'], statuses: ['alarm'] },
    [false, true, false]
  ],
  [
    'no point if one of several filters does not match',
    { kinds: ['Boolean'], writable: ['yes'] },
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

t.test('a point without a status does not match ok', async (t) => {
  t.notOk(passes({ ...ANY, statuses: ['ok'] }, withoutStatus))
})

type Searched = Parameters<typeof searchFor>[0]
const named: Searched = { items: ['temp'], type: 'pointNames', comparison: 'CONTAINS' }
const nothing: Searched = { ...named, items: [] }
const unknown: Searched = { ...nothing, type: 'tagColours' as 'tagNames' }
const byType = { items: ['Numeric'], type: 'tagValues', comparison: 'EQUALS' }
const searches: [name: string, search: Searched, filter: Partial<PointFilter>, expected: object][] = [
  ['all points', nothing, {}, { search: nothing, sift: false }],
  ['a name', named, {}, { search: named, sift: false }],
  ['a type by its tag', nothing, { kinds: ['Numeric'] }, { search: byType, sift: false }],
  [
    'a type by its tag, then filters the answer by status',
    nothing,
    { kinds: ['Numeric'], statuses: ['fault'] },
    { search: byType, sift: true }
  ],
  ['all points, then filters by writable', nothing, { writable: ['yes'] }, { search: nothing, sift: true }],
  ['a name, then filters the answer by type', named, { kinds: ['Numeric'] }, { search: named, sift: true }],
  [
    'an unknown kind, without a filter of its own',
    unknown,
    { kinds: ['Numeric'], statuses: ['fault'] },
    { search: unknown, sift: false }
  ]
]
for (const [name, search, filter, expected] of searches)
  t.test(`searches for ${name}`, async (t) => {
    t.same(searchFor(search, { ...ANY, ...filter }), expected)
  })
