// A document for component tests. Import this file first, because React reads the document when React loads. Replaces media
// queries, intersections, modal dialogs and popovers, which jsdom lacks.
import { createRequire } from 'node:module'
import { JSDOM } from 'jsdom'

const page = '<!doctype html><html lang="en"><head><meta name="viewport"></head><body></body></html>'
const { window } = new JSDOM(page, { url: 'http://localhost/' })
const target = globalThis as unknown as Record<string, unknown>
const source = window as unknown as Record<string, unknown>

export const display = {
  wide: true,
  tablet: false,
  dark: false,
  watched: new Set<(inView: boolean) => void>()
}

const mediaListeners = new Set<() => void>()

export function setDisplay(change: { wide?: boolean; tablet?: boolean; dark?: boolean }): void {
  Object.assign(display, change)
  for (const listener of mediaListeners) listener()
}

source.matchMedia = (query: string) => ({
  get matches() {
    if (query.includes('dark')) return display.dark
    if (query.includes('coarse')) return display.tablet
    return query.includes('min-width') && display.wide
  },
  addEventListener: (_type: string, listener: () => void) => mediaListeners.add(listener),
  removeEventListener: (_type: string, listener: () => void) => mediaListeners.delete(listener)
})

source.IntersectionObserver = class {
  readonly #report: (inView: boolean) => void
  constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
    this.#report = (isIntersecting) => callback([{ isIntersecting }])
  }
  observe() {
    display.watched.add(this.#report)
  }
  disconnect() {
    display.watched.delete(this.#report)
  }
}

Object.defineProperty(window.document, 'hidden', { value: false, configurable: true })
source.scrollTo = () => {}
window.Element.prototype.scrollIntoView = () => {}
window.HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true
}
window.HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.open = false
}

const shownPopovers = new Set<HTMLElement>()

/** The browser tells of a popover before it shows, gives the focus, and tells of it again. */
function togglePopover(element: HTMLElement, newState: 'open' | 'closed'): void {
  if ((newState === 'open') === shownPopovers.has(element)) return
  const event = (type: string) => Object.assign(new window.Event(type), { newState })
  element.dispatchEvent(event('beforetoggle'))
  if (newState === 'open') shownPopovers.add(element)
  else shownPopovers.delete(element)
  element.style.display = newState === 'open' ? 'block' : 'none'
  if (newState === 'open') element.querySelector<HTMLElement>('[autofocus]')?.focus()
  element.dispatchEvent(event('toggle'))
}

window.HTMLElement.prototype.showPopover = function (this: HTMLElement) {
  togglePopover(this, 'open')
}
window.HTMLElement.prototype.hidePopover = function (this: HTMLElement) {
  togglePopover(this, 'closed')
}

const buttonOf = (element: HTMLElement) =>
  window.document.querySelector<HTMLElement>(`[popovertarget="${element.id}"]`)
const automatic = () =>
  [...shownPopovers].filter(({ isConnected, popover }) => isConnected && popover !== 'manual')

window.document.addEventListener('click', ({ target }) => {
  const id = (target as HTMLElement).closest('[popovertarget]')?.getAttribute('popovertarget')
  const element = id ? window.document.getElementById(id) : null
  if (element) togglePopover(element, shownPopovers.has(element) ? 'closed' : 'open')
})
window.document.addEventListener('pointerdown', ({ target }) => {
  for (const element of automatic())
    if (![element, buttonOf(element)].some((part) => part?.contains(target as Node)))
      togglePopover(element, 'closed')
})
window.document.addEventListener('keydown', ({ key }) => {
  const element = key === 'Escape' ? automatic().at(-1) : undefined
  if (!element) return
  togglePopover(element, 'closed')
  buttonOf(element)?.focus()
})

target.window = window
// Tests wait for visible results instead of wrapping every answer in act().
target.IS_REACT_ACT_ENVIRONMENT = false
for (const key of Object.getOwnPropertyNames(window)) {
  const keepsNodeValue = key in globalThis && key !== 'navigator'
  if (!keepsNodeValue) Object.defineProperty(globalThis, key, { configurable: true, get: () => source[key] })
}

// React's development build would record each render for a profiler, and where each element is created for a debugger. Both take
// a quarter of a test's time. Its warnings stay, without the stack of the elements around.
Object.assign(console, { timeStamp: undefined, createTask: undefined })
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: react } = createRequire(
  import.meta.url
)('react')
Object.defineProperty(react, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })

export const textsOf = (elements: Iterable<Element>) => Array.from(elements, ({ textContent }) => textContent)

const print = console.error
console.error = (...words: unknown[]) => {
  print(...words)
  process.exitCode = 1
}
