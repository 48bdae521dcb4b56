// Whether something secret stands in a text in clear, or in a form that anybody can read back: percent-encoded, base64,
// hex. Long values are looked for anywhere, short ones as words of their own: as parts of words they mean nothing.

export interface Secret {
  /** What it is, for the report. */
  name: string
  value: string
}

const SHORT = 12
/** Forms are found by their first characters, so that thousands of them take one walk through the text. */
const GRAM = 10
/** So short that it is found in anything. */
const NOTHING = 3
/** A JSON Web Token looks so, whosever it is. Its first letters alone are in every long enough noise. */
const ANY_TOKEN = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{2,}\./

/** What of the secrets the texts tell, a line each. */
export function leaksIn(texts: Iterable<string>, secrets: Iterable<Secret>): string[] {
  const known = [...secrets].filter(({ value }) => value.length >= NOTHING)
  const words = new Map(known.filter(({ value }) => value.length < SHORT).map((one) => [one.value, one.name]))
  const grams = new Map<string, Secret[]>()
  for (const { name, value } of known) {
    if (value.length < SHORT) continue
    for (const form of formsOf(value)) {
      const gram = form.slice(0, GRAM)
      grams.set(gram, [...(grams.get(gram) ?? []), { name, value: form }])
    }
  }
  const leaks = new Set<string>()
  for (const text of new Set(texts)) {
    const token = ANY_TOKEN.exec(text)
    if (token !== null) leaks.add(`a token: ${around(text, token.index)}`)
    for (let at = 0; at + GRAM <= text.length; at += 1) {
      for (const { name, value } of grams.get(text.slice(at, at + GRAM)) ?? [])
        if (text.startsWith(value, at)) leaks.add(`${name}: ${around(text, at)}`)
    }
    for (const { 0: word, index } of text.matchAll(/[\w-]+/g)) {
      const name = words.get(word)
      if (name !== undefined && !isNoise(text, index, word.length))
        leaks.add(`${name}: ${around(text, index)}`)
    }
  }
  return [...leaks]
}

/** Bytes that are no letters, as a Redis tells what it was told. */
const BYTE = /\\x[0-9a-f]{2}/g
const BESIDE = 80
/** Of the bytes of something sealed nearly two in three are no letters. */
const BYTES_IN_NOISE = 1 / 3

/** Among the bytes of something sealed any three letters stand by chance, once in some megabytes, at its ends as well. */
function isNoise(text: string, at: number, length: number): boolean {
  const beside = text.slice(Math.max(0, at - BESIDE), at) + text.slice(at + length, at + length + BESIDE)
  const bytes = beside.match(BYTE)?.length ?? 0
  return bytes > BYTES_IN_NOISE * beside.replace(BYTE, '.').length
}

/** Every way in which it could stand in a text and be read by anybody. */
function formsOf(value: string): Set<string> {
  const encoded = [0, 1, 2].flatMap((before) => {
    // In the middle of something encoded its own characters depend on how many bytes come before it.
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const [from, to] = [[0, 2, 3][before], Math.floor((bytes.length * 4) / 3)]
    return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(from, to))
  })
  const hex = Buffer.from(value).toString('hex')
  return new Set([value, encodeURIComponent(value), hex, hex.toUpperCase(), ...encoded])
}

const around = (text: string, at: number) => text.slice(Math.max(0, at - 40), at + 60)
