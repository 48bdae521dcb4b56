import t from 'tap'
import { RequestTrace } from '#server/observability/trace.ts'

const REQUEST = '3f2b8c1e-9a4d-4e7f-8b16-0c5d2e9f7a31'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const GOOD = `00-${TRACE}-${SPAN}-01`

function written(headers: Record<string, string>): Record<string, string> {
  const out: Record<string, string> = {}
  new RequestTrace(headers, REQUEST).writeHeaders(out)
  return out
}

t.test('a trace that is none is not believed: a new one begins, and takes no state along', async (t) => {
  const bad = [
    '',
    'nonsense',
    GOOD.toUpperCase(),
    GOOD.slice(0, -1),
    `${GOOD}-more`,
    ` ${GOOD}`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}x-01`,
    `00-${TRACE}-${SPAN}-zz`
  ]
  for (const traceparent of bad)
    t.strictSame(
      written({ traceparent, tracestate: 'a=b' }),
      { traceparent: '00-3f2b8c1e9a4d4e7f8b160c5d2e9f7a31-8b160c5d2e9f7a31-00' },
      traceparent
    )
  t.strictSame(Object.keys(written({ tracestate: 'a=b' })), ['traceparent'], 'nor does a state alone')
})

t.test('a well-formed one is passed on with its state', async (t) => {
  t.strictSame(written({ traceparent: GOOD }), { traceparent: GOOD })
  t.strictSame(written({ traceparent: GOOD, tracestate: 'a=b,c=d' }), {
    traceparent: GOOD,
    tracestate: 'a=b,c=d'
  })
  const state = (characters: number) => written({ traceparent: GOOD, tracestate: 'x'.repeat(characters) })
  t.equal(state(512).tracestate?.length, 512)
  t.equal(state(513).tracestate, undefined)
})

t.test('one of a later version is passed on in ours', async (t) => {
  t.strictSame(written({ traceparent: `01-${TRACE}-${SPAN}-01-what-comes-later` }), { traceparent: GOOD })
})

t.test('calls side by side are waited for once, and one after the other twice', async (t) => {
  const trace = new RequestTrace({}, REQUEST)
  t.equal(trace.upstreamMs, 0)
  const now = t.capture(performance, 'now', () => time)
  let time = 1000
  trace.begin()
  time += 10
  trace.begin()
  time += 10
  t.equal(trace.upstreamMs, 20, 'while it waits')
  trace.end()
  time += 10
  trace.end()
  time += 100
  t.equal(trace.upstreamMs, 30)
  trace.begin()
  time += 5
  trace.end()
  t.equal(trace.upstreamMs, 35)
  t.ok(now().length > 0)
})
