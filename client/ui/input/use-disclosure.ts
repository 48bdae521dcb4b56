import { useEffect, useRef, useState } from 'react'
import { listen } from '../../lib/browser.ts'

/** A popup of a button. A click or focus elsewhere closes it; `close` also returns the focus to the button. */
export function useDisclosure() {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const isInside = (target: EventTarget | null) => root.current?.contains(target as Node)
    // A press on a text inside gives the focus to an element around the popup, such as `main`.
    const isAround = (target: EventTarget | null) => (target as Node | null)?.contains(root.current)
    return listen(document, {
      pointerdown({ target }) {
        if (!isInside(target)) setOpen(false)
      },
      focusin({ target }) {
        if (!isInside(target) && !isAround(target)) setOpen(false)
      }
    })
  }, [open])
  function close() {
    setOpen(false)
    button.current?.focus()
  }
  return { open, setOpen, root, button, close }
}
