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
const SAME_BUILD = indexOf('/assets/main-old.js')
const NEWER_BUILD = indexOf('/assets/main-new.js')

/** A page of the build `main-old.js`, with a clock that the test moves. */
function openPage(t: Test, indexAnswer: Answer, built = true) {
  const gateway = startGateway({ [INDEX]: indexAnswer })
  const { now } = Date
  let passedMs = 0
  t.intercept(Date, 'now', { value: () => now() + passedMs })
  const reloads: string[] = []
  browser.reload = () => reloads.push('reload')
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
    reloads,
    gateway,
    indexCalls: () => gateway.calls.length,
    showPageAfter: (ms: number) => {
      passedMs += ms
      // SWR passes the event to `setTimeout` as the delay.
      const shown = Object.assign(new window.Event('visibilitychange'), { valueOf: () => 0 })
      return act(async () => void fireEvent(document, shown))
    },
    failPreload: () => act(async () => void fireEvent(window, new window.Event('vite:preloadError')))
  }
}

const STRIP_TEXT = 'There is a new version of the portal.'

t.test('does not check in the first quarter of an hour, or while the page is hidden', async (t) => {
  const { indexCalls, showPageAfter } = openPage(t, NEWER_BUILD)
  await showPageAfter(QUARTER_HOUR_MS - 1_000)
  t.equal(indexCalls(), 0)
  t.intercept(document, 'visibilityState', { value: 'hidden' })
  await showPageAfter(2_000)
  t.equal(indexCalls(), 0)
})

const ignoredAnswers: [what: string, indexAnswer: Answer][] = [
  ['the same build', SAME_BUILD],
  ['a gateway that fails', () => problem(503)],
  ['an unreachable gateway', () => Promise.reject(new TypeError('fetch failed'))],
  ['a page that names no build', () => new Response('<!doctype html><p>Maintenance</p>')]
]
for (const [what, indexAnswer] of ignoredAnswers) {
  t.test(`ignores ${what} and checks again`, async (t) => {
    const { indexCalls, showPageAfter, gateway, queryByText, findByText } = openPage(t, indexAnswer)
    await showPageAfter(QUARTER_HOUR_MS + 1)
    await waitFor(() => assert.equal(indexCalls(), 1))
    t.notOk(queryByText(STRIP_TEXT))
    gateway.answers[INDEX] = NEWER_BUILD
    await showPageAfter(QUARTER_HOUR_MS + 1)
    await findByText(STRIP_TEXT)
  })
}

t.test('reports a newer build when the page shows again; “Reload” loads the new build', async (t) => {
  const { showPageAfter, findByText, getByRole, reloads } = openPage(t, NEWER_BUILD)
  await showPageAfter(QUARTER_HOUR_MS + 1)
  const message = await findByText(STRIP_TEXT)
  t.ok(message.closest('[role=status]'))
  fireEvent.click(getByRole('button', { name: 'Reload' }))
  t.same(reloads, ['reload'])
})

t.test('checks at once when a part of the page cannot be loaded', async (t) => {
  const { failPreload, findByText } = openPage(t, NEWER_BUILD)
  await failPreload()
  t.ok(await findByText(STRIP_TEXT))
})

t.test('does not check in development, where the page has no build', async (t) => {
  const { indexCalls, showPageAfter, failPreload } = openPage(t, NEWER_BUILD, false)
  await showPageAfter(QUARTER_HOUR_MS + 1)
  await failPreload()
  t.equal(indexCalls(), 0)
})
