import '../../../support/client/dom.ts'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { followEvents } from '#client/lib/live/follow-events.ts'
import type { LiveEvent } from '#shared/answers/events.ts'
import { type Call, problem, startGateway } from '../../../support/client/gateway.ts'
import { turns } from '../../../support/client/settle.ts'

const PATH = '/api/portal/v1/events'
const ROLES = 'event: roles\ndata: {"tag":"a"}\n\n'
const ending = (reason: string) => `event: end\ndata: {"reason":"${reason}"}\n\n`

interface OpenStream {
  call: Call
  send: (text: string) => void
  cut: () => void
}

/** Follows a stream; `answer` decides how the gateway answers each connection. */
function follow(t: Test, answer: (streams: OpenStream[]) => Response | null = () => null) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] })
  t.intercept(Math, 'random', { value: () => 0.5 })
  const streams: OpenStream[] = []
  const open = (call: Call) => {
    const refusal = answer(streams)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    writer.closed.catch(() => {})
    call.signal?.addEventListener('abort', () => writer.abort().catch(() => {}))
    streams.push({
      call,
      send: (text) => void writer.write(new TextEncoder().encode(text)).catch(() => {}),
      cut: () => void writer.close()
    })
    return refusal ?? new Response(readable, { headers: { 'content-type': 'text/event-stream' } })
  }
  const gateway = startGateway({ [PATH]: open })
  const events: LiveEvent[] = []
  const states: boolean[] = []
  const stop = followEvents(PATH, {
    onEvent: (event) => events.push(event),
    onLive: (isLive) => states.at(-1) !== isLive && states.push(isLive)
  })
  t.teardown(async () => {
    stop()
    // The closing stream clears its timers before the next test has others.
    await turns()
    mock.timers.reset()
    gateway.stop()
  })
  return {
    streams,
    events,
    states,
    stop,
    async wait(ms: number) {
      await turns()
      mock.timers.tick(ms)
      await turns()
    }
  }
}

t.test('polls at once and stays so where the deployment has no streams', async (t) => {
  const { states, streams, wait } = follow(t, () => problem(501))
  await wait(600_000)
  t.strictSame(states, [false])
  t.equal(streams.length, 1)
})

t.test('polls after three refusals, and waits as long as Retry-After says', async (t) => {
  const busy = () => {
    const response = problem(503)
    response.headers.set('retry-after', '30')
    return response
  }
  const { states, streams, wait } = follow(t, busy)
  await wait(29_999)
  t.equal(streams.length, 1)
  await wait(1)
  t.strictSame([streams.length, states], [2, []])
  await wait(30_000)
  t.strictSame([streams.length, states], [3, [false]])
})

t.test('polls after a minute without a byte, and connects again', async (t) => {
  const { states, streams, wait } = follow(t)
  await wait(0)
  streams[0]?.send(ROLES)
  await wait(60_000)
  t.strictSame([streams.length, states], [1, [true]])
  await wait(5_000)
  t.strictSame([states, streams[0]?.call.signal?.aborted], [[true, false], true])
  await wait(2_000)
  t.equal(streams.length, 2)
  streams[1]?.send(ROLES)
  await wait(0)
  t.strictSame(states, [true, false, true])
})

t.test('ends for good with the session', async (t) => {
  const { states, streams, events, wait } = follow(t)
  await wait(0)
  streams[0]?.send(ROLES + ending('session'))
  streams[0]?.cut()
  await wait(600_000)
  t.equal(streams.length, 1)
  t.strictSame(states, [true, false])
  t.same(events.at(-1), { event: 'end', data: { reason: 'session' } })
})

t.test('stays live while a stream rotates, and connects again after the time of `retry`', async (t) => {
  const { states, streams, wait } = follow(t)
  await wait(0)
  streams[0]?.send(`${ROLES}retry: 4000\n${ending('rotation')}`)
  streams[0]?.cut()
  await wait(0)
  await wait(3_999)
  t.equal(streams.length, 1)
  await wait(1)
  t.strictSame([streams.length, states], [2, [true]])
})

t.test('connects again at once when the browser is online again', async (t) => {
  const { streams, wait } = follow(t)
  await wait(0)
  streams[0]?.send(ROLES)
  await wait(0)
  window.dispatchEvent(new window.Event('online'))
  await wait(0)
  t.strictSame([streams.length, streams[0]?.call.signal?.aborted], [2, true])
})

t.test('reads an event that arrives in pieces, marks its calls as background, and stops', async (t) => {
  const { streams, events, stop, wait } = follow(t)
  await wait(0)
  streams[0]?.send(': hello\n\nevent: ro')
  streams[0]?.send('les\ndata: {"tag":"a"}\n')
  await wait(0)
  t.strictSame(events, [])
  streams[0]?.send('\n')
  await wait(0)
  t.same(events, [{ event: 'roles', data: { tag: 'a' } }])
  t.equal(streams[0]?.call.headers.get('x-portal-background'), '1')
  stop()
  await wait(60_000)
  t.equal(streams.length, 1)
})
