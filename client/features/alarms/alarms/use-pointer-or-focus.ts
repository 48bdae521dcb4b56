import { type FocusEvent, useState } from 'react'

interface PointerOrFocus {
  /** Whether the mouse or the focus is in the element. */
  isInside: boolean
  listeners: {
    onPointerEnter: () => void
    onPointerLeave: () => void
    onFocus: () => void
    onBlur: (event: FocusEvent) => void
  }
}

/** Whether somebody works with an element, so that nothing in it may move. */
export function usePointerOrFocus(): PointerOrFocus {
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  return {
    isInside: hasPointer || hasFocus,
    listeners: {
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) =>
        setFocus(currentTarget.contains(relatedTarget as Node | null))
    }
  }
}
