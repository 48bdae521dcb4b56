// A notification's words: placeholders filled from its substitutions, everything else as it stands. Never markup.
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'

export interface Piece {
  text: string
  /** The placeholder that the text stands for. */
  name?: string
  /** Where in the content it begins. */
  at: number
}

const PLACEHOLDER = /\{([\w-]{1,64})\}/g
/** What stands for a placeholder that nothing fills. */
const MISSING = '…'

export function piecesOf(content: string, substitutions: Record<string, unknown>): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: whole, 1: name = '', index } of content.matchAll(PLACEHOLDER)) {
    if (index > end) pieces.push({ text: content.slice(end, index), at: end })
    const text = Object.hasOwn(substitutions, name) ? wordsOf(substitutions[name]) : null
    pieces.push(text === null ? { text: MISSING, at: index } : { text, name, at: index })
    end = index + whole.length
  }
  if (end < content.length) pieces.push({ text: content.slice(end), at: end })
  return pieces
}

function wordsOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** The badge of days until something expires; null without such a number, or with more than 30. */
export function daysBadge(value: unknown): { level: 'danger' | 'warn'; text: string } | null {
  const words = wordsOf(value)
  if (words === null || !/^-?\d{1,6}$/.test(words.trim())) return null
  const days = Number(words)
  if (days > EXPIRY_WARNING_DAYS) return null
  const level = days <= EXPIRY_DANGER_DAYS ? 'danger' : 'warn'
  if (days <= 0) return { level, text: 'Expired' }
  return { level, text: days === 1 ? '1 day' : `${days} days` }
}

/** The address of a web page; null for anything else, such as a script. */
export function webAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { protocol, href } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
