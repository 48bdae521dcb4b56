// Shortens foreign texts for answers and logs, so that they can neither flood nor forge them.

const EXCERPT_MAX_CHARACTERS = 100
/** Control and format characters, line and paragraph separators: they could hide or imitate the surrounding text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The beginning of a text, without invisible characters. It ends with an ellipsis if it was cut. */
export function excerpt(text: string, maxCharacters = EXCERPT_MAX_CHARACTERS): string {
  const beginning = text.slice(0, maxCharacters).toWellFormed().replace(INVISIBLE, ' ')
  return text.length > maxCharacters ? `${beginning}…` : beginning
}
