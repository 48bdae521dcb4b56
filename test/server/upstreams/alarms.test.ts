import t from 'tap'
import { alarmParts } from '#server/upstreams/alarms.ts'
import type { Raw } from '#server/upstreams/fields.ts'
import { clientOf, startTinyUpstream } from '../../support/tiny-upstream.ts'

t.test('reads an alarm once that moves to the next page, and each without a uuid', async (t) => {
  const upstream = await startTinyUpstream(t)
  const bearer = { accessToken: async () => 'token', replaceToken: async () => null }
  const alarms: object[] = Array.from({ length: 250 }, (_, number) => ({ uuid: `a-${number}` }))
  for (const number of [100, 248]) alarms.splice(number, 1, {})
  for (const number of [150, 249]) alarms.splice(number, 1, { uuid: null })
  upstream.answer = ({ url = '' }, response) => {
    const query = new URL(url, 'http://x').searchParams
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))]
    const items = alarms.slice(page * size, (page + 1) * size)
    const totals = { totalPages: Math.ceil(alarms.length / size), totalElements: alarms.length }
    response.end(JSON.stringify({ _embedded: { alarms: items }, page: totals }))
    if (page === 0) alarms.unshift({ uuid: 'new-1' }, { uuid: 'new-2' })
  }
  const source = { client: clientOf(t, upstream.url), customerId: 'c-1', bearer }
  const filter = { sourceStates: [], ackStates: [] }
  const parts: Raw[][] = []
  for await (const part of alarmParts(source, filter, { sort: 'timestamp', order: 'desc' })) parts.push(part)
  t.strictSame(
    parts.map(({ length }) => length),
    [200, 50]
  )
  t.strictSame(
    parts.flat().map(({ uuid }) => uuid),
    alarms.slice(2).map((alarm) => (alarm as { uuid?: string | null }).uuid)
  )
})
