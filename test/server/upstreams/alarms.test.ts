import t, { type Test } from 'tap'
import { alarmParts } from '#server/upstreams/alarms.ts'
import type { Raw } from '#server/upstreams/fields.ts'
import { clientOf, startTinyUpstream } from '../../support/tiny-upstream.ts'

type Alarm = { uuid?: string | null }

const alarmsOf = (count: number): Alarm[] =>
  Array.from({ length: count }, (_, number) => ({ uuid: `a-${number}` }))
const uuidsOf = (alarms: readonly Alarm[]) => alarms.map(({ uuid }) => uuid)

/** The parts of a list. @param change changes the list after each page that the API has sent */
async function partsOf(t: Test, alarms: Alarm[], change: (pages: number) => void): Promise<Raw[][]> {
  const upstream = await startTinyUpstream(t)
  const bearer = { accessToken: async () => 'token', replaceToken: async () => null }
  upstream.answer = ({ url = '' }, response) => {
    const query = new URL(url, 'http://x').searchParams
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))]
    const items = alarms.slice(page * size, (page + 1) * size)
    const totals = { totalPages: Math.ceil(alarms.length / size), totalElements: alarms.length }
    response.end(JSON.stringify({ _embedded: { alarms: items }, page: totals }))
    change(upstream.received.length)
  }
  const source = { client: clientOf(t, upstream.url), customerId: 'c-1', bearer }
  const filter = { sourceStates: [], ackStates: [] }
  const parts: Raw[][] = []
  for await (const part of alarmParts(source, filter, { sort: 'timestamp', order: 'desc' })) parts.push(part)
  return parts
}

t.test('reads an alarm once that moves to the next page, and each without a uuid', async (t) => {
  const alarms = alarmsOf(250)
  for (const number of [100, 248]) alarms.splice(number, 1, {})
  for (const number of [150, 249]) alarms.splice(number, 1, { uuid: null })
  const parts = await partsOf(t, alarms, (pages) => {
    if (pages === 1) alarms.unshift({ uuid: 'new-1' }, { uuid: 'new-2' })
  })
  t.strictSame(
    parts.map(({ length }) => length),
    [200, 50]
  )
  t.strictSame(uuidsOf(parts.flat()), uuidsOf(alarms.slice(2)))
})

for (const [name, first, count] of [
  ['20 alarms leave that were read', 50, 20],
  ['more alarms leave than a page has', 0, 380],
  ['alarms leave that were not read', 420, 20]
] as const)
  t.test(`reads every other alarm once if ${name}`, async (t) => {
    const alarms = alarmsOf(650)
    const pagesBefore = first + count > 200 ? 2 : 1
    const read = alarms.slice(0, pagesBefore * 200)
    const parts = await partsOf(t, alarms, (pages) => {
      if (pages === pagesBefore) alarms.splice(first, count)
    })
    const others = alarms.filter((alarm) => !read.includes(alarm))
    t.strictSame(uuidsOf(parts.flat()), uuidsOf([...read, ...others]))
  })

t.test('comes to the end of a list whose total goes up and down', async (t) => {
  const alarms = alarmsOf(450)
  const hidden: Alarm[] = []
  const parts = await partsOf(t, alarms, () => {
    if (hidden.length === 0) hidden.push(...alarms.splice(150))
    else alarms.push(...hidden.splice(0))
  })
  t.strictSame(new Set(uuidsOf(parts.flat())).size, parts.flat().length)
})
