import '../../../support/client/dom.ts'
import '../../../support/client/patience.ts'
import assert from 'node:assert/strict'
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
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
  const { now } = Date
  let passedMs = 0
  t.intercept(Date, 'now', { value: () => now() + passedMs })
  const left: string[] = []
  browser.reload = () => left.push('reload')
  const script = document.createElement('script')
  Object.assign(script, { type: 'module', src: '/assets/main-old.js' })
  if (built) document.head.append(script)
  const view = render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <NewVersion />
    </SWRConfig>
  )
  t.teardown(() => {
    cleanup()
    script.remove()
    gateway.stop()
  })
  return {
    ...view,
    left,
    gateway,
    asked: () => gateway.calls.length,
    lookAfter: (ms: number) => {
      passedMs += ms
      // SWR passes the event to `setTimeout` as the delay.
      const shown = Object.assign(new window.Event('visibilitychange'), { valueOf: () => 0 })
      return act(async () => void fireEvent(document, shown))
    },
    missPart: () => act(async () => void fireEvent(window, new window.Event('vite:preloadError')))
  }
}

const strip = 'There is a new version of the portal.'

t.test('does not check within a quarter of an hour, or while the page is hidden', async (t) => {
  const { asked, lookAfter } = openPage(t, NEWER)
  await lookAfter(QUARTER_HOUR_MS - 1_000)
  t.equal(asked(), 0)
  t.intercept(document, 'visibilityState', { value: 'hidden' })
  await lookAfter(2_000)
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
    const { asked, lookAfter, gateway, queryByText, findByText } = openPage(t, served)
    await lookAfter(QUARTER_HOUR_MS + 1)
    await waitFor(() => assert.equal(asked(), 1))
    t.equal(queryByText(strip), null)
    gateway.answers[INDEX] = NEWER
    await lookAfter(QUARTER_HOUR_MS + 1)
    await findByText(strip)
  })
}

t.test('reports a newer build when the page shows again, and Reload loads it', async (t) => {
  const { lookAfter, findByText, getByRole, left } = openPage(t, NEWER)
  await lookAfter(QUARTER_HOUR_MS + 1)
  const said = await findByText(strip)
  t.ok(said.closest('[role=status]'))
  fireEvent.click(getByRole('button', { name: 'Reload' }))
  t.same(left, ['reload'])
})

t.test('checks at once when a part of the page cannot be loaded', async (t) => {
  const { missPart, findByText } = openPage(t, NEWER)
  await missPart()
  t.ok(await findByText(strip))
})

t.test('does not check without a build, as in development', async (t) => {
  const { asked, lookAfter, missPart } = openPage(t, NEWER, false)
  await lookAfter(QUARTER_HOUR_MS + 1)
  await missPart()
  t.equal(asked(), 0)
})
