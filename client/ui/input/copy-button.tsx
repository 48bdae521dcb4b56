import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { IconButton } from './icon-button.tsx'
import { usePlacement } from './use-popup.ts'

const CONFIRMED_MS = 2_000
const FAILURE_MS = 6_000

/** An id or address with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span className="line">
      <span className="mono">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  )
}

interface CopyButtonProps {
  text: string
  label: string
  /** Whether the button is inside the line of a text field. */
  inField?: boolean
}

export function CopyButton({ text, label, inField = false }: CopyButtonProps) {
  const [copied, setCopied] = useState<boolean | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), copied ? CONFIRMED_MS : FAILURE_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <IconButton
        ref={button}
        name={label}
        Icon={copied ? Check : Copy}
        small={!inField}
        className={inField ? 'quiet field-button' : 'quiet'}
        onPress={() =>
          void copyText(text).then(
            () => setCopied(true),
            () => setCopied(false)
          )
        }
      />
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
      {copied === false && <CopyFailure button={button} />}
    </>
  )
}

/** Shows the failure at the button, in the top layer, because the button may be in a dialog. */
function CopyFailure({ button }: { button: RefObject<HTMLElement | null> }) {
  const popup = useRef<HTMLSpanElement>(null)
  usePlacement(true, button, popup, 'tip')
  useLayoutEffect(() => popup.current?.showPopover(), [])
  return (
    <span ref={popup} role="alert" popover="manual" className="tooltip">
      Could not be copied. Select the text and copy it.
    </span>
  )
}
