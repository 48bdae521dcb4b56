// Validates inputs (.github/product.md#forms). Each rule returns the problem of a text, or null. Forms check for empty fields.
import {
  DESCRIPTION_MAX_CHARACTERS,
  DEVICE_NAME_MAX_CHARACTERS,
  EMAIL_MAX_CHARACTERS,
  LOCATION_MAX_CHARACTERS,
  PROJECT_NAME_MAX_CHARACTERS,
  REGISTRATION_CODE_CHARACTERS
} from './limits.ts'
import { VALIDATION } from './messages.ts'

export type Rule = (text: string) => string | null

const NAME = /^[\p{L}\p{M}\p{Nd}\-_&,.'` ]*$/u
const TEXT = /^[\p{L}\p{M}\p{Nd}\-_&,.'`\s]*$/u
const EMAIL = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\.]+(?:\.[^\s@<>(),;:"\\.]+)+$/u

/** Characters as people count them, without white space at the ends. */
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

/** Letters (of any script), digits and `- _ & , . ' `` ` and space; 50 characters. */
export const projectName: Rule = withinSymbols(NAME, PROJECT_NAME_MAX_CHARACTERS)
export const deviceName: Rule = withinSymbols(NAME, DEVICE_NAME_MAX_CHARACTERS)
export const location: Rule = withinSymbols(NAME, LOCATION_MAX_CHARACTERS)
/** Any other name. */
export const freeName: Rule = withinSymbols(NAME, PROJECT_NAME_MAX_CHARACTERS)
/** The characters of names, and new lines; 300 characters. */
export const description: Rule = withinSymbols(TEXT, DESCRIPTION_MAX_CHARACTERS)

/** Any characters; 300 characters. */
export const note: Rule = within(DESCRIPTION_MAX_CHARACTERS)

/** One @, and a domain of at least two parts. */
export const email: Rule = (text) => {
  const address = text.trim()
  if (!EMAIL.test(address)) return VALIDATION.email
  return address.length > EMAIL_MAX_CHARACTERS ? VALIDATION.tooLong(EMAIL_MAX_CHARACTERS) : null
}

/** A typed or pasted code in upper case, without spaces and hyphens. */
export function registrationCode(text: string): string {
  return text.replace(/[\s-]+/g, '').toUpperCase()
}

/** Whether the code is complete; forms look up licenses only then. */
export function isRegistrationCode(code: string): boolean {
  return code.length === REGISTRATION_CODE_CHARACTERS && /^[A-Z0-9]+$/.test(code)
}
