// Links within the portal: a plain click is the router's, everything else the browser's.
import './dom.ts'

import { cleanup, fireEvent, render } from '@testing-library/react'
import t from 'tap'
import { PrefetchLink, WaysContext } from '#client/components/prefetch-link.tsx'

function shown(to: string, target?: string) {
  const went: [to: string, replace: boolean, state: unknown][] = []
  const fetched: string[] = []
  const ways = {
    go: (address: string, { replace, state }: { replace: boolean; state: unknown }) =>
      went.push([address, replace, state]),
    prefetch: (address: string) => fetched.push(address)
  }
  const { getByRole } = render(
    <WaysContext value={ways}>
      <PrefetchLink to={to} state="told" {...(target ? { target } : {})}>
        There
      </PrefetchLink>
    </WaysContext>
  )
  return { link: getByRole('link'), went, fetched }
}

/** Whether the browser would follow it; here there is nowhere to go. */
function isFollowed(link: HTMLElement, how: object = {}): boolean {
  let followed = false
  const look = (event: Event) => {
    followed = !event.defaultPrevented
    event.preventDefault()
  }
  window.addEventListener('click', look, { once: true })
  fireEvent.click(link, how)
  return followed
}

t.afterEach(() => cleanup())

t.test('another tab, a window, a download and a menu are left to the browser', async (t) => {
  const { link, went } = shown('/users')
  for (const how of [
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
    { altKey: true },
    { button: 1 },
    { button: 2 }
  ])
    t.ok(isFollowed(link, how), JSON.stringify(how))
  cleanup()
  t.ok(isFollowed(shown('/users', '_blank').link), 'a link that says so itself')
  t.strictSame(went, [])
})

t.test('a plain click goes there, with what the screen is told', async (t) => {
  const { link, went } = shown('/users?q=a')
  t.equal(link.getAttribute('href'), '/users?q=a', 'the address can be copied')
  t.notOk(isFollowed(link), 'and the browser does not follow it')
  t.strictSame(went, [['/users?q=a', false, 'told']])
})

t.test('a link to the address that shows adds nothing to the history', async (t) => {
  const { link, went } = shown(`${window.location.pathname}${window.location.search}`)
  fireEvent.click(link)
  t.equal(went[0]?.[1], true)
})

t.test('pointing at it, or coming to it by key, fetches the code of its screen', async (t) => {
  const { link, fetched } = shown('/reports')
  fireEvent.pointerEnter(link)
  fireEvent.focus(link)
  t.strictSame([...new Set(fetched)], ['/reports'])
})
