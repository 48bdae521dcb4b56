import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useRef } from 'react'

interface ModalProps {
  title: string
  /** `drawer` comes in from the left and carries its own heading. */
  kind?: 'dialog' | 'drawer'
  onClose: () => void
  children: ReactNode
}

/** Open as long as it is rendered; focus returns to where it was. */
export function Modal({ title, kind = 'dialog', onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog's own cancel event
    <dialog
      ref={dialog}
      className={`modal ${kind}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="modal-card">
        <div className="modal-head">
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="button quiet icon" aria-label="Close" onClick={onClose}>
            <X />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
