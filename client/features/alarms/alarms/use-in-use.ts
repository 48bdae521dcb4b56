import { type FocusEvent, useState } from 'react'

interface InUse {
  /** Whether the mouse is on the element, or the focus in it. */
  isInUse: boolean
  listeners: {
    onPointerEnter: () => void
    onPointerLeave: () => void
    onFocus: () => void
    onBlur: (event: FocusEvent) => void
  }
}

/** Whether somebody works with an element, so that nothing in it may move. */
export function useInUse(): InUse {
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  return {
    isInUse: hasPointer || hasFocus,
    listeners: {
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) =>
        setFocus(currentTarget.contains(relatedTarget as Node | null))
    }
  }
}
