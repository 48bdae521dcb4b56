import X from 'lucide-react/icons/x'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface ModalProps {
  title: string
  /** `drawer` comes in from the left; `wide` is for tables and charts; `screen` covers a small display. */
  kind?: 'dialog' | 'wide' | 'drawer' | 'screen' | undefined
  /** `alert` for a question that wants an answer before anything else. */
  role?: 'dialog' | 'alertdialog' | undefined
  /** Left out where the dialog must be answered by its own buttons. */
  onClose?: () => void
  /** Enter anywhere but on a button, a link or in a text of several lines (§5). */
  onEnter?: (() => void) | undefined
  children: ReactNode
}

/**
 * Open as long as it is rendered; focus returns to where it was. It begins at the element with `data-autofocus`, else at
 * the heading, so that Enter does nothing by accident (screens.md T4).
 */
export function Modal({ title, kind = 'dialog', role = 'dialog', onClose, onEnter, children }: ModalProps) {
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
        event.preventDefault()
        onClose?.()
      }}
      onClose={(event) => {
        // A browser closes a dialog at a second Escape, whatever was said to the first.
        if (event.target !== dialog.current || dialog.current.open) return
        onClose?.()
        setTimeout(() => dialog.current?.isConnected && !dialog.current.open && dialog.current.showModal())
      }}
      onClick={(event) => event.target === dialog.current && onClose?.()}
      onKeyDown={(event) => {
        const elsewhere = (event.target as HTMLElement).closest('button, a, textarea, [role="combobox"]')
        if (event.key !== 'Enter' || !onEnter || elsewhere || event.nativeEvent.isComposing) return
        event.preventDefault()
        onEnter()
      }}
    >
      <div className="modal-card">
        <div className="modal-head">
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          {onClose && (
            <button type="button" className="button quiet icon" aria-label="Close" onClick={onClose}>
              <X />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}
