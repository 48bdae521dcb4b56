// Validates inputs (.github/product.md#forms). Each rule returns the error message of a text, or null. Forms check for empty fields.
import {
  DESCRIPTION_MAX_CHARACTERS,
  DEVICE_NAME_MAX_CHARACTERS,
  EMAIL_MAX_CHARACTERS,
  LOCATION_MAX_CHARACTERS,
  PROJECT_NAME_MAX_CHARACTERS
} from '#shared/limits.ts'
import { REGISTRATION_CODE_CHARACTERS } from './limits.ts'
import { VALIDATION } from './messages.ts'

export type Rule = (text: string) => string | null

const NAME = /^[\p{L}\p{M}\p{Nd}\-_&,.'` ]*$/u
const TEXT = /^[\p{L}\p{M}\p{Nd}\-_&,.'`\s]*$/u
const EMAIL = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\.]+(?:\.[^\s@<>(),;:"\\.]+)+$/u

/** Number of characters as people count them, without white space at the ends. */
export function lengthOf(text: string): number {
  return [...text.trim()].length
}

function within(maxCharacters: number): Rule {
  return (text) => (lengthOf(text) > maxCharacters ? VALIDATION.tooLong(maxCharacters) : null)
}

function withinSymbols(allowed: RegExp, maxCharacters: number): Rule {
  const isWithin = within(maxCharacters)
  return (text) => (allowed.test(text) ? isWithin(text) : VALIDATION.symbols)
}

/** Allows letters of any script, digits, spaces and `- _ & , . ' `` `; at most 50 characters. */
export const projectName: Rule = withinSymbols(NAME, PROJECT_NAME_MAX_CHARACTERS)
export const deviceName: Rule = withinSymbols(NAME, DEVICE_NAME_MAX_CHARACTERS)
export const location: Rule = withinSymbols(NAME, LOCATION_MAX_CHARACTERS)
/** Rule for all other names. */
export const freeName: Rule = withinSymbols(NAME, PROJECT_NAME_MAX_CHARACTERS)
/** Allows the characters of names, and new lines; at most 300 characters. */
export const description: Rule = withinSymbols(TEXT, DESCRIPTION_MAX_CHARACTERS)

/** Allows any characters, but at most 300. */
export const note: Rule = within(DESCRIPTION_MAX_CHARACTERS)

/** Requires one @, and a domain of at least two parts. */
export const email: Rule = (text) => {
  const address = text.trim()
  if (!EMAIL.test(address)) return VALIDATION.email
  return address.length > EMAIL_MAX_CHARACTERS ? VALIDATION.tooLong(EMAIL_MAX_CHARACTERS) : null
}

/** Converts a typed or pasted code to upper case; removes white space and hyphens. */
export function registrationCode(text: string): string {
  return text.replace(/[\s-]+/g, '').toUpperCase()
}

/** Whether the code is complete. Forms look up licenses only for complete codes. */
export function isRegistrationCode(code: string): boolean {
  return code.length === REGISTRATION_CODE_CHARACTERS && /^[A-Z0-9]+$/.test(code)
}
