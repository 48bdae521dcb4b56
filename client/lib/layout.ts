// Two layouts, told to the style sheets by `data-layout`, so that the flag of §1 can hold the desktop one.
import { useSyncExternalStore } from 'react'

export type Layout = 'desktop' | 'mobile'

const WIDE = '(min-width: 1024px)'
const listeners = new Set<() => void>()
let responsive = true

function currentLayout(): Layout {
  return !responsive || window.matchMedia(WIDE).matches ? 'desktop' : 'mobile'
}

function announce() {
  document.documentElement.dataset.layout = currentLayout()
  for (const listener of listeners) listener()
}

/** With enableMobileResponsive off every screen is shown as on a desktop, phones zoom out to it. */
export function setResponsive(on: boolean): void {
  responsive = on
  const viewport = on ? 'width=device-width, initial-scale=1' : 'width=1280'
  document.querySelector('meta[name="viewport"]')?.setAttribute('content', viewport)
  document.documentElement.toggleAttribute('data-fixed-layout', !on)
  announce()
}

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(WIDE)
  listeners.add(listener)
  media.addEventListener('change', announce)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) media.removeEventListener('change', announce)
  }
}

export function useLayout(): Layout {
  return useSyncExternalStore(subscribe, currentLayout)
}
