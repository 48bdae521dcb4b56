import type { ReactNode } from 'react'

const LONGEST = 12

/** A name whose short words, as "AHU-17", do not break at a hyphen. No style of CSS alone prevents that. */
export function unbroken(name: string): ReactNode {
  if (!name.includes('-')) return name
  const parts = name.split(/(\S*-\S*)/)
  return (
    <span>
      {parts.map((part, index) =>
        part.includes('-') && part.length <= LONGEST ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name have no other key
          <span key={index} className="unbroken">
            {part}
          </span>
        ) : (
          part
        )
      )}
    </span>
  )
}

/** An e-mail address, which breaks after its @. */
export function brokenAtDomain(address: string | null): ReactNode {
  if (address === null) return null
  const domain = address.indexOf('@') + 1
  return (
    <>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </>
  )
}
