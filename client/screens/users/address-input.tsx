import CircleAlert from 'lucide-react/icons/circle-alert'
import Pencil from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import { useId, useRef, useState } from 'react'
import { Moment } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { addressesIn, withoutRepeats } from '../../lib/addresses.ts'
import { paths } from '../../paths.ts'
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
          {emails.map((email) => {
            const state = states.get(email)
            return (
              <li key={email} data-kind={state?.kind}>
                <span className="address">{email}</span>
                <AddressNote state={state} onResend={onResend} />
                {state?.kind === 'bad' && (
                  <button
                    type="button"
                    className="button quiet icon small"
                    aria-label={`Correct ${email}`}
                    onClick={() => {
                      onChange(emails.filter((one) => one !== email))
                      setText(email)
                      input.current?.focus()
                    }}
                  >
                    <Pencil />
                  </button>
                )}
                <button
                  type="button"
                  className="button quiet icon small"
                  aria-label={`Remove ${email}`}
                  onClick={() => remove(email)}
                >
                  <X />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <p id={`${id}-summary`} role="status" className={bad.length > 0 ? 'field-error' : 'sr-only'}>
        {emails.length > 0 && `${invitable} of ${emails.length} can be invited`}
        {bad.length > 0 && `, ${bad.length} cannot. `}
        {bad.length > 0 && (
          <button
            type="button"
            className="link-button"
            onClick={() => onChange(emails.filter((email) => !bad.includes(email)))}
          >
            Remove these
          </button>
        )}
      </p>
    </div>
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
            Invitation pending since <Moment iso={state.invitation.created} as="day" />.
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
