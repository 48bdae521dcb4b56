// In which encoding an answer is sent, and how it is named there.
import Negotiator from 'negotiator'
import { ENCODINGS, type Encoding } from '../inventory/representations.ts'

/** The first of ours that the caller takes. */
export function encodingFor(headers: Record<string, unknown>): Encoding | null {
  const taken = new Negotiator({ headers: headers as Record<string, string> }).encodings([...ENCODINGS])
  return ENCODINGS.find((encoding) => taken.includes(encoding)) ?? null
}

/** Each encoding has an ETag of its own, for a strong one names bytes (RFC 9110 §8.8.1). */
export function etagOf(tag: string, encoding: Encoding | null): string {
  return encoding === null ? `"${tag}"` : `"${tag}-${encoding}"`
}
