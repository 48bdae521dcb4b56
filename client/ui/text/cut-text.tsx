import { useEffect, useRef, useState } from 'react'
import { listen } from '../../lib/browser.ts'

interface Tip {
  text: string
  left: number
  top: number
}

/** Shows the full text of cut text on hover, focus and touch, until Escape or scroll. */
export default function CutText() {
  const [tip, setTip] = useState<Tip | null>(null)
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const show = (event: Event) => {
      const { target } = event
      if (!(target instanceof Element) || place.current?.contains(target)) return
      setTip(tipOf(target, event))
    }
    const hide = (event: Event) => {
      if (!('key' in event) || event.key === 'Escape') setTip(null)
    }
    return listen(document, { pointerover: show, focusin: show, keydown: hide, scroll: hide }, true)
  }, [])

  // A popover shows above dialogs.
  useEffect(() => {
    if (tip) place.current?.showPopover?.()
  }, [tip])

  if (!tip) return null
  const { text, ...at } = tip
  return (
    <div ref={place} popover="manual" className="cut-text" aria-hidden="true" style={at}>
      {text}
    </div>
  )
}

function tipOf(target: Element, event: Event): Tip | null {
  const cut = cutTextAt(target, event.type === 'focusin')
  if (!cut) return null
  const titled = cut.closest('[title]')
  // For a mouse, the browser shows the title itself.
  if (titled && 'pointerType' in event && event.pointerType === 'mouse') return null
  const { left, bottom } = cut.getBoundingClientRect()
  return {
    text: titled?.getAttribute('title') || (cut.textContent ?? ''),
    left: Math.min(left, window.innerWidth / 2),
    top: bottom
  }
}

/** Ancestors of the target to search for the cut element. */
const ANCESTORS_MAX = 3

function cutTextAt(target: Element, isFocus: boolean): Element | undefined {
  const around: Element[] = [target]
  while (around.length < ANCESTORS_MAX && around.at(-1)?.parentElement)
    around.push(around.at(-1)?.parentElement as Element)
  return (isFocus ? [target, ...target.querySelectorAll('*')] : around).find(isCut)
}

/** Cut by the style sheet or by `ClippedText`. */
function isCut(element: Element): boolean {
  if (element.matches('.clipped')) return true
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1) return true
  return element.scrollWidth > element.clientWidth + 1 && textOverflow === 'ellipsis'
}
