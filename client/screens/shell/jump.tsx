import Search from 'lucide-react/icons/search'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { toasts } from '../../lib/toasts.ts'

const APPLE = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** Ctrl or ⌘ and K, or the button: what opens is fetched only then. */
export function Jump() {
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  const [open, setOpen] = useState(false)

  async function show() {
    try {
      const { JumpPalette } = await import('./jump-palette.tsx')
      setPalette(() => JumpPalette)
      setOpen(true)
    } catch {
      toasts.failed('This part of the portal could not be loaded.', {
        label: 'Retry',
        onAct: () => void show()
      })
    }
  }

  const operate = useEffectEvent((event: KeyboardEvent) => {
    const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
    if (!wanted) return
    event.preventDefault()
    // A dialog that is open waits for its answer.
    if (!document.querySelector('dialog[open]')) void show()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => operate(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return (
    <>
      <button
        type="button"
        className="button quiet jump-button"
        aria-label="Jump to…"
        aria-keyshortcuts="Control+K Meta+K"
        title={`Jump to a customer, project, device or page (${APPLE ? '⌘' : 'Ctrl '}K)`}
        onClick={() => void show()}
      >
        <Search />
      </button>
      {open && Palette && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
