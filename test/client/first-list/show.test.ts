import '../../support/client/dom.ts'
import t, { type Test } from 'tap'
import { element } from '#client/first-list/element.ts'
import { showUntilThere } from '#client/first-list/show.ts'
import { browser } from '#client/lib/browser.ts'

const LINKS = ['/customers/1', '/customers/2']
const listOf = () =>
  element('div', { id: 'first-list' }, ...LINKS.map((href) => element('a', { href }, `first ${href}`)))
const shown = () => document.getElementById('first-list')
const inList = (href: string) => document.querySelector<HTMLElement>(`#first-list [href="${href}"]`)
const inPage = (href: string) => document.querySelector<HTMLElement>(`#root [href="${href}"]`)

/** A page whose code is on its way, and what people are led to. */
function start(t: Test) {
  document.body.replaceChildren(element('div', { id: 'root' }, element('div', { class: 'brand' })))
  const led: string[] = []
  t.capture(browser, 'leaveTo', (url: string) => void led.push(url))
  const root = document.getElementById('root') as HTMLElement
  const say = async (html: string) => {
    root.innerHTML = html
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    led,
    /** The page is drawn up to its places. */
    begins: () => say('<main><h1>Meridian</h1><span class="skeleton"></span></main>'),
    lists: (links: readonly string[] = LINKS) =>
      say(`<main><h1>Meridian</h1>${links.map((href) => `<a href="${href}">${href}</a>`).join('')}</main>`)
  }
}

/** Whether the browser may follow the link itself. */
function click(target: HTMLElement | null, init: MouseEventInit = {}): boolean {
  let followed = false
  const last = (event: MouseEvent) => {
    followed = !event.defaultPrevented
    event.preventDefault()
  }
  window.addEventListener('click', last)
  target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }))
  window.removeEventListener('click', last)
  return followed
}
const tell = (type: string, target: EventTarget | null) =>
  target?.dispatchEvent(new window.Event(type, { bubbles: true }))
const afterTimers = () => new Promise((resolve) => setTimeout(resolve, 5))

t.test('nothing is shown once the page says something itself', async (t) => {
  const page = start(t)
  await page.begins()
  showUntilThere(listOf())
  t.equal(shown(), null)
})

t.test(
  'it stays while the page shows places, and goes when that shows its list or why there is none',
  async (t) => {
    for (const links of [LINKS, []]) {
      const page = start(t)
      showUntilThere(listOf())
      await page.begins()
      t.ok(shown())
      await page.lists(links)
      t.equal(shown(), null)
    }
  }
)

t.test('a link that was clicked is followed by the page, once', async (t) => {
  const page = start(t)
  showUntilThere(listOf())
  t.equal(click(inList('/customers/2')), false, 'the browser does not')
  t.equal(shown()?.getAttribute('aria-busy'), 'true')
  await page.begins()
  const followed: string[] = []
  document.getElementById('root')?.addEventListener('click', (event) => {
    followed.push(String((event.target as HTMLElement).getAttribute('href')))
    event.preventDefault()
  })
  await page.lists()
  t.same(followed, ['/customers/2'])
  t.same(page.led, [])
})

t.test('a link that the page has not is followed all the same', async (t) => {
  const page = start(t)
  showUntilThere(listOf())
  click(inList('/customers/2'))
  await page.lists(['/customers/1'])
  t.same(page.led, ['http://localhost/customers/2'])
})

t.test('a link waits ten seconds for the code of the page, and no longer', async (t) => {
  const page = start(t)
  const timers: [work: () => void, ms: number][] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms: number) => void timers.push([work, ms])
  })
  showUntilThere(listOf())
  click(inList('/customers/1'))
  const [[work, ms] = [() => {}, 0]] = timers
  t.equal(ms, 10_000)
  work()
  t.same(page.led, ['http://localhost/customers/1'])
})

t.test('what opens a tab of its own, and a click beside the links, is the browser’s', async (t) => {
  start(t)
  showUntilThere(listOf())
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])
    t.equal(click(inList('/customers/1'), { [key]: true }), true, key)
  t.equal(click(shown()), true)
  t.equal(shown()?.getAttribute('aria-busy'), null)
})

t.test('a link that is being pressed stays under the finger', async (t) => {
  const page = start(t)
  showUntilThere(listOf())
  tell('pointerdown', inList('/customers/1'))
  await page.lists()
  t.ok(shown())
  tell('pointerup', window)
  t.ok(shown(), 'the click is still to come')
  await afterTimers()
  t.equal(shown(), null)
})

t.test('who is at a link by keyboard is at the same one of the page', async (t) => {
  const page = start(t)
  showUntilThere(listOf())
  inList('/customers/2')?.focus()
  await page.lists()
  t.equal(document.activeElement, inPage('/customers/2'))
})

t.test('the focus of nobody is moved', async (t) => {
  const page = start(t)
  showUntilThere(listOf())
  await page.lists()
  t.equal(document.activeElement, document.body)
})
