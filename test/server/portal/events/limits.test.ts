// How many live streams there are, what their answers look like, and how slow readers are treated.
import { connect } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { unreadAnswers } from '#server/http/unread-answers.ts'
import { openStream, type State } from '#server/portal/events/stream.ts'
import { createStreams } from '#server/portal/events/streams.ts'
import type { Caller } from '#server/types.ts'
import { type PortalOptions, signIn, startPortal } from '#test/support/portal.ts'
import { eventually, settled } from '../../../support/eventually.ts'
import { listen } from '../../../support/live.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { follow, NORTHWIND_STREAM } from '../../../support/scenes/stream.ts'

const EVENTS = '/api/portal/v1/events'
const sandbox = await openSandbox(t)

const start = (t: Test, env: Record<string, string> = {}, limits: PortalOptions['limits'] = {}) =>
  startPortal(t, { startedSandbox: sandbox, env, limits })

t.test('a deployment without live streams answers 501', async (t) => {
  const portal = await start(t, { LIVE_STREAMS: '0' })
  const answer = await (await portal.as('partner.user')).call(EVENTS)
  t.equal(answer.status, 501)
  t.match(await answer.json(), { type: 'urn:portal:problem:streams_off' })
})

t.test('a full replica answers 503 with a time to wait, until a stream ends', async (t) => {
  const portal = await start(t, { LIVE_STREAMS: '2' })
  const person = await portal.as('partner.user')
  const [first] = [await follow(t, person, ''), await follow(t, person, '')]
  const answer = await (await portal.as('customer.user')).call(EVENTS)
  t.equal(answer.status, 503)
  t.match(await answer.json(), { type: 'urn:portal:problem:too_many_streams' })
  const seconds = Number(answer.headers.get('retry-after'))
  t.ok(seconds >= 5 && seconds <= 15, `${seconds} s`)
  first.close()
  await eventually(async () => (await follow(t, person, '')).status === 200)
})

t.test('a session may have six streams, which are not counted as calls in flight', async (t) => {
  const portal = await start(t, { CALLS_IN_FLIGHT: '1' })
  const person = await portal.as('partner.user')
  const streams = []
  for (let number = 0; number < 6; number += 1) streams.push(await follow(t, person, ''))
  t.strictSame([...new Set(streams.map(({ status }) => status))], [200])
  t.equal((await person.call(EVENTS)).status, 429)
  t.equal((await person.call('/api/portal/v1/me')).status, 200)
  const colleague = await signIn(portal.url, sandbox, 'partner.user')
  t.equal((await follow(t, colleague, '')).status, 200, 'another session of the same person')
  streams[0]?.close()
  await eventually(async () => (await follow(t, person, '')).status === 200)
})

/** A caller with a stream: a session, or a user of a service. */
const sessionOf = (person: string, name: string) => callerOf(person, { sessionName: name })
const serviceOf = (client: string, user: string) => callerOf(user, { clientId: client })
const callerOf = (id: string, rest: Partial<Caller>) => ({ user: { id }, ...rest }) as Caller

t.test(
  'a person has a tenth of the streams, and a service a quarter, whatever they sign in with',
  async (t) => {
    const cases = [
      ['a person', 200, (number: number) => sessionOf('p', `s-${number}`), sessionOf('other', 's')],
      ['a service', 500, (number: number) => serviceOf('c', `u-${number}`), serviceOf('other', 'u')],
      [
        'a user of services',
        200,
        (number: number) => serviceOf(`c-${number}`, 'p'),
        serviceOf('c-1', 'other')
      ]
    ] as const
    for (const [name, limit, callerAt, other] of cases) {
      const streams = createStreams(2000)
      const leaves: (() => void)[] = []
      const add = (caller: Caller) =>
        streams.add(caller, (leave) => {
          leaves.push(leave)
          return { changed() {}, end() {} }
        })
      for (let number = 0; number < limit; number += 1) add(callerAt(number))
      t.throws(() => add(callerAt(limit)), /too_many_calls/, `${name} beyond ${limit}`)
      add(other)
      leaves[0]?.()
      add(callerAt(limit))
      t.equal(streams.count, limit + 1, name)
    }
  }
)

t.test('on a small replica a person has as many streams as a session', async (t) => {
  const portal = await start(t, { LIVE_STREAMS: '20' })
  const person = await portal.as('partner.user')
  const otherBrowser = await signIn(portal.url, sandbox, 'partner.user')
  for (let number = 0; number < 3; number += 1)
    for (const browser of [person, otherBrowser]) t.equal((await follow(t, browser, '')).status, 200)
  for (const browser of [person, otherBrowser]) t.equal((await browser.call(EVENTS)).status, 429)
  t.equal((await follow(t, await portal.as('customer.user'), '')).status, 200)
})

