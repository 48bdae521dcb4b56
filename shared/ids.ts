// Identifiers of the upstreams: opaque strings, each one plain segment of a path. A text that could be read as a path,
// a query or a list is no id, so an id that was decided on cannot mean another address upstream.

export const ID_MAX_CHARACTERS = 128
/** The longest id in a path: a UTF-16 unit takes up to three bytes of UTF-8, and each byte three characters (RFC 3986, section 2.1). */
export const ID_MAX_ENCODED_CHARACTERS = 9 * ID_MAX_CHARACTERS

/** Characters that servers may map to a slash, a backslash or a dot, by NFKC or by a code page: ⁄ ∕ ／ ＼ ． */
const LIKE_SEPARATORS = '\\u2044\\u2215\\uff0f\\uff3c\\uff0e'
/** As JSON Schema writes it: no white space, control character or separator, and not dots alone. */
export const ID_PATTERN = `^(?!\\.+$)[^\\s/\\\\?#%;,"<>\\u0000-\\u001f\\u007f${LIKE_SEPARATORS}]{1,${ID_MAX_CHARACTERS}}$`

const ID = new RegExp(ID_PATTERN)

/** Whether a text can name an object. */
export function isId(text: string): boolean {
  return ID.test(text)
}
