// Every command says how urgent it is.
import { malformed } from '../../api/problems.ts'

/** Refuses a body without a priority from 1 to 255 under that name. */
export function requirePriority(body: Record<string, unknown>, field: string): void {
  const value = body[field]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 255)
    throw malformed(`${field} must be a whole number from 1 to 255`, field)
}
