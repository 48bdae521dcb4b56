import {
  type FocusEvent,
  type RefObject,
  type ToggleEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import { flushSync } from 'react-dom'
import { listen } from '../../lib/browser.ts'

/** Which edges of popup and field are in line. `fill` is as wide as the field; `tip` is at its end, and above unless there is no room. */
export type Alignment = 'start' | 'end' | 'fill' | 'tip'

const GAP_PX = 4
/** The popup opens above only if less height remains below. */
const ENOUGH_PX = 200
const TIP_PX = 48

/**
 * Places an open popup of the browser's top layer below its field, or above where that has more room. By script until every
 * supported browser has CSS anchor positioning.
 */
export function usePlacement(
  open: boolean,
  field: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
  alignment: Alignment
): void {
  useLayoutEffect(() => {
    if (!open) return
    function place() {
      if (!field.current || !popup.current) return
      const { style } = popup.current
      const { left, right, top, bottom, width } = field.current.getBoundingClientRect()
      // The keyboard of a phone covers a part of the window.
      const { height, offsetTop } = window.visualViewport ?? { height: window.innerHeight, offsetTop: 0 }
      const above = top - offsetTop - 2 * GAP_PX
      const below = offsetTop + height - bottom - 2 * GAP_PX
      const opensUp = alignment === 'tip' ? above > TIP_PX : below < ENOUGH_PX && above > below
      style.setProperty('--room', `${opensUp ? above : below}px`)
      style.top = opensUp ? 'auto' : `${bottom + GAP_PX}px`
      style.bottom = opensUp ? `${window.innerHeight - top + GAP_PX}px` : 'auto'
      const isAtEnd = alignment === 'end' || alignment === 'tip'
      style.left = isAtEnd ? 'auto' : `${left}px`
      style.right = isAtEnd ? `${document.documentElement.clientWidth - right}px` : 'auto'
      if (alignment === 'fill') style.width = `${width}px`
    }
    place()
    return listen(window, { resize: place, scroll: place }, true)
  }, [open, field, popup, alignment])
}

interface PopupOptions {
  alignment?: Alignment
  /** The element of the content that gets the focus; without it, the button keeps the focus. */
  focusTarget?: () => HTMLElement | null | undefined
}

/** A popup of a button, in front of everything. The browser closes it at Escape and at a click elsewhere. */
export function usePopup({ alignment = 'end', focusTarget }: PopupOptions = {}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  usePlacement(open, button, popup, alignment)
  return {
    open,
    show: () => popup.current?.showPopover(),
    close() {
      popup.current?.hidePopover()
      button.current?.focus()
    },
    button: { ref: button, popoverTarget: id, 'aria-expanded': open },
    popup: {
      ref: popup,
      id,
      popover: 'auto' as const,
      // A press on a text takes the focus here, instead of to the page, which would close the popup.
      tabIndex: -1,
      // The content must be there when the browser gives the focus, before the next key.
      onBeforeToggle({ newState, target }: ToggleEvent) {
        if (newState !== 'open' || target !== popup.current) return
        flushSync(() => setOpen(true))
        const element = focusTarget?.()
        if (element) element.autofocus = true
      },
      // Not before: the focus returns to the button from the content.
      onToggle({ newState, target }: ToggleEvent) {
        if (newState === 'closed' && target === popup.current) setOpen(false)
      },
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        const isElsewhere = relatedTarget !== null && !currentTarget.contains(relatedTarget)
        if (isElsewhere && relatedTarget !== button.current) popup.current?.hidePopover()
      }
    }
  }
}
