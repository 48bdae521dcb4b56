import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { TOAST_MS } from '#shared/limits.ts'
import { useSeen } from '../../lib/browser.ts'
import { IconButton } from '../input/icon-button.tsx'
import { PrefetchLink } from '../prefetch-link.tsx'
import { type Toast, toastStore, toasts } from './toasts.ts'

export const TOAST_ICONS = { ok: CircleCheck, danger: CircleAlert, info: Info }

/** Messages stay while hovered or focused and in a hidden tab. */
export function Toaster() {
  const { shown } = useStore(toastStore)
  const [held, setHeld] = useState(false)
  const section = useRef<HTMLElement>(null)
  const count = shown.length
  // A removed message sends no pointer or focus event.
  useEffect(() => {
    if (count === 0 || !section.current?.matches(':hover, :focus-within')) setHeld(false)
  }, [count])
  return (
    <section
      ref={section}
      className="toaster"
      aria-label="Messages"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {/* Failures are announced at once, successes politely. */}
      {(['polite', 'assertive'] as const).map((live) => (
        <div key={live} aria-live={live}>
          {shown
            .filter(({ tone }) => (tone === 'danger') === (live === 'assertive'))
            .map((toast) => (
              <ToastCard key={toast.id} toast={toast} held={held} />
            ))}
        </div>
      ))}
    </section>
  )
}

function ToastCard({ toast, held }: { toast: Toast; held: boolean }) {
  const seen = useSeen()
  const leftMs = useRef(TOAST_MS)
  const { id, tone, text, action } = toast
  useEffect(() => {
    if (held || !seen) return
    const since = performance.now()
    const timer = setTimeout(() => toasts.dismiss(id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current = Math.max(leftMs.current - (performance.now() - since), 0)
    }
  }, [held, seen, id])
  const Icon = TOAST_ICONS[tone]
  return (
    <div className={`toast ${tone}`}>
      <Icon />
      <p>{text}</p>
      <ToastAction action={action} onActed={() => toasts.dismiss(id)} />
      <IconButton name="Dismiss message" Icon={X} onPress={() => toasts.dismiss(id)} />
    </div>
  )
}

interface ToastActionProps {
  action: Toast['action'] | undefined
  onActed: () => void
}

export function ToastAction({ action, onActed }: ToastActionProps) {
  if (!action) return null
  if (action.to) {
    return (
      <PrefetchLink to={action.to} className="link-button" onClick={onActed}>
        {action.label}
      </PrefetchLink>
    )
  }
  return (
    <button
      type="button"
      className="link-button"
      onClick={() => {
        onActed()
        action.onAct?.()
      }}
    >
      {action.label}
    </button>
  )
}
