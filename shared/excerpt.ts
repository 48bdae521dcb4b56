// Shortens texts from outside for answers and logs, so that such a text can neither flood nor forge a message.

const EXCERPT_MAX_CHARACTERS = 100
/** Control and format characters, line and paragraph separators, which could hide or imitate the surrounding text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The beginning of a text, without invisible characters. A shortened text ends with an ellipsis. */
export function excerpt(text: string, maxCharacters = EXCERPT_MAX_CHARACTERS): string {
  const beginning = text.slice(0, maxCharacters).toWellFormed().replace(INVISIBLE, ' ')
  return text.length > maxCharacters ? `${beginning}…` : beginning
}
