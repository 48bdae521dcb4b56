import '../../../support/client/dom.ts'
import '../../../support/client/patience.ts'
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { NewVersion } from '#client/app/session/new-version.tsx'
import { browser } from '#client/lib/browser.ts'
import { type Answer, problem, startGateway } from '../../../support/client/gateway.ts'

const INDEX = '/index.html'
const QUARTER_HOUR_MS = 15 * 60_000

const indexOf = (script: string) =>
  new Response(`<!doctype html><script type="module" crossorigin src="${script}"></script>`)
const SAME = indexOf('/assets/main-old.js')
const NEWER = indexOf('/assets/main-new.js')

/** A page of the build `main-old.js`, with a clock that the test moves. */
function openPage(t: Test, served: Answer, built = true) {
  const gateway = startGateway({ [INDEX]: served })
  const realNow = performance.now
  let nowMs = 1_000
  performance.now = () => nowMs
  mock.timers.enable({ apis: ['setInterval'] })
  const left: string[] = []
  browser.reload = () => left.push('reload')
  const script = document.createElement('script')
  Object.assign(script, { type: 'module', src: '/assets/main-old.js' })
  if (built) document.head.append(script)
  const view = render(<NewVersion />)
  t.teardown(() => {
    cleanup()
    script.remove()
    mock.timers.reset()
    performance.now = realNow
    gateway.stop()
  })
  return {
    ...view,
    left,
    gateway,
    asked: () => gateway.calls.length,
    pass: (ms: number) =>
      act(async () => {
        nowMs += ms
        mock.timers.tick(ms)
      }),
    sleep: (ms: number) => {
      nowMs += ms
    },
    lookAt: () => act(async () => void fireEvent(document, new window.Event('visibilitychange'))),
    missPart: () => act(async () => void fireEvent(window, new window.Event('vite:preloadError')))
  }
}

const strip = 'There is a new version of the portal.'

t.test('does not check within a quarter of an hour, or while the page is hidden', async (t) => {
  const { asked, pass, sleep, lookAt } = openPage(t, NEWER)
  await pass(QUARTER_HOUR_MS - 1)
  await lookAt()
  t.equal(asked(), 0)
  Object.defineProperty(document, 'hidden', { configurable: true, value: true })
  t.teardown(() => Object.defineProperty(document, 'hidden', { configurable: true, value: false }))
  await pass(1)
  sleep(QUARTER_HOUR_MS)
  await lookAt()
  t.equal(asked(), 0)
})

const unknown: [what: string, served: Answer][] = [
  ['the same build', SAME],
  ['a gateway that fails', () => problem(503)],
  ['an unreachable gateway', () => Promise.reject(new TypeError('fetch failed'))],
  ['a page that names no build', () => new Response('<!doctype html><p>Maintenance</p>')]
]
for (const [what, served] of unknown) {
  t.test(`ignores ${what} and checks again`, async (t) => {
    const { asked, pass, gateway, queryByText, findByText } = openPage(t, served)
    await pass(QUARTER_HOUR_MS)
    await waitFor(() => assert.equal(asked(), 1))
    t.equal(queryByText(strip), null)
    gateway.answers[INDEX] = NEWER
    await pass(QUARTER_HOUR_MS)
    await findByText(strip)
  })
}

t.test('reports a newer build when the page shows again, and Reload loads it', async (t) => {
  const { asked, pass, sleep, lookAt, findByText, getByRole, left } = openPage(t, NEWER)
  sleep(QUARTER_HOUR_MS)
  await lookAt()
  const said = await findByText(strip)
  t.ok(said.closest('[role=status]'))
  fireEvent.click(getByRole('button', { name: 'Reload' }))
  t.same(left, ['reload'])
  await pass(QUARTER_HOUR_MS)
  await lookAt()
  t.equal(asked(), 1)
})

t.test('checks at once when a part of the page cannot be loaded', async (t) => {
  const { missPart, findByText } = openPage(t, NEWER)
  await missPart()
  t.ok(await findByText(strip))
})

t.test('does not check without a build, as in development', async (t) => {
  const { asked, pass, missPart } = openPage(t, NEWER, false)
  await pass(QUARTER_HOUR_MS)
  await missPart()
  t.equal(asked(), 0)
})
