// Loads values that hold until the next record, and finds the last record before a range and before now.

import '../../../../support/client/dom.ts'
import { fireEvent } from '@testing-library/react'
import t from 'tap'
import { fetchHistory } from '#client/features/data/history/api.ts'
import { customer, DEVICES } from '#test/support/client/customer.ts'
import { bootstrap, device, startGateway } from '#test/support/client/gateway.ts'
import { chartPoint } from '#test/support/client/history.ts'
import { openPortal } from '#test/support/client/portal.tsx'

const DAY = 86_400_000
const FROM = Date.UTC(2026, 5, 1)
const RANGE = { fromMs: FROM, toMs: FROM + DAY }
const TELEMETRY = '/api/v1/egress/telemetry'
const iso = (days: number) => new Date(FROM + days * DAY).toISOString()
const telemetry = (records: [days: number, value: unknown][]) => ({
  [TELEMETRY]: ({ body }: { body: unknown }) => {
    const { startTime, endTime } = body as Record<string, string>
    const historyRecords = records
      .map(([days, value]) => ({ timestamp: iso(days), value }))
      .filter(({ timestamp }) => timestamp >= (startTime ?? '') && timestamp < (endTime ?? ''))
    return { pointDetails: [{ pointId: 't', historyRecords }] }
  }
})

function recordsAt(t: { teardown: (work: () => void) => void }, records: [days: number, value: unknown][]) {
  const { calls, stop } = startGateway(telemetry(records))
  t.teardown(stop)
  return calls
}
const load = (kind: string) =>
  fetchHistory(
    {
      customerId: '9',
      point: chartPoint({ dataType: kind }),
      range: RANGE,
      nowMs: FROM + DAY / 2
    },
    new AbortController().signal
  )

t.test('a state without a record in the range has the last record before the range', async (t) => {
  const calls = recordsAt(t, [
    [-200, 1],
    [-100, 0],
    [-99, 1]
  ])
  const { times, values, validUntilMs } = await load('Boolean')
  t.same([...times], [FROM - 99 * DAY])
  t.same([...values], [1])
  t.equal(validUntilMs, FROM + DAY / 2, 'is held until now')
  t.equal(calls.length, 6, 'searches longer and longer periods')
})

t.test('does not search for a state older than a year', async (t) => {
  const calls = recordsAt(t, [[-366, 1]])
  t.equal((await load('Enum')).times.length, 0)
  t.equal(calls.length, 6)
})

t.test('a state recorded at the start of the range needs no earlier record', async (t) => {
  const calls = recordsAt(t, [[0, 1]])
  t.same([...(await load('Boolean')).times], [FROM])
  t.equal(calls.length, 1)
})

t.test('numbers recorded on change include the value held before the range', async (t) => {
  const calls = recordsAt(t, [
    [-0.3, 17],
    [0.1, 19],
    [0.4, 17]
  ])
  t.match(await load('Numeric'), { times: { length: 3 }, validUntilMs: FROM + DAY / 2 })
  t.equal(calls.length, 2)
})

t.test('inspects earlier records if the range has too few to tell the interval', async (t) => {
  recordsAt(
    t,
    Array.from({ length: 100 }, (_, index): [number, number] => [-0.98 + index / 96, index])
  )
  t.match(await load('Numeric'), { times: { length: 5 }, validUntilMs: null })
})

t.test('makes one call for many regular records', async (t) => {
  const calls = recordsAt(
    t,
    Array.from({ length: 90 }, (_, index): [number, number] => [index / 96, index])
  )
  t.equal((await load('Numeric')).validUntilMs, null)
  t.equal(calls.length, 1)
})

t.test('finds the latest record before now, also after the end of the range', async (t) => {
  const tags = { dataType: 'Numeric', telemetryId: 't', historyName: 'h' }
  const model = { cloudId: 'c-1', displayName: 'Point 1', systemGuid: 'guid-1', tags }
  const page = { number: 0, size: 1, totalPages: 1, totalElements: 1 }
  const parameters = `points=uuid-1~c-1&range=Custom+Range&from=${iso(0)}&to=${iso(1)}`
  const portal = openPortal(t, `/customers/9/devicedetails/history?deviceUuid=uuid-1&${parameters}`, {
    ...customer().answers,
    '/api/portal/v1/bootstrap': bootstrap({ now: iso(10) }),
    [`${DEVICES}/uuid-1`]: device(1),
    '/api/v1/entitymodel/customers/9/pointNames': { _embedded: { pointModels: [model] }, page },
    '/api/v1/alarms/customers/9/alarms:search': { page: { ...page, totalElements: 0 } },
    ...telemetry([
      [-30, 1],
      [5.5, 2]
    ])
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Find the latest record' }))
  await portal.findByText(/^Latest record: 06-Jun-2026/)
})
