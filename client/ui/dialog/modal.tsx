import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../input/icon-button.tsx'
import { openModals } from './open-modals.ts'

interface ModalProps {
  title: string
  /** The subject of the dialog, shown below its title. */
  about?: ReactNode
  /** `drawer` is at the left, `side` at the right; `wide` is for tables and charts; `screen` covers a small display. */
  kind?: 'dialog' | 'wide' | 'drawer' | 'side' | 'screen' | undefined
  role?: 'dialog' | 'alertdialog' | undefined
  /** Undefined if only the buttons close the dialog. */
  onClose?: () => void
  /** Whether closing would lose input, so that the dialog asks first. */
  edited?: boolean | undefined
  /** Called on Enter, except on a button or link, or in a combobox or multi-line text. */
  onEnter?: (() => void) | undefined
  children: ReactNode
}

/**
 * Open while mounted. Focuses the element with `data-autofocus`, else the heading, so that Enter does nothing by
 * accident; and the heading again when what has the focus disappears. Restores the previous focus when unmounted.
 */
export function Modal(props: ModalProps) {
  const { title, about, kind = 'dialog', role = 'dialog', onClose, edited, onEnter, children } = props
  const [isAsking, setIsAsking] = useState(false)
  const leave = edited && onClose ? () => setIsAsking(!isAsking) : onClose
  const dialog = useRef<HTMLDialogElement>(null)
  const lastFocused = useRef<Element>(null)
  const heading = useId()
  // Close the dialog before it is removed, so that the browser restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element && !element.open) {
      element.showModal()
      const autofocused = element.querySelector<HTMLElement>('[data-autofocus]')
      const focusTarget = autofocused ?? headingOf(element)
      focusTarget?.focus()
    }
    if (element) openModals.setState((others) => [...others, element], true)
    return () => {
      openModals.setState((all) => all.filter((other) => other !== element), true)
      element?.close()
    }
  }, [])
  useEffect(() => {
    if (lastFocused.current?.isConnected === false) headingOf(dialog.current)?.focus()
  })
  return (
    <dialog
      ref={dialog}
      className={`modal ${kind}`}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={heading}
      aria-describedby={about ? `${heading}-about` : undefined}
      onFocus={({ target }) => {
        lastFocused.current = target
      }}
      onCancel={(event) => {
        // Ignore events of nested dialogs. An event that cannot be cancelled is followed by a close event.
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
        const handledElsewhere = inButton || target.closest('dialog') !== dialog.current
        if (event.key !== 'Enter' || !onEnter || handledElsewhere || event.nativeEvent.isComposing) return
        event.preventDefault()
        onEnter()
      }}
    >
      <div className="modal-card">
        <div className="modal-content" inert={isAsking}>
          <div className="line spread modal-head">
            <h2 id={heading} tabIndex={-1}>
              {title}
            </h2>
            {leave && <IconButton name="Close" Icon={X} onPress={leave} />}
          </div>
          {about && (
            <p id={`${heading}-about`} className="modal-text modal-about">
              {about}
            </p>
          )}
          {children}
        </div>
        {isAsking && onClose && <DiscardQuestion onKeep={() => setIsAsking(false)} onDiscard={onClose} />}
      </div>
    </dialog>
  )
}

const headingOf = (dialog: Element | null) => dialog?.querySelector<HTMLElement>('.modal-head h2')

/** Not a dialog of its own, because one Escape would close two nested dialogs. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const keepButton = useRef<HTMLButtonElement>(null)
  const [previousFocus] = useState(() => document.activeElement as HTMLElement | null)
  useEffect(() => {
    keepButton.current?.focus()
    // Wait until the content is no longer inert.
    return () => void setTimeout(() => previousFocus?.focus())
  }, [previousFocus])
  const id = useId()
  return (
    <div role="alertdialog" aria-labelledby={id} className="stack tight modal-question">
      <h2 id={id}>Discard your changes?</h2>
      <p className="modal-text">What you have entered here is not saved.</p>
      <div className="row modal-actions">
        <button ref={keepButton} type="button" className="button" onClick={onKeep}>
          Keep editing
        </button>
        <button type="button" className="button danger" onClick={onDiscard}>
          Discard
        </button>
      </div>
    </div>
  )
}
