import { createContext, useContext } from 'react'

interface Support {
  phone: string | null
  email: string | null
}

/** Where help is to be had; the session provides it. */
export const SupportContext = createContext<Support>({ phone: null, email: null })

export function SupportContact({ lead }: { lead: string }) {
  const { phone, email } = useContext(SupportContext)
  if (!phone && !email) return null
  return (
    <p className="support">
      {lead} {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
      {phone && email && ' or '}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </p>
  )
}
