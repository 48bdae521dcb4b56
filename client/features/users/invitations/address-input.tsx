import CircleAlert from 'lucide-react/icons/circle-alert'
import Pencil from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import { useId, useRef, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { addressesIn, withoutRepeats } from './addresses.ts'
import { ADDRESSES_MAX } from './invitation-draft.ts'
import { type AddressState, isInvitable } from './use-known-addresses.ts'

interface AddressInputProps {
  emails: readonly string[]
  states: ReadonlyMap<string, AddressState>
  onChange: (emails: string[]) => void
  onResend: (state: AddressState & { kind: 'invited' }) => void
}

/** Several addresses in one field: Enter, a comma, a space or pasting adds, and each says what is with it. */
export function AddressInput({ emails, states, onChange, onResend }: AddressInputProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const add = (more: string) => {
    onChange(withoutRepeats([...emails, ...addressesIn(more)]))
    setText('')
  }
  const remove = (email: string) => {
    onChange(emails.filter((one) => one !== email))
    input.current?.focus()
  }
  const invitable = emails.filter((email) => isInvitable(states.get(email))).length
  const bad = emails.filter((email) => states.get(email)?.kind === 'bad')
  const checking = emails.some((email) => states.get(email)?.kind === 'checking')
  return (
    <div className="form-field address-input">
      <label htmlFor={id}>E-mail addresses</label>
      <div className="field">
        <input
          ref={input}
          id={id}
          type="text"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-help ${id}-summary`}
          value={text}
          onChange={(event) => {
            const typed = event.target.value
            if (/[,;\s]/.test(typed.trim()) || (/[,;\s]$/.test(typed) && typed.trim() !== '')) add(typed)
            else setText(typed)
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text')
            if (!/[,;\s<]/.test(pasted.trim())) return
            event.preventDefault()
            add(`${text} ${pasted}`)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && text.trim() !== '') {
              event.preventDefault()
              add(text)
            }
            if (event.key === 'Backspace' && text === '' && emails.length > 0) onChange(emails.slice(0, -1))
          }}
          onBlur={() => text.trim() !== '' && add(text)}
        />
      </div>
      <p id={`${id}-help`} className="field-help">
        Enter or a comma adds one; a list can be pasted. {ADDRESSES_MAX} at most.
      </p>
      {emails.length > 0 && (
        <ul className="addresses" aria-label="Addresses">
          {emails.map((email) => (
            <Address
              key={email}
              email={email}
              state={states.get(email)}
              onResend={onResend}
              onCorrect={() => {
                remove(email)
                setText(email)
              }}
              onRemove={() => remove(email)}
            />
          ))}
        </ul>
      )}
      <p id={`${id}-summary`} role="status" className={bad.length > 0 ? 'field-error' : 'sr-only'}>
        {emails.length > 0 && !checking && `${invitable} of ${emails.length} can be invited`}
        {bad.length > 0 && `${checking ? '' : ', '}${bad.length} cannot. `}
        {bad.length > 0 && (
          <button
            type="button"
            className="link-button"
            onClick={() => onChange(emails.filter((email) => !bad.includes(email)))}
          >
            Remove {bad.length === 1 ? 'it' : 'these'}
          </button>
        )}
      </p>
    </div>
  )
}

interface AddressProps extends AddressNoteProps {
  email: string
  onCorrect: () => void
  onRemove: () => void
}

function Address({ email, state, onResend, onCorrect, onRemove }: AddressProps) {
  return (
    <li data-kind={state?.kind}>
      <span className="address">{email}</span>
      <AddressNote state={state} onResend={onResend} />
      {state?.kind === 'bad' && (
        <button
          type="button"
          className="button quiet icon small"
          aria-label={`Correct ${email}`}
          onClick={onCorrect}
        >
          <Pencil />
        </button>
      )}
      <button
        type="button"
        className="button quiet icon small"
        aria-label={`Remove ${email}`}
        onClick={onRemove}
      >
        <X />
      </button>
    </li>
  )
}

interface AddressNoteProps {
  state: AddressState | undefined
  onResend: AddressInputProps['onResend']
}

function AddressNote({ state, onResend }: AddressNoteProps) {
  switch (state?.kind) {
    case 'bad':
      return (
        <span className="address-note bad">
          <CircleAlert />
          {state.why}
        </span>
      )
    case 'user':
      return (
        <span className="address-note">
          Already a user: {state.fullName}.{' '}
          <PrefetchLink to={paths.user(state.userId)} className="text-link">
            Manage access
          </PrefetchLink>
        </span>
      )
    case 'invited':
      return (
        <span className="address-note">
          <span>
            Invitation pending since <Timestamp iso={state.invitation.created} as="day" />.
          </span>
          <button type="button" className="link-button" onClick={() => onResend(state)}>
            Resend
          </button>
        </span>
      )
    case 'unchecked':
      return <span className="address-note">Could not be checked; it can be invited all the same.</span>
    case 'checking':
      return <span className="address-note">Checking…</span>
    default:
      return null
  }
}
