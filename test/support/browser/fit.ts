// What does not fit on a page: text over text, broken words, cut text, targets that are too small, sideways scrolling.
import type { Page } from 'playwright-core'
import { calm } from './calm.ts'
import { waitsForAnswers } from './traffic.ts'

/** The narrowest width of each layout (client/lib/layout.ts), and a wide one. */
const WIDTHS = { mouse: [1024, 1280, 1920], touch: [320, 768] } as const
const HEIGHT = 900

/** Least sizes of targets: WCAG 2.5.8 for a mouse, 2.5.5 for a finger. */
const TARGET = { mouse: 24, touch: 44 } as const
type Pointer = keyof typeof TARGET

/** Each as "what: text at element (widths)", at all widths of the pointer. */
export async function misfits(page: Page, pointer: Pointer): Promise<string[]> {
  const at = new Map<string, number[]>()
  for (const width of WIDTHS[pointer]) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const what of await misfitsNow(page, pointer)) at.set(what, [...(at.get(what) ?? []), width])
  }
  return [...at].map(([what, where]) => `${what} (${pointer}, ${where.join(', ')})`)
}

/** The same at the current width. */
export async function misfitsNow(page: Page, pointer: Pointer): Promise<string[]> {
  const least = TARGET[pointer]
  const found = await page.evaluate(look, least)
  if (found.length === 0 && !waitsForAnswers(page)) return found
  await calm(page)
  return page.evaluate(look, least)
}

