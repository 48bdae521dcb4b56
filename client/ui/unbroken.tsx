import type { ReactNode } from 'react'

const LONGEST = 14
/** A word with a hyphen, as "AHU-17", and a short last word with the word before, as "Unit 16". */
const KEPT_TOGETHER = /(\S+(?: \S{1,3})+$|\S*-\S*)/

/** A name that does not break at a hyphen of a short word, nor before a short last word. No style of CSS alone prevents that. */
export function unbroken(name: string | null): ReactNode {
  const parts = (name ?? '').split(KEPT_TOGETHER)
  if (parts.length === 1) return name
  return (
    <span>
      {parts.map((part, index) =>
        index % 2 === 1 && part.length <= LONGEST ? (
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
