import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../input/icon-button.tsx'

interface ModalProps {
  title: string
  /** `drawer` is at the left, `side` at the right; `wide` is for tables and charts; `screen` covers a small display. */
  kind?: 'dialog' | 'wide' | 'drawer' | 'side' | 'screen' | undefined
  role?: 'dialog' | 'alertdialog' | undefined
  /** Left out if only the buttons close the dialog. */
  onClose?: () => void
  /** Closing would lose input: ask first. */
  edited?: boolean | undefined
  /** Enter, except on a button, a link or in a multi-line text. */
  onEnter?: (() => void) | undefined
  children: ReactNode
}

/**
 * Open while mounted; afterwards the focus returns. Focuses the element with `data-autofocus`, else the
 * heading, so that Enter does nothing by accident.
 */
export function Modal(props: ModalProps) {
  const { title, kind = 'dialog', role = 'dialog', onClose, edited, onEnter, children } = props
  const [asks, setAsks] = useState(false)
  const leave = edited && onClose ? () => setAsks(!asks) : onClose
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Close before removal, so that the browser restores the focus.
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
        // Ignore events of nested dialogs. An uncancelable one is followed by close.
        if (event.target !== dialog.current || !event.cancelable) return
        event.preventDefault()
        leave?.()
      }}
      onClose={(event) => {
        // Browsers close a dialog at a second Escape.
        if (event.target !== dialog.current || dialog.current.open) return
        leave?.()
        setTimeout(() => dialog.current?.isConnected && !dialog.current.open && dialog.current.showModal())
      }}
      onClick={(event) => event.target === dialog.current && leave?.()}
      onKeyDown={(event) => {
        const target = event.target as HTMLElement
        const inButton = target.closest('button, a, textarea, [role="combobox"]') !== null
        // A nested dialog handles its own keys.
        const elsewhere = inButton || target.closest('dialog') !== dialog.current
        if (event.key !== 'Enter' || !onEnter || elsewhere || event.nativeEvent.isComposing) return
        event.preventDefault()
        onEnter()
      }}
    >
      <div className="modal-card">
        <div className="modal-content" inert={asks}>
          <div className="line spread modal-head">
            <h2 id={heading} tabIndex={-1}>
              {title}
            </h2>
            {leave && <IconButton name="Close" Icon={X} onPress={leave} />}
          </div>
          {children}
        </div>
        {asks && onClose && <DiscardQuestion onKeep={() => setAsks(false)} onDiscard={onClose} />}
      </div>
    </dialog>
  )
}

/** Part of the same dialog, because one Escape would close two nested dialogs. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const keep = useRef<HTMLButtonElement>(null)
  const [before] = useState(() => document.activeElement as HTMLElement | null)
  useEffect(() => {
    keep.current?.focus()
    // Wait until the content is no longer inert.
    return () => void setTimeout(() => before?.focus())
  }, [before])
  const id = useId()
  return (
    <div role="alertdialog" aria-labelledby={id} className="stack tight modal-question">
      <h2 id={id}>Discard your changes?</h2>
      <p className="modal-text">What you have entered here is not saved.</p>
      <div className="row modal-actions">
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
