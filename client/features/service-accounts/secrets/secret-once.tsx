import Download from 'lucide-react/icons/download'
import { useEffect, useId, useState } from 'react'
import { fileName, saveFile } from '../../../lib/csv.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { Checkbox } from '../../../ui/input/field.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'

interface SecretOnceProps {
  /** Whose secret it is. */
  name: string
  /** Lives in the state of who shows this, and ends with it. */
  secret: { clientId: string; secret: string; expiration: string }
  onClose: () => void
}

/** A secret is shown one single time, and stays until it is said to be stored. */
export function SecretOnce({ name, secret: { clientId, secret, expiration }, onClose }: SecretOnceProps) {
  const [stored, setStored] = useState(false)
  const snippet = `CLIENT_ID=${clientId}\nCLIENT_SECRET=${secret}`

  // Pressed twice, Escape closes a dialog even where that is refused.
  useEffect(() => {
    const stay = (event: KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    document.addEventListener('keydown', stay, true)
    return () => document.removeEventListener('keydown', stay, true)
  }, [])

  const text = [`Service account: ${name}`, `Expires: ${expiration}`, '', snippet, ''].join('\r\n')
  return (
    <Modal title={`Secret of ${name}`}>
      <div className="modal-body secret-once">
        <p className="modal-text">
          This is the only time that the secret is shown. Store it where the program that uses it can read it.
        </p>
        <SecretField label="Client ID" value={clientId} />
        <SecretField label="Secret" value={secret} />
        <div className="secret-snippet">
          <pre>{snippet}</pre>
          <CopyButton text={snippet} label="Copy both lines" />
        </div>
        <p className="muted">
          It ends on <Timestamp iso={expiration} />.
        </p>
        <Checkbox label="I have stored the secret" checked={stored} onChange={setStored} />
      </div>
      <div className="modal-actions">
        <button
          type="button"
          className="button"
          onClick={() => saveFile(fileName([name, 'secret'], 'txt'), text, 'text/plain;charset=utf-8')}
        >
          <Download />
          Download .txt
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!stored}
          title={stored ? undefined : 'Say first that you have stored the secret'}
          onClick={() => stored && onClose()}
        >
          Close
        </button>
      </div>
    </Modal>
  )
}

function SecretField({ label, value }: { label: string; value: string }) {
  const id = useId()
  return (
    <div className="secret-field">
      <label htmlFor={id}>{label}</label>
      <div className="field">
        <input
          id={id}
          className="mono"
          readOnly
          autoComplete="off"
          spellCheck={false}
          value={value}
          onFocus={(event) => event.target.select()}
        />
      </div>
      <CopyButton text={value} label={`Copy ${label}`} />
    </div>
  )
}
