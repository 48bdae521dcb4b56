import { clipped } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'

/** Shortens a long name. The title contains the full text, and screen readers read it. */
export function ClippedText({ text }: { text: string }) {
  const shortText = clipped(text, useLayout())
  if (shortText === null) return text
  return (
    <span className="clipped" title={text}>
      <span aria-hidden="true">{shortText}</span>
      <span className="sr-only">{text}</span>
    </span>
  )
}
