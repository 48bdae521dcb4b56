// Hostile answers. Each answer yields bytes to send and milliseconds to wait.
import { gzipSync } from 'node:zlib'

export interface Honest {
  json: object
  text: string
  /** The name of the list in `_embedded`; null for a body without a list. */
  rel: string | null
  target: string
}

/** Bytes to send, or milliseconds to wait. The connection is closed after the last item. */
export type Sent = Generator<Buffer | string | number, void, void>
export type HostileAnswer = (honest: Honest) => Sent

const MB = 2 ** 20
/** The length of an endless answer, which exceeds every limit of the gateway. */
const ENDLESS_BYTES = 64 * MB
/** A delay longer than the gateway’s timeout of 3 s. */
const TIMEOUT_MS = 4_000
const DELAY_MS = 50

const times = (count: number, text: string) => `${text},`.repeat(count - 1) + text
const start = ({ rel }: Honest) => (rel === null ? '[' : `{"_embedded":{"${rel}":[`)
const end = ({ rel }: Honest) => (rel === null ? ']' : ']}}')
const list = (honest: Honest, items: string) => start(honest) + items + end(honest)

function head(headers: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}connection: close\r\n\r\n`
}

export function* whole(body: string | Buffer | (string | Buffer)[], headers = '', status?: string): Sent {
  const parts = [body].flat().map((part) => Buffer.from(part))
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  yield head(`content-length: ${length}\r\n${headers}`, status)
  for (const part of parts) for (let at = 0; at < part.length; at += MB) yield part.subarray(at, at + MB)
}

function* endless(start: string, piece: string): Sent {
  yield head('')
  yield start
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  for (let sent = 0; sent < ENDLESS_BYTES; sent += bytes.length) yield bytes
}

function* trickle(text: string, delayMs: number): Sent {
  for (const character of text.slice(0, TIMEOUT_MS / delayMs)) {
    yield character
    yield delayMs
  }
}

function pad({ json, text }: Honest, padding: string | Buffer): Sent {
  return whole([text.slice(0, -1), Array.isArray(json) ? ',' : ',"padding":', padding, text.slice(-1)])
}

const numberedList = (count: number, text: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join()
const MANY_OBJECTS = Buffer.from(times(10 * MB, '{}'))
const TOO_MANY_MEMBERS = Buffer.from(`{${numberedList(300_000, (at) => `"k${at}":1`)}}`)
const NESTED = Buffer.from(`${'{"a":'.repeat(MB)}1${'}'.repeat(MB)}`)

const ALLOWED: Record<string, HostileAnswer> = {
  'as many empty objects as allowed': (honest) => whole(list(honest, times(24_990, '{}'))),
  'nested arrays, as deep as allowed': (honest) => pad(honest, '['.repeat(31) + ']'.repeat(31)),
  '1.9 MB of escapes': (honest) => pad(honest, `"${'\\u0041'.repeat(300_000)}"`)
}

const SIZES: Record<string, HostileAnswer> = {
  '2.1 MB': (honest) => pad(honest, `"${'x'.repeat(2.1 * MB)}"`),
  '31 MB of empty objects': (honest) => whole([start(honest), MANY_OBJECTS, end(honest)]),
  'an endless list': (honest) => endless(start(honest), '{},'),
  'endless white space': () => endless('', ' '),
  'a million nested objects': () => whole(NESTED),
  '300,000 members': () => whole(TOO_MANY_MEMBERS),
  'an empty body': () => whole(''),
  'half a body': ({ text }) => whole(text.slice(0, text.length / 2))
}

const BOMB = gzipSync(Buffer.alloc(64 * MB, ' '), { level: 1 })
const MANY_OBJECTS_GZIP = gzipSync(MANY_OBJECTS, { level: 1 })
const encode = (coding: string, body: Buffer | Buffer[], status?: string) =>
  whole(body, `content-encoding: ${coding}\r\n`, status)

const ENCODINGS: Record<string, HostileAnswer> = {
  '64 MB in gzip': () => encode('gzip', BOMB),
  '64 MB in gzip, as a failure': () => encode('gzip', BOMB, '500 Failed'),
  // Concatenated gzip members are one file (RFC 1952, section 2.2).
  'gzip of 31 MB of empty objects': (honest) =>
    encode('gzip', [gzipSync(start(honest)), MANY_OBJECTS_GZIP, gzipSync(end(honest))]),
  'truncated gzip': ({ text }) => encode('gzip', gzipSync(text).subarray(0, -12)),
  'an unknown coding': ({ text }) => encode('rot13', Buffer.from(text)),
  'invalid UTF-8': ({ text }) => whole(Buffer.from(text.replaceAll('a', '\u00ff'), 'latin1')),
  'UTF-16': ({ text }) => whole(Buffer.from(text, 'utf16le'))
}

const LENGTHS: Record<string, HostileAnswer> = {
  *'a declared length above the length of the body'({ text }) {
    yield head(`content-length: ${text.length + 100}\r\n`) + text
  },
  *'a declared length of 4 GB'() {
    yield head('content-length: 4294967296\r\n')
  },
  *'chunks of one byte'() {
    yield head('transfer-encoding: chunked\r\n')
    const chunks = Buffer.from('1\r\n \r\n'.repeat(20_000))
    for (let sent = 0; sent < 2.2 * MB; sent += 20_000) yield chunks
    yield '0\r\n\r\n'
  },
  *'100,000 headers'({ text }) {
    yield head('x: y\r\n'.repeat(100_000)) + text
  },
  *'50,000 early hints'() {
    for (let sent = 0; sent < 100; sent += 1) yield 'HTTP/1.1 103 Early\r\nlink: </x>\r\n\r\n'.repeat(500)
  },
  *'two answers'({ text }) {
    yield* whole(text)
    yield* whole(text)
  }
}

const SLOW: Record<string, HostileAnswer> = {
  *'no answer'() {
    yield TIMEOUT_MS
  },
  *'a slow body'({ text }) {
    yield head(`content-length: ${text.length}\r\n`)
    yield* trickle(text, DELAY_MS)
  },
  *'half a body, then nothing'({ text }) {
    yield head(`content-length: ${text.length}\r\n`) + text.slice(0, text.length / 2)
    yield TIMEOUT_MS
  },
  *'a slow failure'() {
    yield head('', '500 Failed')
    yield* trickle('{"errors":[{"code":"x"}]}'.repeat(10), DELAY_MS)
  }
}

let links = 0
const linkTo = (href: string, more: object = {}) =>
  function* ({ rel }: Honest): Sent {
    const emptyList = rel === null ? {} : { _embedded: { [rel]: [] } }
    yield* whole(JSON.stringify({ ...emptyList, _links: { next: { href: href } }, ...more }))
  }

/** @param foreignUrl an address that must not be called */
export const pagings = (foreignUrl: string): Record<string, HostileAnswer> => ({
  ...Object.fromEntries(
    [1e9, -1, '7'].map((totalPages): [string, HostileAnswer] => [
      `${totalPages} pages`,
      ({ json }) => whole(JSON.stringify({ ...json, page: { totalPages, totalElements: totalPages } }))
    ])
  ),
  'a page that links to itself': (honest) => linkTo(honest.target)(honest),
  'a page at another host': linkTo(`${foreignUrl}/x`),
  *'endless pages'(honest) {
    links += 1
    const [path] = honest.target.split('?')
    yield* linkTo(`${path}?page=${links}`)(honest)
  }
})

export const HOSTILE_ANSWERS: [answers: Record<string, HostileAnswer>, perCall: number][] = [
  [ALLOWED, Object.keys(ALLOWED).length],
  [SIZES, 4],
  [ENCODINGS, 4],
  [LENGTHS, 3],
  [SLOW, 2]
]
