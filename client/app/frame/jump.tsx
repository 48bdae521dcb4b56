import './jump-field.css'
import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useState } from 'react'
import { listen } from '../../lib/browser.ts'
import { useDeferredParts } from './deferred-frame.ts'

const APPLE = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

export function Jump() {
  const [open, setOpen] = useState(false)
  const deferredParts = useDeferredParts()

  const openByShortcut = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
    if (!isShortcut) return
    event.preventDefault()
    // Never open the palette over a dialog.
    if (!document.querySelector('dialog[open]')) setOpen(true)
  })
  useEffect(() => listen(document, { keydown: (event) => openByShortcut(event) }), [])

  return (
    <>
      <button
        type="button"
        className="button jump-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Search />
        <span>Search devices, customers…</span>
        <i data-keys={APPLE ? '⌘K' : 'Ctrl K'} />
      </button>
      {open && deferredParts && <deferredParts.JumpPalette onClose={() => setOpen(false)} />}
    </>
  )
}
