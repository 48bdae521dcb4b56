import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { toasts } from '../state/toasts.ts'
import { IconButton } from './icon-button.tsx'

const CONFIRMED_MS = 2_000

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
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <IconButton
        name={label}
        Icon={copied ? Check : Copy}
        small={!inField}
        className={inField ? 'quiet field-button' : 'quiet'}
        onPress={() =>
          void copyText(text).then(
            () => setCopied(true),
            () => toasts.failed('Could not be copied. Select the text and copy it.')
          )
        }
      />
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  )
}
