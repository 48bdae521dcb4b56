// A page that has been open while a newer build was deployed: it says so, and is in nobody's way until then.
import './dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { type Answer, card, problem } from './gateway.ts'
import { openPortal } from './portal.tsx'

const INDEX = '/index.html'
const QUARTER_HOUR_MS = 15 * 60_000
const page = { number: 0, size: 20, totalPages: 1, totalElements: 1 }
const CUSTOMERS = '/api/portal/v1/organizations/1/customers'

const indexOf = (script: string) =>
  new Response(`<!doctype html><script type="module" crossorigin src="${script}"></script>`)
const SAME = indexOf('/assets/main-old.js')
const NEWER = indexOf('/assets/main-new.js')

/** A page of the build `main-old.js`, whose watch over the version has begun; its clock stands still until it is moved. */
async function openPage(t: Test, served: Answer, built = true) {
  let nowMs = 1_000
  t.intercept(performance, 'now', { value: () => nowMs })
  const everyQuarter: (() => void)[] = []
  const begin = globalThis.setInterval
  const noted = (work: () => void, ms?: number) => {
    if (ms === QUARTER_HOUR_MS) everyQuarter.push(work)
    return begin(work, ms)
  }
  t.intercept(globalThis, 'setInterval', { value: noted })
  const script = document.createElement('script')
  Object.assign(script, { type: 'module', src: '/assets/main-old.js' })
  if (built) document.head.append(script)
  const portal = openPortal(t, '/', { [CUSTOMERS]: { items: [card('9')], page }, [INDEX]: served })
  t.teardown(() => script.remove())
  await portal.findByText('Customer 9')
  if (built) await waitFor(() => assert.ok(everyQuarter.length > 0))
  return {
    ...portal,
    asked: () => portal.callsTo(INDEX).length,
    wait: (ms: number) => {
      nowMs += ms
    },
    /** The timer, which fires every quarter of an hour. */
    fire: () => act(async () => everyQuarter.at(-1)?.()),
    lookAt: () => act(async () => void fireEvent(document, new window.Event('visibilitychange'))),
    missPart: () => act(async () => void fireEvent(window, new window.Event('vite:preloadError')))
  }
}

const strip = 'There is a new version of the portal.'

t.test('the same build says nothing, however long the page is open', async (t) => {
  const { asked, wait, fire, queryByText } = await openPage(t, SAME)
  for (const times of [1, 2, 3]) {
    wait(QUARTER_HOUR_MS)
    await fire()
    await waitFor(() => assert.equal(asked(), times))
  }
  t.equal(queryByText(strip), null)
})

t.test(
  'it is not asked before a quarter of an hour has passed, and not by a page nobody looks at',
  async (t) => {
    const { asked, wait, lookAt, fire } = await openPage(t, NEWER)
    wait(QUARTER_HOUR_MS - 1)
    await lookAt()
    t.equal(asked(), 0)
    wait(1)
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    t.teardown(() => Object.defineProperty(document, 'hidden', { configurable: true, value: false }))
    await fire()
    await lookAt()
    t.equal(asked(), 0)
  }
)

const untold: [what: string, served: Answer][] = [
  ['a gateway that fails', () => problem(503)],
  ['a gateway out of reach', () => Promise.reject(new TypeError('fetch failed'))],
  ['a page that names no build', () => new Response('<!doctype html><p>Maintenance</p>')]
]
for (const [what, served] of untold) {
  t.test(`${what} is no new version, and is asked again`, async (t) => {
    const { asked, wait, fire, gateway, queryByText, findByText } = await openPage(t, served)
    wait(QUARTER_HOUR_MS)
    await fire()
    await waitFor(() => assert.equal(asked(), 1))
    t.equal(queryByText(strip), null)
    gateway.answers[INDEX] = NEWER
    wait(QUARTER_HOUR_MS)
    await fire()
    await findByText(strip)
  })
}

t.test('a newer build is said when the page is looked at again, and Reload fetches it', async (t) => {
  const { asked, wait, lookAt, findByText, getByRole, left } = await openPage(t, NEWER)
  wait(QUARTER_HOUR_MS)
  await lookAt()
  const said = await findByText(strip)
  t.ok(said.closest('[role=status]'), 'and read out')
  fireEvent.click(getByRole('button', { name: 'Reload' }))
  t.same(left, ['reload'])
  wait(QUARTER_HOUR_MS)
  await lookAt()
  t.equal(asked(), 1, 'it is known now')
})

t.test('a part of the page that cannot be fetched any more makes it ask at once', async (t) => {
  const { missPart, findByText } = await openPage(t, NEWER)
  await missPart()
  await findByText(strip)
})

t.test('without a build, as in development, nothing is asked', async (t) => {
  const { asked, wait, lookAt, missPart } = await openPage(t, NEWER, false)
  wait(QUARTER_HOUR_MS)
  await lookAt()
  await missPart()
  t.equal(asked(), 0)
})
