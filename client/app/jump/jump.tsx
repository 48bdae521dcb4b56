import './jump-field.css'
import Search from 'lucide-react/icons/search'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { useFetchAhead, useIdle } from '../../lib/use-lazy.ts'
import { toasts } from '../../ui/state/toasts.ts'

const APPLE = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

const palette = () => import('./jump-palette.tsx')

/** Ctrl or ⌘ and K, or the field in the header: what opens is fetched once there is nothing better to do. */
export function Jump() {
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  const [open, setOpen] = useState(false)
  useFetchAhead(palette, useIdle())

  async function show() {
    try {
      const { JumpPalette } = await palette()
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
        className="button jump-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => void show()}
      >
        <Search />
        <span>Search devices, customers…</span>
        <i data-keys={APPLE ? '⌘K' : 'Ctrl K'} />
      </button>
      {open && Palette && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
