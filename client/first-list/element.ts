// Makes elements without the library that makes the page: it is still on its way.
import { clipped } from '../lib/format.ts'

export type Child = Node | string | null

/** An element with those attributes that are set; children that are null are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, value)
  made.append(...children.filter((child) => child !== null))
  return made
}

/** The room of an icon. */
export function iconPlace(): Element {
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  icon.setAttribute('class', 'lucide')
  icon.setAttribute('width', '24')
  icon.setAttribute('height', '24')
  return icon
}

/** The room of tools, which need the page's code. */
export const toolsPlace = () => element('div', { class: 'tools-place' })

/** See ui/clipped-text.tsx. */
export function clippedText(text: string): Child {
  const layout = document.documentElement.dataset.layout === 'mobile' ? 'mobile' : 'desktop'
  const short = clipped(text, layout)
  if (short === null) return text
  return element(
    'span',
    { class: 'clipped', title: text },
    element('span', { 'aria-hidden': 'true' }, short),
    element('span', { class: 'sr-only' }, text)
  )
}
