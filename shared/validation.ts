// The input rules (.github/product.md#forms): each returns what is wrong with a text, or null. Forms check for empty
// fields themselves.
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

/** The number of characters as people count them, without white space at the ends. */
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
/** A name without a limit of its own. */
export const freeName: Rule = withinSymbols(NAME, PROJECT_NAME_MAX_CHARACTERS)
/** As names, with new lines; 300 characters. */
export const description: Rule = withinSymbols(TEXT, DESCRIPTION_MAX_CHARACTERS)

/** Prose, which the rule for names does not concern: any characters; 300 of them. */
export const note: Rule = within(DESCRIPTION_MAX_CHARACTERS)

/** A basic pattern: one @, and a domain of at least two parts. */
export const email: Rule = (text) => {
  const address = text.trim()
  if (!EMAIL.test(address)) return VALIDATION.email
  return address.length > EMAIL_MAX_CHARACTERS ? VALIDATION.tooLong(EMAIL_MAX_CHARACTERS) : null
}

/** A registration code as a person typed or pasted it: in upper case, without spaces and hyphens. */
export function registrationCode(text: string): string {
  return text.replace(/[\s-]+/g, '').toUpperCase()
}

/** Licenses are looked up for a complete code only. */
export function isRegistrationCode(code: string): boolean {
  return code.length === REGISTRATION_CODE_CHARACTERS && /^[A-Z0-9]+$/.test(code)
}
