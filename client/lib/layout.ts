// Two layouts, told to the style sheets by `data-layout`, so that the flag of §1 can hold the desktop one.
import { useSyncExternalStore } from 'react'

export type Layout = 'desktop' | 'mobile'

const WIDE = '(min-width: 1024px)'
const listeners = new Set<() => void>()
let responsive = true
// Every clipped name asks for the layout: one query for all of them, its answer kept until it changes.
let media: MediaQueryList | undefined
let layout: Layout | undefined

function currentLayout(): Layout {
  layout ??= !responsive || wide().matches ? 'desktop' : 'mobile'
  return layout
}

function wide(): MediaQueryList {
  if (!media) {
    media = window.matchMedia(WIDE)
    media.addEventListener('change', announce)
  }
  return media
}

function announce() {
  layout = undefined
  const { dataset } = document.documentElement
  if (dataset.layout !== currentLayout()) dataset.layout = currentLayout()
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
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLayout(): Layout {
  return useSyncExternalStore(subscribe, currentLayout)
}
