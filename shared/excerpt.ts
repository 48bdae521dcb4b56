// How a text that somebody else wrote is quoted in answers and logs: enough to recognise it, and nothing that could fill
// or forge them. What is said about it is not decided here.

const EXCERPT_MAX_CHARACTERS = 100
/** Control and format characters, line and paragraph separators: they could hide or feign text around them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The beginning of a text, without invisible characters; an ellipsis stands for what was cut off. */
export function excerpt(text: string, maxCharacters = EXCERPT_MAX_CHARACTERS): string {
  const beginning = text.slice(0, maxCharacters).toWellFormed().replace(INVISIBLE, ' ')
  return text.length > maxCharacters ? `${beginning}…` : beginning
}
