import CircleAlert from 'lucide-react/icons/circle-alert'
import Pencil from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import { useEffect, useId, useRef, useState } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { email as emailRule } from '../../../../lib/validation.ts'
import { IconButton } from '../../../../ui/input/icon-button.tsx'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../../ui/timestamp.tsx'
import { findUser } from '../../access/users.ts'
import type { Invitation } from './api.ts'
import { ADDRESSES_MAX } from './invitation-draft.ts'

interface AddressInputProps {
  emails: readonly string[]
  states: ReadonlyMap<string, AddressState>
  onChange: (emails: string[]) => void
  isResending: (invitation: Invitation) => boolean
  resend: (invitation: Invitation) => void
}

/** A field for several addresses: Enter, comma, space or paste adds an address. Each address shows its state. */
export function AddressInput({ emails, states, onChange, ...resending }: AddressInputProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const add = (addressText: string) => {
    onChange(withoutRepeats([...emails, ...addressesIn(addressText)]))
    setText('')
  }
  const remove = (email: string) => {
    onChange(emails.filter((other) => other !== email))
    input.current?.focus()
  }
  const invitableCount = emails.filter((email) => isInvitable(states.get(email))).length
  const badEmails = emails.filter((email) => states.get(email)?.kind === 'bad')
  const isChecking = emails.some((email) => states.get(email)?.kind === 'checking')
  return (
    <div className="form-field">
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
      <p id={`${id}-help`} className="hint">
        Press Enter or comma to add an address, or paste a list. At most {ADDRESSES_MAX}.
      </p>
      {emails.length > 0 && (
        <ul className="lines addresses" aria-label="Addresses">
          {emails.map((email) => (
            <li key={email} className="row" data-kind={states.get(email)?.kind}>
              <span className="grow address">{email}</span>
              <AddressNote state={states.get(email)} {...resending} />
              {badEmails.includes(email) && (
                <IconButton
                  name={`Correct ${email}`}
                  Icon={Pencil}
                  small
                  onPress={() => {
                    remove(email)
                    setText(email)
                  }}
                />
              )}
              <IconButton name={`Remove ${email}`} Icon={X} small onPress={() => remove(email)} />
            </li>
          ))}
        </ul>
      )}
      <p id={`${id}-summary`} role="status" className={badEmails.length > 0 ? 'field-error' : 'sr-only'}>
        {emails.length > 0 && !isChecking && `${invitableCount} of ${emails.length} can be invited`}
        {badEmails.length > 0 && `${isChecking ? '' : ', '}${badEmails.length} cannot. `}
        {badEmails.length > 0 && (
          <button
            type="button"
            className="link-button"
            onClick={() => onChange(emails.filter((email) => !badEmails.includes(email)))}
          >
            Remove {badEmails.length === 1 ? 'this address' : 'these addresses'}
          </button>
        )}
      </p>
    </div>
  )
}

interface AddressNoteProps extends Pick<AddressInputProps, 'isResending' | 'resend'> {
  state: AddressState | undefined
}

function AddressNote({ state, isResending, resend }: AddressNoteProps) {
  switch (state?.kind) {
    case 'bad':
      return (
        <span className="row field-error address-note">
          <CircleAlert />
          {state.why}
        </span>
      )
    case 'user':
      return (
        <span className="row hint address-note">
          Already a user: {state.fullName}.{' '}
          <PrefetchLink to={paths.user(state.userId)} className="text-link">
            Manage access
          </PrefetchLink>
        </span>
      )
    case 'invited':
      return (
        <span className="row hint address-note">
          <span>
            Invitation pending since <Timestamp iso={state.invitation.createdDate} as="day" />.
          </span>
          <button
            type="button"
            className="link-button"
            aria-disabled={isResending(state.invitation)}
            aria-busy={isResending(state.invitation)}
            onClick={() => resend(state.invitation)}
          >
            Resend
          </button>
        </span>
      )
    case 'unchecked':
      return <span className="row hint address-note">Check failed. You can still invite this address.</span>
    case 'checking':
      return <span className="row hint address-note">Checking…</span>
    default:
      return null
  }
}

/** The addresses in a text, without duplicates, ignoring letter case. */
export function addressesIn(text: string): string[] {
  const inBrackets = [...text.matchAll(/<([^<>\s]+@[^<>]*)>/g)].map(([, address = '']) => address.trim())
  const addresses = inBrackets.length > 0 ? inBrackets : text.split(/[\s,;]+/)
  return withoutRepeats(addresses.filter((address) => address !== ''))
}

function withoutRepeats(addresses: readonly string[]): string[] {
  const lowerCase = addresses.map((address) => address.toLowerCase())
  return addresses.filter((_address, index) => lowerCase.indexOf(lowerCase[index] ?? '') === index)
}

type AddressState =
  | { kind: 'checking' | 'ready' | 'unchecked' }
  | { kind: 'bad'; why: string }
  | { kind: 'user'; userId: string; fullName: string }
  | { kind: 'invited'; invitation: Invitation }

/** The state of each address: whether it is valid, and whether a user or an invitation already has it. */
export function useKnownAddresses(
  organizationId: string,
  emails: readonly string[],
  invitations: readonly Invitation[]
): Map<string, AddressState> {
  const [results, setResults] = useState<ReadonlyMap<string, AddressState>>(new Map())
  const requestedAddresses = useRef(new Set<string>())
  useEffect(() => {
    for (const address of emails) {
      if (requestedAddresses.current.has(address) || emailRule(address) !== null) continue
      requestedAddresses.current.add(address)
      const store = (state: AddressState) => setResults((before) => new Map(before).set(address, state))
      findUser(organizationId, address).then(
        (user) =>
          store(user ? { kind: 'user', userId: user.id, fullName: user.fullName } : { kind: 'ready' }),
        () => store({ kind: 'unchecked' })
      )
    }
  }, [organizationId, emails])

  const stateOf = (address: string, index: number): AddressState => {
    const why = emailRule(address) ?? (index >= ADDRESSES_MAX ? `At most ${ADDRESSES_MAX} at a time` : null)
    if (why !== null) return { kind: 'bad', why }
    const invitation = invitations.find(({ email }) => email.toLowerCase() === address.toLowerCase())
    return invitation ? { kind: 'invited', invitation } : (results.get(address) ?? { kind: 'checking' })
  }
  return new Map(emails.map((address, index) => [address, stateOf(address, index)]))
}

/** Whether the address can be invited; false while the check runs. */
export function isInvitable(state: AddressState | undefined): boolean {
  return state?.kind === 'ready' || state?.kind === 'unchecked'
}
