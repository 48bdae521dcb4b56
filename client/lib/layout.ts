// The layout of the frame. Style sheets read `data-layout`, not media queries, so that a flag can force the desktop layout.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { isPrinting } from './browser.ts'
import { recall, remember } from './storage.ts'

type Layout = 'desktop' | 'mobile'

const RAIL = 'portal.rail'
const MEDIA = {
  wide: '(min-width: 1024px)',
  tablet: '(min-width: 768px) and (pointer: coarse), (min-width: 768px) and (max-width: 1279.98px)',
  desk: '(min-width: 1280px)',
  roomy: '(min-width: 1440px)'
}
const store = createStore(() => ({
  /** The person's choice in this browser. */
  rail: recall<boolean>(RAIL),
  responsive: true,
  wide: true,
  tablet: false,
  desk: true,
  roomy: true
}))
type State = ReturnType<typeof store.getState>

const layoutOf = ({ responsive, wide }: State): Layout => (!responsive || wide ? 'desktop' : 'mobile')

/** Whether the menu shows icons only: on a smaller screen its names would take the space of a column. */
const railOf = ({ rail, roomy, responsive }: State): boolean => rail ?? (responsive && !roomy)

for (const [name, query] of Object.entries(MEDIA)) {
  const media = globalThis.window?.matchMedia(query)
  // On paper a page keeps the layout of its window.
  const update = () => media && !isPrinting() && store.setState({ [name]: media.matches })
  update()
  media?.addEventListener('change', update)
}
store.subscribe((state) => {
  const { dataset } = document.documentElement
  document.documentElement.toggleAttribute('data-rail', railOf(state))
  if (dataset.layout !== layoutOf(state)) dataset.layout = layoutOf(state)
})

/** With enableMobileResponsive off, every screen has the desktop layout, and phones zoom out. */
export function setResponsive(responsive: boolean): void {
  const viewport = responsive ? 'width=device-width, initial-scale=1' : 'width=1280'
  document.querySelector('meta[name="viewport"]')?.setAttribute('content', viewport)
  document.documentElement.toggleAttribute('data-fixed-layout', !responsive)
  store.setState({ responsive })
}

export function useLayout(): Layout {
  return useStore(store, layoutOf)
}

/** Whether the sidebar is next to the page; otherwise it is a drawer. */
export function useSidebar(): boolean {
  return useStore(store, ({ responsive, desk }) => !responsive || desk)
}

/** Whether the sidebar shows icons only. */
export function useRail(): boolean {
  return useStore(store, railOf)
}

export function chooseRail(rail: boolean): void {
  store.setState({ rail })
  remember(RAIL, rail)
}

export function useTablet(): boolean {
  return useStore(store, ({ responsive, tablet }) => responsive && tablet)
}
