import '../../../support/client/dom.ts'
import t from 'tap'
import { pointOf } from '#client/features/data/points/point.ts'
import { isFiltered, passes } from '#client/features/device-details/points/filters.tsx'
import { searchFor } from '#client/features/device-details/points/use-filtered-points.ts'

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

t.test('an empty filter matches all points', async (t) => {
  t.notOk(isFiltered(ANY))
  for (const item of [setpoint, fan, withoutStatus]) t.ok(passes(ANY, item))
})

const filterCases: [name: string, filter: Partial<typeof ANY>, matches: boolean[]][] = [
  ['no point of an unknown type', { type: 'Colour' }, [false, false, false]],
  ['points of a type', { type: 'Numeric' }, [true, false, false]],
  ['points of one of two types', { type: 'Numeric,Boolean' }, [true, true, false]],
  ['writable points', { writable: 'yes' }, [true, false, false]],
  ['read-only points', { writable: 'no' }, [false, true, true]],
  ['writable and read-only points', { writable: 'yes,no' }, [true, true, true]],
  ['points with status ok, but no point without a status', { status: 'ok' }, [true, false, false]],
  ['a point by one of several status flags', { status: 'unackedAlarm' }, [false, true, false]],
  ['points by several filters', { type: 'Boolean', writable: 'no', status: 'alarm' }, [false, true, false]],
  [
    'no point if one of several filters does not match',
    { type: 'Boolean', writable: 'yes' },
    [false, false, false]
  ]
]
for (const [name, fields, matches] of filterCases)
  t.test(`matches ${name}`, async (t) => {
    const filter = { ...ANY, ...fields }
    t.same(
      [setpoint, fan, withoutStatus].map((item) => passes(filter, item)),
      matches
    )
    t.ok(isFiltered(filter))
  })

type Query = Parameters<typeof searchFor>[0]
const common = { systemGuid: 'g', page: 0, size: 25, sort: 'displayName', order: 'asc' } as const
const nameQuery: Query = { ...common, items: ['temp'], type: 'pointNames', comparison: 'CONTAINS' }
const emptyQuery: Query = { ...nameQuery, items: [] }
const badQuery: Query = { ...emptyQuery, type: 'tagColours' as 'tagNames' }
const tagQuery = { ...common, items: ['Numeric'], type: 'tagValues', comparison: 'EQUALS' }
const searches: [name: string, query: Query, filter: Partial<typeof ANY>, output: object, sift: boolean][] = [
  ['all points', emptyQuery, {}, emptyQuery, false],
  ['a name', nameQuery, {}, nameQuery, false],
  ['a type by tag', emptyQuery, { type: 'Numeric' }, tagQuery, false],
  ['a type by tag, then filters by status', emptyQuery, { type: 'Numeric', status: 'fault' }, tagQuery, true],
  ['all points, then filters by writable', emptyQuery, { writable: 'yes' }, emptyQuery, true],
  ['a name, then filters by type', nameQuery, { type: 'Numeric' }, nameQuery, true],
  ['an unknown kind without a filter', badQuery, { type: 'Numeric', status: 'fault' }, badQuery, false]
]
for (const [name, query, filter, output, sift] of searches)
  t.test(`searches for ${name}`, async (t) => {
    t.same(searchFor(query, { ...ANY, ...filter }), { query: output, sift })
  })
