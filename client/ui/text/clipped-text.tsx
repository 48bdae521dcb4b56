import { nameParts } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { MiddleCut } from './middle-cut.tsx'

/** A name, cut in its middle if it is too long for the layout or for its place. */
export function ClippedText({ text }: { text: string }) {
  const [start, end] = nameParts(text, useLayout())
  return end === '' ? text : <MiddleCut text={text} start={start} end={end} />
}
