import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { useSeen } from '../../lib/browser.ts'
import { TOAST_MS } from '../../lib/limits.ts'
import { openModals } from '../dialog/open-modals.ts'
import { IconButton } from '../input/icon-button.tsx'
import { PrefetchLink } from '../prefetch-link.tsx'
import { type Toast, toastStore, toasts } from './toasts.ts'

export const TOAST_ICONS = { ok: CircleCheck, danger: CircleAlert, info: Info }

/**
 * Shows messages: in the topmost modal dialog, because everything else is inert then. The part of the page stays, because
 * screen readers announce what is added to a part that is already there.
 */
export function Toaster() {
  const { shown } = useStore(toastStore)
  const modal = useStore(openModals).at(-1)
  return (
    <>
      <Messages shown={modal ? [] : shown} />
      {modal && createPortal(<Messages shown={shown} />, modal)}
    </>
  )
}

/** Messages stay while the pointer or the focus is on them, and while the tab is hidden. */
function Messages({ shown }: { shown: readonly Toast[] }) {
  const [isPaused, setIsPaused] = useState(false)
  const section = useRef<HTMLElement>(null)
  const count = shown.length
  // A removed message sends no pointer or focus event.
  useEffect(() => {
    if (count === 0 || !section.current?.matches(':hover, :focus-within')) setIsPaused(false)
  }, [count])
  return (
    <section
      ref={section}
      className="toaster"
      aria-label="Messages"
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
    >
      {/* Screen readers announce failures at once, and other messages politely. */}
      {(['polite', 'assertive'] as const).map((live) => (
        <div key={live} aria-live={live}>
          {shown
            .filter(({ tone }) => (tone === 'danger') === (live === 'assertive'))
            .map((toast) => (
              <ToastCard key={toast.id} toast={toast} isPaused={isPaused} />
            ))}
        </div>
      ))}
    </section>
  )
}

function ToastCard({ toast, isPaused }: { toast: Toast; isPaused: boolean }) {
  const isVisible = useSeen()
  const leftMs = useRef(TOAST_MS)
  const { id, tone, text, action } = toast
  useEffect(() => {
    if (isPaused || !isVisible) return
    const startMs = performance.now()
    const timer = setTimeout(() => toasts.dismiss(id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current = Math.max(leftMs.current - (performance.now() - startMs), 0)
    }
  }, [isPaused, isVisible, id])
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
