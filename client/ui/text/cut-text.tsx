import { useEffect, useRef, useState } from 'react'
import { listen } from '../../lib/browser.ts'

interface Tip {
  text: string
  left: number
  top: number
}

/** Shows the full text of cut text on hover, focus and touch, and the title of a focused hint, until Escape or scroll. */
export default function CutText() {
  const [tip, setTip] = useState<Tip | null>(null)
  const popover = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const show = (event: Event) => {
      const { target } = event
      if (!(target instanceof Element) || popover.current?.contains(target)) return
      setTip(tipOf(target, event))
    }
    const hide = (event: Event) => {
      if (!('key' in event) || event.key === 'Escape') setTip(null)
    }
    return listen(document, { pointerover: show, focusin: show, keydown: hide, scroll: hide }, true)
  }, [])

  // A popover shows above dialogs.
  useEffect(() => {
    if (tip) popover.current?.showPopover?.()
  }, [tip])

  if (!tip) return null
  const { text, ...position } = tip
  return (
    <div ref={popover} popover="manual" className="cut-text" aria-hidden="true" style={position}>
      {text}
    </div>
  )
}

function tipOf(target: Element, event: Event): Tip | null {
  const isFocus = event.type === 'focusin'
  const hinted = isFocus && target.matches('[data-hint]') ? target : undefined
  const element = hinted ?? cutTextAt(target, isFocus)
  if (!element) return null
  const titledElement = element.closest('[title]')
  // For a mouse, the browser shows the title itself.
  if (titledElement && 'pointerType' in event && event.pointerType === 'mouse') return null
  const { left, bottom } = element.getBoundingClientRect()
  return {
    text: titledElement?.getAttribute('title') || wholeText(element),
    left: Math.min(left, window.innerWidth / 2),
    top: bottom
  }
}

/** Maximum elements to search for cut text, from the target upwards. */
const ANCESTORS_MAX = 3

function cutTextAt(target: Element, isFocus: boolean): Element | undefined {
  const ancestors: Element[] = [target]
  while (ancestors.length < ANCESTORS_MAX && ancestors.at(-1)?.parentElement)
    ancestors.push(ancestors.at(-1)?.parentElement as Element)
  return (isFocus ? [target, ...target.querySelectorAll('*')] : ancestors).find(isCut)
}

function wholeText(element: Element): string {
  const middleCut = element.closest('.middle-cut')
  return (middleCut?.lastElementChild ?? element).textContent ?? ''
}

/** Whether the element's text is cut, by the style sheet or because its name is too long. */
function isCut(element: Element): boolean {
  if (element.matches('.middle-cut')) {
    const [start, end, whole] = element.children
    return !start || isCut(start) || `${start.textContent}${end?.textContent}` !== whole?.textContent
  }
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1) return true
  return element.scrollWidth > element.clientWidth + 1 && textOverflow === 'ellipsis'
}
