// The alarms that a chart marks, and what it says about the others.
import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
import t, { type Test } from 'tap'
import { outdatedAlarmKeys } from '#client/features/alarms/alarms/api.ts'
import { useChartAlarms } from '#client/features/data/history/api.ts'
import { useRefresh } from '#client/lib/http/query.ts'
import { createRetries, RetriesContext } from '#client/lib/http/retry.ts'
import { alarmRecord } from '../../../../support/client/alarm-record.ts'
import { type Answer, type Call, pageOf, problem, startGateway } from '../../../../support/client/gateway.ts'
import { settle } from '../../../../support/client/settle.ts'

const SEARCH = '/api/v1/alarms/customers/9/alarms:search'
const POINT = { cloudId: 'c-1', systemGuid: 'guid-1', displayName: 'Supply Temp' }
const RANGE = { fromMs: Date.parse('2026-03-01T00:00Z'), toMs: Date.parse('2026-03-02T00:00Z') }

function renderAlarms(t: Test, answer: Answer, isFollowed: boolean) {
  const gateway = startGateway({ [SEARCH]: answer })
  const cache = { provider: () => new Map(), shouldRetryOnError: false }
  const retries = createRetries()
  const points = [POINT]
  const { result, rerender } = renderHook(
    (range) => ({
      ...useChartAlarms('9', points, { range, loadedRange: RANGE, isFollowed }),
      refresh: useRefresh()
    }),
    {
      initialProps: RANGE,
      wrapper: ({ children }) => (
        <SWRConfig value={cache}>
          <RetriesContext value={retries}>{children}</RetriesContext>
        </SWRConfig>
      )
    }
  )
  t.teardown(() => {
    cleanup()
    gateway.stop()
  })
  return { result, rerender, gateway }
}

const readAlarms = (t: Test, answer: Answer) => renderAlarms(t, answer, false).result

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

const HOUR = 3_600_000
const MOVED_RANGE = { fromMs: RANGE.fromMs + HOUR, toMs: RANGE.toMs + HOUR }
const alarmsOf = (...alarms: object[]) => ({ _embedded: { alarms }, page: pageOf(alarms.length, 0, 500) })
const ofPoint = (uuid: string, rest: object = {}) => alarmRecord(uuid, { sourceName: 'Supply Temp', ...rest })

const reloads: [name: string, reload: (refresh: ReturnType<typeof useRefresh>) => unknown][] = [
  ['every minute', () => mock.timers.tick(60_000)],
  ['when the stream reports changed alarms', (refresh) => refresh(...outdatedAlarmKeys('9'))]
]
for (const [name, reload] of reloads)
  t.test(`a followed range marks what ends and begins as it moves on: reads ${name}`, async (t) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const { result, rerender, gateway } = renderAlarms(t, alarmsOf(ofPoint('first')), true)
    await settle()
    const marks = () => result.current.alarms.map(({ uuid, toMs }) => [uuid, toMs])
    t.same(marks(), [['first', null]])
    const ended = ofPoint('first', { normalTime: '2026-03-01T23:50:00Z' })
    gateway.answers[SEARCH] = alarmsOf(ofPoint('second', { timestamp: '2026-03-02T00:30:00Z' }), ended)
    rerender(MOVED_RANGE)
    await settle()
    t.equal(gateway.calls.length, 1, 'the moving range alone reads nothing')
    await act(async () => void (await reload(result.current.refresh)))
    await settle()
    t.same(marks(), [
      ['second', null],
      ['first', Date.parse('2026-03-01T23:50:00Z')]
    ])
    t.same(
      gateway.calls.map(({ body }) => Object.keys(body as object)),
      [
        ['systemGuids', 'startTime'],
        ['systemGuids', 'startTime']
      ]
    )
  })

t.test('a range that is not followed is read once, until its end', async (t) => {
  const { result, gateway } = renderAlarms(t, alarmsOf(ofPoint('first')), false)
  await waitFor(() => assert.equal(result.current.alarms.length, 1))
  await act(() => result.current.refresh(...outdatedAlarmKeys('9')))
  t.equal(gateway.calls.length, 1)
  t.match(gateway.calls[0]?.body, { endTime: '2026-03-02T00:00:00.000Z' })
})
