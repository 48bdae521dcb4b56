// Shows a list that was drawn without the page's code until the page has come as far itself, and hands over what somebody
// has begun in it.
import { browser } from '../lib/browser.ts'

/** A link that somebody waits for is followed without the page's code when that does not come. */
const WAITED_MS = 10_000
const PRESS_ENDS = ['pointerup', 'pointercancel']

export function showUntilThere(list: HTMLElement): void {
  const root = document.getElementById('root')
  // Once the page's own code runs, it says what there is.
  if (root === null || root.querySelector('main') !== null) return
  let wanted: HTMLAnchorElement | null = null
  let pressed = false

  list.addEventListener('pointerdown', () => {
    pressed = true
  })
  for (const end of PRESS_ENDS) window.addEventListener(end, release)
  list.addEventListener('click', (event) => {
    const link = linkOf(event.target)
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    wanted = link
    list.setAttribute('aria-busy', 'true')
    setTimeout(() => list.isConnected && browser.leaveTo(link.href), WAITED_MS)
  })

  const watch = new MutationObserver(handOver)
  watch.observe(root, { childList: true, subtree: true })
  root.before(list)

  function release() {
    // The click comes after it.
    setTimeout(() => {
      pressed = false
      handOver()
    })
  }

  function handOver() {
    if (pressed || !list.isConnected || !isThere(root as HTMLElement)) return
    watch.disconnect()
    for (const end of PRESS_ENDS) window.removeEventListener(end, release)
    const focused = list.contains(document.activeElement) ? linkOf(document.activeElement) : null
    list.remove()
    if (focused) sameLink(focused)?.focus({ preventScroll: true })
    if (!wanted) return
    const link = sameLink(wanted)
    if (link) link.click()
    else browser.leaveTo(wanted.href)
  }
}

/** The page shows its list, or says why there is none. */
function isThere(root: HTMLElement): boolean {
  return root.querySelector('main h1') !== null && root.querySelector('main .skeleton') === null
}

function linkOf(target: EventTarget | null): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest('a') : null
}

function sameLink({ href }: HTMLAnchorElement): HTMLAnchorElement | undefined {
  return [...document.querySelectorAll<HTMLAnchorElement>('#root a')].find((link) => link.href === href)
}
