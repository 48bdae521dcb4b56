// The text of a file that a spreadsheet has saved, in whatever encoding.

/** Text is no text if it contains control characters other than tab and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000E-\u001F\uFFFE\uFFFF]/

const BYTE_ORDER_MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]]
]

export interface FileText {
  /** Without the byte order mark. */
  text: string
  /** Whether the encoding is a guess, so that letters such as "ü" may be wrong. */
  isGuess: boolean
}

/** Null if the file is not a text. */
export function textOf(bytes: Uint8Array): FileText | null {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  const [encoding] = marked ?? ['utf-8']
  const text = decodedAs(encoding, bytes)
  if (text !== null) return checked({ text, isGuess: false })
  if (marked) return null
  // Excel for Windows saves "CSV" without a mark in the code page of the system.
  return checked({ text: decodedAs('windows-1252', bytes) ?? '', isGuess: true })
}

const checked = (content: FileText) => (CONTROL_CHARACTERS.test(content.text) ? null : content)

/** Null if the bytes are invalid in the encoding. */
function decodedAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Whether the file is an Excel workbook or another archive or document of a spreadsheet. */
export function isWorkbook([first, second]: Uint8Array): boolean {
  const isArchive = first === 0x50 && second === 0x4b
  const isOldWorkbook = first === 0xd0 && second === 0xcf
  return isArchive || isOldWorkbook
}
