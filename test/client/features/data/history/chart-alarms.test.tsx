// The alarms that a chart marks, and what it says about the others.
import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
import t, { type Test } from 'tap'
import { useChartAlarms } from '#client/features/data/history/api.ts'
import { createRetries, RetriesContext } from '#client/lib/http/retry.ts'
import { alarmRecord } from '../../../../support/client/alarm-record.ts'
import { type Answer, type Call, pageOf, problem, startGateway } from '../../../../support/client/gateway.ts'

const SEARCH = '/api/v1/alarms/customers/9/alarms:search'
const POINT = { cloudId: 'c-1', systemGuid: 'guid-1', displayName: 'Supply Temp' }
const RANGE = { fromMs: Date.parse('2026-03-01T00:00Z'), toMs: Date.parse('2026-03-02T00:00Z') }

function readAlarms(t: Test, answer: Answer) {
  const gateway = startGateway({ [SEARCH]: answer })
  const cache = { provider: () => new Map(), shouldRetryOnError: false }
  const retries = createRetries()
  const points = [POINT]
  const { result } = renderHook(() => useChartAlarms('9', points, RANGE), {
    wrapper: ({ children }) => (
      <SWRConfig value={cache}>
        <RetriesContext value={retries}>{children}</RetriesContext>
      </SWRConfig>
    )
  })
  t.teardown(() => {
    cleanup()
    gateway.stop()
  })
  return result
}

/** Pages of alarms of other points, of which the second begins with an alarm of the point. */
const pagesOf =
  (total: number) =>
  ({ query }: Call) => {
    const page = Number(query.get('page'))
    const alarms = Array.from({ length: Math.min(500, total - page * 500) }, (_, index) =>
      alarmRecord(`${page}-${index}`, page === 1 && index === 0 ? { sourceName: 'Supply Temp' } : {})
    )
    return { _embedded: { alarms }, page: pageOf(total, page, 500) }
  }

t.test('marks an alarm of the point that is older than 500 of other points', async (t) => {
  const result = readAlarms(t, pagesOf(501))
  await waitFor(() => assert.equal(result.current.alarms.length, 1))
  t.equal(result.current.alarms[0]?.uuid, '1-0')
  t.equal(result.current.note, null)
})

for (const [name, answer, note] of [
  ['there are more alarms than are read', pagesOf(2_001), 'Only alarms among the newest 2,000 are marked.'],
  ['alarms cannot be read', problem(503), 'Alarms could not be loaded, so none are marked.']
] as const)
  t.test(`says what is not marked if ${name}`, async (t) => {
    const result = readAlarms(t, answer)
    await waitFor(() => assert.equal(result.current.note, note))
  })
