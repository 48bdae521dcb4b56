import { useEffect, useRef, useState } from 'react'
import { email as emailRule } from '#shared/validation.ts'
import { findUser } from '../api.ts'
import type { Invitation } from './api.ts'
import { ADDRESSES_MAX } from './invitation-draft.ts'

export type AddressState =
  | { kind: 'checking' | 'ready' | 'unchecked' }
  | { kind: 'bad'; why: string }
  | { kind: 'user'; userId: string; fullName: string }
  | { kind: 'invited'; invitation: Invitation }

type Known = { userId: string; fullName: string } | 'nobody' | 'unknown'

/** What is to be said of each address: whether it is one, and who has it already. */
export function useKnownAddresses(
  organizationId: string,
  emails: readonly string[],
  invitations: readonly Invitation[]
): Map<string, AddressState> {
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map())
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const address of emails) {
      if (asked.current.has(address) || emailRule(address) !== null) continue
      asked.current.add(address)
      const learn = (what: Known) => setKnown((before) => new Map(before).set(address, what))
      findUser(organizationId, address).then(
        (user) => learn(user ? { userId: user.id, fullName: user.fullName } : 'nobody'),
        () => learn('unknown')
      )
    }
  }, [organizationId, emails])

  return new Map(
    emails.map((address, index): [string, AddressState] => {
      const why = emailRule(address)
      if (why !== null) return [address, { kind: 'bad', why }]
      if (index >= ADDRESSES_MAX) return [address, { kind: 'bad', why: `At most ${ADDRESSES_MAX} at a time` }]
      const invitation = invitations.find((one) => one.email.toLowerCase() === address.toLowerCase())
      if (invitation) return [address, { kind: 'invited', invitation }]
      const user = known.get(address)
      if (user === undefined) return [address, { kind: 'checking' }]
      if (user === 'unknown') return [address, { kind: 'unchecked' }]
      return [address, user === 'nobody' ? { kind: 'ready' } : { kind: 'user', ...user }]
    })
  )
}

/** Whether an invitation can go to the address; not while it is not known whether it is somebody's already. */
export function isInvitable(state: AddressState | undefined): boolean {
  return state?.kind === 'ready' || state?.kind === 'unchecked'
}
