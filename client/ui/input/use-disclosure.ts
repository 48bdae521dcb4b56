import { useEffect, useRef, useState } from 'react'
import { listen } from '../../lib/browser.ts'

/** A popup of a button. A click or focus elsewhere closes it; `close` also returns the focus to the button. */
export function useDisclosure() {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const leave = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    return listen(document, { pointerdown: leave, focusin: leave })
  }, [open])
  function close() {
    setOpen(false)
    button.current?.focus()
  }
  return { open, setOpen, root, button, close }
}