t.test('a stream that cannot be opened takes no place', async (t) => {
  const streams = createStreams(10)
  const failing = () => {
    throw new Error('no stream')
  }
  t.throws(() => streams.add(sessionOf('p', 's'), failing), /no stream/)
  t.equal(streams.count, 0)
})

t.test('the answer begins at once, and no proxy stores, transforms or delays it', async (t) => {
  const portal = await start(t)
  const person = await portal.as('partner.user')
  const send = (path: string, init: RequestInit) =>
    person.call(path, { ...init, headers: { 'accept-encoding': 'gzip, br' } })
  const live = await listen(t, send, NORTHWIND_STREAM)
  const header = (name: string) => live.headers.get(name)
  t.equal(header('content-type'), 'text/event-stream; charset=utf-8')
  t.equal(header('cache-control'), 'no-store, no-transform')
  t.equal(header('x-accel-buffering'), 'no')
  t.equal(header('content-encoding'), null)
  t.equal(header('x-content-type-options'), 'nosniff')
  await live.has('roles')
  const [, retry] = /^:\nretry: (\d+)\n\n/.exec(live.text) ?? []
  t.ok(Number(retry) >= 1_000 && Number(retry) <= 5_000, live.text)
})

t.test('a stream ends at its longest time, and says when to connect again', async (t) => {
  const portal = await start(t, {}, { streamRotationMs: 100 })
  const live = await follow(t, await portal.as('partner.user'), '')
  t.equal(await live.end(), 'rotation')
  t.match(live.text, /retry: \d{4}\nevent: end\ndata: \{"reason":"rotation"\}\n\n$/)
})

t.test('a reader that is stuck is cut off', async (t) => {
  const closed = Promise.withResolvers<void>()
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(unreadAnswers, { unreadMs: 400 })
  app.get(EVENTS, async (_request, reply) => {
    openStream(reply, {
      confirm: async () => {},
      *present(): Generator<State> {
        for (let number = 0; number < 2_000; number += 1) {
          const data = { customerId: `c-${number}`, tag: 'x'.repeat(15_000) }
          yield { subject: data.customerId, tag: data.tag, event: { event: 'inventory', data } }
        }
      },
      onClose: closed.resolve,
      onSent: () => {},
      heartbeatMs: 60_000,
      rotationMs: 600_000
    })
    return reply
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  t.teardown(() => socket.destroy())
  socket.write(`GET ${EVENTS} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await closed.promise
  t.pass('the stream has closed')
})

t.test('a slow reader gets the newest state of each subject, and nothing is kept for it', async (t) => {
  const SUBJECTS = 2_000
  const padding = 'x'.repeat(15_000)
  const present = { version: 1 }
  const opened = Promise.withResolvers<{ changed: () => void; bytesKept: () => number }>()
  const app = Fastify()
  t.teardown(() => app.close())
  app.get(EVENTS, async (_request, reply) => {
    const stream = openStream(reply, {
      confirm: async () => {},
      *present(): Generator<State> {
        for (let number = 0; number < SUBJECTS; number += 1) {
          const data = { customerId: `c-${number}`, tag: `${present.version} ${padding}` }
          yield { subject: data.customerId, tag: data.tag, event: { event: 'inventory', data } }
        }
      },
      onClose: () => {},
      onSent: () => {},
      heartbeatMs: 60_000,
      rotationMs: 600_000
    })
    opened.resolve({ changed: stream.changed, bytesKept: () => reply.raw.writableLength })
    return reply
  })
  const url = await app.listen({ host: 'localhost', port: 0 })
  const aborter = new AbortController()
  t.teardown(() => aborter.abort())
  const { body } = await fetch(url + EVENTS, { signal: aborter.signal })
  const { changed, bytesKept } = await opened.promise
  await eventually(() => bytesKept() > 0)
  await settled(bytesKept)
  t.ok(bytesKept() < 256 * 1024, `${bytesKept()} bytes`)

  present.version = 2
  changed()
  const tags = new Map<string, string>()
  let received = 0
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^event: inventory\ndata: (.*)$/.exec(block)?.[1]
      if (data === undefined) continue
      received += 1
      const { customerId, tag } = JSON.parse(data)
      tags.set(customerId, tag.split(' ')[0])
    }
    if (tags.size === SUBJECTS && [...tags.values()].every((version) => version === '2')) break
  }
  t.ok(received < 2 * SUBJECTS, `${received} events`)
})