/** In the page. */
async function look(least: number): Promise<string[]> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)

  interface Box {
    left: number
    top: number
    right: number
    bottom: number
  }
  interface Ink extends Box {
    from: Node
    layer: Element
    text: string
  }
  /** What an ancestor leaves in sight; the rest is cut, or can be scrolled to. */
  interface Clip extends Box {
    by: Element | null
    /** The box of that ancestor alone: what lies around it may scroll. */
    own: Box
    cuts: boolean
  }
  const EVERYWHERE = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 }
  const TARGETS =
    'a[href], button, input, select, textarea, summary, [role="link"], [role="button"], [role="option"], [role^="menuitem"]'
  /** What is longer is a mail address or an identifier, and may be broken: there are screens that it fits on nowhere. */
  const WORD = 20
  const LEAST_CLIPPED = 32

  const found = new Set<string>()
  const inks: Ink[] = []
  const targets: (Box & { element: Element; layer: Element })[] = []
  const nameOf = (element: Element) => {
    const named = element.closest('[class]:not([class=""]):not(svg)') ?? element
    return `${element.tagName.toLowerCase()} in .${String(named.className).split(' ').join('.')}`
  }
  const say = (what: string, text: string, element: Element) =>
    found.add(`${what}: "${text.trim().slice(0, 30)}" at ${nameOf(element)}`)
  const within = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom)
  })
  const shared = (a: Box, b: Box) => {
    const both = within(a, b)
    return { width: both.right - both.left, height: both.bottom - both.top }
  }

  function lookAtText(node: Text, layer: Element, clip: Clip) {
    const element = node.parentElement
    if (!element || node.data.trim() === '') return
    const range = document.createRange()
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    for (const line of lines) {
      const seen = within(line, clip)
      if (clip.by && clip.cuts) lookAtCut(node, line, within(line, clip.own), clip.by)
      if (seen.right - seen.left > 0 && seen.bottom - seen.top > 0)
        inks.push({ ...seen, from: node, layer, text: node.data })
    }
    if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) lookForBrokenWords(node, element)
  }

  function lookAtCut(node: Text, line: Box, seen: Box, by: Element) {
    const style = getComputedStyle(by)
    if (style.webkitLineClamp !== 'none') return
    const wide = line.right - line.left - Math.max(seen.right - seen.left, 0) > 1.5
    const high = line.bottom - line.top - Math.max(seen.bottom - seen.top, 0) > 4
    if (wide && style.textOverflow === 'ellipsis') {
      if (by.clientWidth < LEAST_CLIPPED) say('crushed', node.data, by)
    } else if (wide || high) say('cut', node.data, by)
  }

  function lookForBrokenWords(node: Text, element: Element) {
    const range = document.createRange()
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      let before: DOMRect | undefined
      let broken = false
      for (let at = index; at < index + word.length; at += 1) {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const place = range.getBoundingClientRect()
        const breaks = /[-–—/\\?\u00ad\u200b]/.test(node.data[at - 1] ?? '')
        if (before && place.top > before.bottom - 2 && !breaks) broken = true
        if (place.width > 0) before = place
      }
      if (broken && word.length <= WORD) say('broken', word, element)
    }
  }

  /** Where a part of a style lies that is placed by itself. */
  function laidOver(element: Element, style: CSSStyleDeclaration): Box | null {
    if (style.content === 'none' || style.position !== 'absolute') return null
    let origin: Element | null = element
    while (origin && getComputedStyle(origin).position === 'static') origin = origin.parentElement
    if (!origin) return null
    const place = origin.getBoundingClientRect()
    const [x, y, width, height] = [style.left, style.top, style.width, style.height].map(
      Number.parseFloat
    ) as [number, number, number, number]
    return {
      left: place.left + x,
      top: place.top + y,
      right: place.left + x + width,
      bottom: place.top + y + height
    }
  }

  /** What can be hit: itself, its label, and what it lays over others. */
  function lookAtTarget(element: Element, style: CSSStyleDeclaration, layer: Element, clip: Clip) {
    let { left, top, right, bottom } = element.getBoundingClientRect()
    if (right - left === 0 || bottom - top === 0) return
    // A link in a sentence has a box for each line.
    for (const line of element.getClientRects()) {
      const seen = within(line, clip)
      if (seen.right > seen.left && seen.bottom > seen.top) targets.push({ ...seen, element, layer })
    }
    const sentence = element.parentElement?.textContent?.trim() ?? ''
    const own = element.textContent?.trim() ?? ''
    if (style.display === 'inline' && sentence.length > own.length + 3) return
    const add = (box: Box) => {
      left = Math.min(left, box.left)
      top = Math.min(top, box.top)
      right = Math.max(right, box.right)
      bottom = Math.max(bottom, box.bottom)
    }
    const labels = [...((element as HTMLInputElement).labels ?? [])]
    const field = element.closest('.field')
    for (const part of [element, ...labels, ...(field ? [field] : [])]) {
      add(part.getBoundingClientRect())
      for (const over of ['::before', '::after']) {
        const laid = laidOver(part, getComputedStyle(part, over))
        if (laid) add(laid)
      }
    }
    const size = [right - left, bottom - top].map((one) => Math.round(one))
    if (Math.min(...size) < least)
      say(`${size.join(' × ')} px is too small a target`, element.getAttribute('aria-label') ?? own, element)
  }

  function visit(element: Element, layer: Element, clip: Clip) {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.opacity === '0' || style.clipPath === 'inset(50%)') return
    const hidden = style.visibility !== 'visible'
    const floats =
      /absolute|fixed|sticky/.test(style.position) && style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    const own = floats ? element : layer
    const box = element.getBoundingClientRect()
    if (!hidden && element.matches(TARGETS)) lookAtTarget(element, style, own, clip)
    if (element instanceof SVGElement || element instanceof HTMLCanvasElement) {
      if (!hidden && element.matches('svg.lucide')) {
        const seen = within(box, clip)
        if (seen.right > seen.left && seen.bottom > seen.top)
          inks.push({ ...seen, from: element, layer: own, text: 'icon' })
      }
      return
    }
    let inner = style.position === 'fixed' ? { ...EVERYWHERE, by: null, own: EVERYWHERE, cuts: false } : clip
    if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
      const scrolls = [style.overflowX, style.overflowY].some((one) => one === 'auto' || one === 'scroll')
      inner = { ...within(inner, box), by: element, own: box, cuts: !scrolls }
    }
    const closed = element instanceof HTMLDetailsElement && !element.open
    for (const child of element.childNodes) {
      if (closed && !(child instanceof Element && child.matches('summary'))) continue
      if (child instanceof Element) visit(child, own, inner)
      else if (!hidden && child instanceof Text) lookAtText(child, own, inner)
    }
  }

  const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  visit(root, root, { ...EVERYWHERE, by: null, own: EVERYWHERE, cuts: false })

  inks.sort((a, b) => a.top - b.top)
  for (const [at, one] of inks.entries())
    for (const other of inks.slice(at + 1)) {
      if (other.top > one.bottom) break
      const { width, height } = shared(one, other)
      if (one.from !== other.from && one.layer === other.layer && width > 2 && height > 3)
        say(`"${other.text.trim().slice(0, 30)}" lies over`, one.text, one.from.parentElement ?? root)
    }
  for (const [at, one] of targets.entries())
    for (const other of targets.slice(at + 1)) {
      const { width, height } = shared(one, other)
      // A button at the end of a field stands in it.
      const inside =
        one.element.contains(other.element) || one.element.closest('.field')?.contains(other.element)
      if (inside || one.layer !== other.layer || width <= 1 || height <= 1) continue
      const name = (element: Element) =>
        element.getAttribute('aria-label') ??
        (element.textContent || (element as HTMLInputElement).labels?.[0]?.textContent) ??
        ''
      say(`the target "${name(other.element).trim().slice(0, 30)}" lies over`, name(one.element), one.element)
    }
  const { scrollWidth, clientWidth } = document.documentElement
  if (root === document.body && scrollWidth > clientWidth)
    found.add(`${scrollWidth - clientWidth} px sideways`)
  return [...found]
}
