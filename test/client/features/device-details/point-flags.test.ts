// The status of a point is unknown while its live value cannot be read.
import '../../../support/client/dom.ts'
import t from 'tap'
import { pointOf } from '#client/features/data/points/point.ts'
import { clearProblem, flagsOf, type LiveValue } from '#client/features/device-details/api.ts'

const point = pointOf({
  cloudId: 'c',
  displayName: 'Setpoint',
  systemGuid: 'g',
  outValue: '20.0 {ok}',
  facets: { writable: true },
  tags: { dataType: 'Numeric' }
})
const read = (value: Partial<LiveValue>, error: unknown = undefined) => ({
  values: new Map([['c', { cloudId: 'c', value: 20, flags: [], timestamp: null, error: null, ...value }]]),
  error,
  readAtMs: 0,
  refresh() {}
})

t.test('the status is unknown while the device or this point cannot be read', async (t) => {
  t.equal(flagsOf(point, read({}, new Error('away'))), null)
  t.equal(flagsOf(point, read({ error: 'point not found' })), null)
})

t.test('the status is the one that was read last, or the one of the model', async (t) => {
  t.same(flagsOf(point, read({ flags: ['overridden'] })), ['overridden'])
  t.same(flagsOf(point, { ...read({}), values: new Map() }), [])
  t.same(flagsOf(point, null), [])
})

t.test('an override is cleared only where there is one, or may be one', async (t) => {
  t.equal(clearProblem({ ...point, writable: false }, ['overridden']), 'This point is not writable')
  t.equal(clearProblem(point, []), 'This point has no override')
  t.equal(clearProblem(point, ['overridden']), null)
  t.equal(clearProblem(point, null), null)
})
