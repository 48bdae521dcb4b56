import '../../../support/client/dom.ts'
import { mock } from 'node:test'
import { act, cleanup, render } from '@testing-library/react'
import t, { type Test } from 'tap'
import { ConnectionStrip } from '#client/app/frame/banners.tsx'
import { connection, noteBack, noteLost } from '#client/lib/http/connection.ts'
import { request } from '#client/lib/http/request.ts'
import { toasts } from '#client/ui/state/toasts.ts'
import { startGateway } from '../../../support/client/gateway.ts'
import { settle } from '../../../support/client/settle.ts'

const SESSION = '/auth/session'
const SIGNED_IN = { authenticated: true, expires_in: 1800, expired: false }
const networkError = () => Promise.reject(new TypeError('failed'))
const proxyError = () => new Response('<h1>Bad Gateway</h1>', { status: 502 })

async function callApi() {
  await request('/api/x').catch(() => {})
  await settle()
}

async function wait(ms: number) {
  mock.timers.tick(ms)
  await settle()
}

function openStrip(t: Test, answers: Record<string, unknown>) {
  const gateway = startGateway(answers)
  mock.timers.enable({ apis: ['setTimeout'] })
  let reloads = 0
  const countReload = () => {
    reloads += 1
  }
  window.addEventListener('online', countReload)
  const view = render(<ConnectionStrip />)
  t.teardown(() => {
    mock.timers.reset()
    window.removeEventListener('online', countReload)
    cleanup()
    noteBack()
    toasts.forget()
    gateway.stop()
  })
  const toastTexts = () => toasts.read().shown.map(({ text }) => text)
  return { ...view, gateway, toastTexts, reloads: () => reloads }
}

for (const [what, answer] of [
  ['that was cut off', networkError],
  ['that a load balancer answered', proxyError]
] as const) {
  t.test(`one call ${what} does not report a lost connection`, async (t) => {
    const strip = openStrip(t, { '/api/x': answer, [SESSION]: SIGNED_IN })
    await callApi()
    t.equal(connection.getState().state, 'fine')
    t.notOk(strip.queryByText(/Reconnecting/))
    t.same(strip.toastTexts(), [])
    t.equal(strip.reloads(), 0)
  })
}

t.test('makes no call while the browser is offline', async (t) => {
  t.intercept(navigator, 'onLine', { value: false })
  const strip = openStrip(t, {})
  act(noteLost)
  t.ok(strip.getByText(/You are offline/))
  t.same(strip.gateway.calls, [])
})

t.test('retries after growing pauses, reports the connection and reloads the data', async (t) => {
  const strip = openStrip(t, { '/api/x': networkError, [SESSION]: networkError })
  await callApi()
  t.ok(strip.getByText(/Reconnecting…/))
  const sessionCalls = () => strip.gateway.calls.filter(({ path }) => path === SESSION).length
  t.equal(sessionCalls(), 1)
  for (const [ms, calls] of [
    [1_250, 2],
    [1_250, 2],
    [1_250, 3]
  ] as const) {
    await wait(ms)
    t.equal(sessionCalls(), calls)
  }
  t.same(strip.toastTexts(), [])
  strip.gateway.answers[SESSION] = SIGNED_IN
  await wait(5_000)
  t.notOk(strip.queryByText(/Reconnecting/))
  t.same(strip.toastTexts(), ['Connected again.'])
  t.equal(strip.reloads(), 1)
})

t.test('the first good answer of any call ends the report and reloads the data', async (t) => {
  const strip = openStrip(t, { '/api/x': networkError, [SESSION]: networkError })
  await callApi()
  t.ok(strip.getByText(/Reconnecting…/))
  strip.gateway.answers['/api/x'] = { name: 'x' }
  await callApi()
  t.notOk(strip.queryByText(/Reconnecting/))
  t.same(strip.toastTexts(), ['Connected again.'])
  t.equal(strip.reloads(), 1)
  await wait(30_000)
  t.equal(strip.gateway.calls.filter(({ path }) => path === SESSION).length, 1, 'the check has ended')
})
