import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'

interface ModalProps {
  title: string
  /** `drawer` comes in from the left, `side` stands at the right; `wide` is for tables and charts; `screen` covers a small display. */
  kind?: 'dialog' | 'wide' | 'drawer' | 'side' | 'screen' | undefined
  /** `alert` for a question that wants an answer before anything else. */
  role?: 'dialog' | 'alertdialog' | undefined
  /** Left out where the dialog must be answered by its own buttons. */
  onClose?: () => void
  /** Something was typed that closing loses: Escape, ✕ and a click beside the dialog ask first. */
  edited?: boolean | undefined
  /** Enter anywhere but on a button, a link or in a text of several lines. */
  onEnter?: (() => void) | undefined
  children: ReactNode
}

/**
 * Open as long as it is rendered; focus returns to where it was. It begins at the element with `data-autofocus`, else at
 * the heading, so that Enter does nothing by accident.
 */
export function Modal(props: ModalProps) {
  const { title, kind = 'dialog', role = 'dialog', onClose, edited, onEnter, children } = props
  const [asks, setAsks] = useState(false)
  const leave = edited && onClose ? () => setAsks(!asks) : onClose
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Closed while it is still in the page: a browser gives the focus back for no other.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element && !element.open) {
      element.showModal()
      const first = element.querySelector<HTMLElement>('[data-autofocus]')
      const begin = first ?? element.querySelector<HTMLElement>('.modal-head h2')
      begin?.focus()
    }
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`modal ${kind}`}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={heading}
      onCancel={(event) => {
        // One that stands over this one tells it too; one that cannot be held back is followed by the close.
        if (event.target !== dialog.current || !event.cancelable) return
        event.preventDefault()
        leave?.()
      }}
      onClose={(event) => {
        // A browser closes a dialog at a second Escape, whatever was said to the first.
        if (event.target !== dialog.current || dialog.current.open) return
        leave?.()
        setTimeout(() => dialog.current?.isConnected && !dialog.current.open && dialog.current.showModal())
      }}
      onClick={(event) => event.target === dialog.current && leave?.()}
      onKeyDown={(event) => {
        const elsewhere = (event.target as HTMLElement).closest('button, a, textarea, [role="combobox"]')
        if (event.key !== 'Enter' || !onEnter || elsewhere || event.nativeEvent.isComposing) return
        event.preventDefault()
        onEnter()
      }}
    >
      <div className="modal-card">
        <div className="modal-content" inert={asks}>
          <div className="modal-head">
            <h2 id={heading} tabIndex={-1}>
              {title}
            </h2>
            {leave && (
              <button type="button" className="button quiet icon" aria-label="Close" onClick={leave}>
                <X />
              </button>
            )}
          </div>
          {children}
        </div>
        {asks && onClose && <DiscardQuestion onKeep={() => setAsks(false)} onDiscard={onClose} />}
      </div>
    </dialog>
  )
}

/** Within the dialog itself: a browser closes two that lie above each other by one Escape. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const keep = useRef<HTMLButtonElement>(null)
  const [before] = useState(() => document.activeElement as HTMLElement | null)
  useEffect(() => {
    keep.current?.focus()
    // What is behind can take the focus again only once it is not inert any more.
    return () => void setTimeout(() => before?.focus())
  }, [before])
  const id = useId()
  return (
    <div role="alertdialog" aria-labelledby={id} className="modal-question">
      <h2 id={id}>Discard your changes?</h2>
      <p className="modal-text">What you have entered here is not saved.</p>
      <div className="modal-actions">
        <button ref={keep} type="button" className="button" onClick={onKeep}>
          Keep editing
        </button>
        <button type="button" className="button danger" onClick={onDiscard}>
          Discard
        </button>
      </div>
    </div>
  )
}
