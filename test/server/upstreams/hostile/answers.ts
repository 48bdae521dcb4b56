// The ways in which a hostile upstream answers: each yields the bytes that it sends, and the milliseconds that it waits.
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** What an honest upstream would answer. */
export interface Honest {
  json: object
  text: string
  /** The name of its list in `_embedded`; null for another body. */
  rel: string | null
  /** Path and query of the call. */
  target: string
}

/** Bytes, or milliseconds to wait. At its end the connection is closed. */
export type Sent = Generator<Buffer | string | number, void, void>
export type HostileAnswer = (honest: Honest) => Sent

const MB = 2 ** 20
/** More than any limit; longer answers are broken off by then or never. */
const ENDLESS_BYTES = 64 * MB
/** Longer than the gateway waits. */
const TOO_LATE_MS = 4_000
const EVERY_MS = 50

const times = (count: number, text: string) => `${text},`.repeat(count - 1) + text
/** A list, or what is before and behind its items. */
const start = ({ rel }: Honest) => (rel === null ? '[' : `{"_embedded":{"${rel}":[`)
const end = ({ rel }: Honest) => (rel === null ? ']' : ']}}')
const list = (honest: Honest, items: string) => start(honest) + items + end(honest)

function head(headers: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}connection: close\r\n\r\n`
}

function* whole(body: string | Buffer | (string | Buffer)[], headers = '', status?: string): Sent {
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

function* trickle(text: string, everyMs: number): Sent {
  for (const character of text.slice(0, TOO_LATE_MS / everyMs)) {
    yield character
    yield everyMs
  }
}

/** The honest answer with something more in it, which is given as JSON. */
function padded({ json, text }: Honest, padding: string | Buffer): Sent {
  return whole([text.slice(0, -1), Array.isArray(json) ? ',' : ',"padding":', padding, text.slice(-1)])
}

/** The same object with a list of others, whose texts are all as long as can be kept. */
function longNames({ json, rel }: Honest): string {
  const items = rel === null ? json : (json as Record<string, Record<string, unknown[]>>)._embedded?.[rel]
  const [first = {}] = Array.isArray(items) ? items : [items]
  const many = Array.from({ length: 490 }, (_, number) =>
    Object.fromEntries(
      Object.entries(first as object).map(([key, value]) => [
        key,
        typeof value === 'string' ? `${'1'.repeat(key.endsWith('d') ? 100 : 990)}${number}` : value
      ])
    )
  )
  return JSON.stringify(Array.isArray(json) ? many : rel === null ? many[0] : { _embedded: { [rel]: many } })
}

const numbered = (count: number, text: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join()
const MANY_OBJECTS = Buffer.from(times(10 * MB, '{}'))
const MEMBERS = Buffer.from(`{${numbered(49_000, (at) => `"k${at}":1`)}}`)
const SHAPES = Buffer.from(`[${numbered(16_000, (at) => `{"k${at}":{}}`)}]`)
const TOO_MANY_MEMBERS = Buffer.from(`{${numbered(300_000, (at) => `"k${at}":1`)}}`)
const BRACKETS = Buffer.alloc(15 * MB, '[')
const NESTED = Buffer.from(`${'{"a":'.repeat(MB)}1${'}'.repeat(MB)}`)

/** As much as the limits allow: it is read. */
const ALLOWED: Record<string, HostileAnswer> = {
  'as many empty objects as allowed': (honest) => whole(list(honest, times(24_990, '{}'))),
  'brackets in each other, as deep as allowed': (honest) => padded(honest, '['.repeat(31) + ']'.repeat(31)),
  '49,000 members': (honest) => padded(honest, MEMBERS),
  '16,000 shapes of objects': (honest) => padded(honest, SHAPES),
  'a number of 1.9 MB': (honest) => padded(honest, '1'.repeat(1.9 * MB)),
  '1.9 MB of escapes': (honest) => padded(honest, `"${'\\u0041'.repeat(300_000)}"`),
  'long names': (honest) => whole(longNames(honest))
}

const SIZES: Record<string, HostileAnswer> = {
  '2 MB and a little': (honest) => padded(honest, `"${'x'.repeat(2.1 * MB)}"`),
  '31 MB of empty objects': (honest) => whole([start(honest), MANY_OBJECTS, end(honest)]),
  '1.9 MB of empty objects': (honest) => whole(list(honest, times(600_000, '{}'))),
  'a string without end': () => endless('{"id":"', 'x'),
  'a list without end': (honest) => endless(start(honest), '{},'),
  'white space without end': () => endless('', ' '),
  '15 million brackets': () => whole(BRACKETS),
  'a million objects in each other': () => whole(NESTED),
  '300,000 members': () => whole(TOO_MANY_MEMBERS),
  nothing: () => whole(''),
  'a page of HTML': () => whole('<h1>Maintenance</h1>'),
  'half of it': ({ text }) => whole(text.slice(0, text.length / 2)),
  'it twice': ({ text }) => whole(text + text)
}

const spaces = Buffer.alloc(64 * MB, ' ')
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const BOMBS = {
  gzip: gzipSync(spaces, { level: 1 }),
  deflate: deflateSync(spaces, { level: 1 }),
  br: brotliCompressSync(spaces, quick),
  zstd: zstdCompressSync(spaces)
}
const MANY_OBJECTS_GZIP = gzipSync(MANY_OBJECTS, { level: 1 })
const coded = (coding: string, body: Buffer | Buffer[], status?: string) =>
  whole(body, `content-encoding: ${coding}\r\n`, status)

const ENCODINGS: Record<string, HostileAnswer> = {
  ...Object.fromEntries(
    Object.entries(BOMBS).flatMap(([coding, bomb]): [string, HostileAnswer][] => [
      [`64 MB in ${coding}`, () => coded(coding, bomb)],
      [`64 MB in ${coding}, as a failure`, () => coded(coding, bomb, '500 Failed')]
    ])
  ),
  'gzip, though not asked for': ({ text }) => coded('gzip', gzipSync(text)),
  // Parts that were compressed apart are one (RFC 1952, section 2.2).
  'gzip of 31 MB of empty objects': (honest) =>
    coded('gzip', [gzipSync(start(honest)), MANY_OBJECTS_GZIP, gzipSync(end(honest))]),
  'gzip twice': ({ text }) => coded('gzip, gzip', gzipSync(gzipSync(text))),
  'gzip that is none': ({ text }) => coded('gzip', Buffer.from(text)),
  'gzip that breaks off': ({ text }) => coded('gzip', gzipSync(text).subarray(0, -12)),
  'an unknown coding': ({ text }) => coded('rot13', Buffer.from(text)),
  'invalid UTF-8': ({ text }) => whole(Buffer.from(text.replaceAll('a', '\u00ff'), 'latin1')),
  'a byte order mark': ({ text }) => whole(`\ufeff${text}`),
  'UTF-16': ({ text }) => whole(Buffer.from(text, 'utf16le')),
  'bytes by chance': ({ text }) =>
    whole(Buffer.from(Uint8Array.from(text, (_, at) => (at * 31 + (at >> 3) * 17) % 256)))
}

const refusal = (status: string, body: string) => () => whole(body, '', status)
const REFUSALS: Record<string, HostileAnswer> = {
  ...Object.fromEntries(
    ['400', '403', '404', '409', '418', '429', '500', '502', '503', '504', '599', '999'].map((status) => [
      `status ${status}`,
      refusal(`${status} No`, '{"errors":[{"code":"a b\\n"},{"code":7},null]}')
    ])
  ),
  'a failure without end': () => endless('', '{"errors":['),
  'a failure of a million brackets': refusal('500 No', '['.repeat(MB)),
  'status 204 with a body': refusal('204 Empty', '{}'),
  'status 304': () => whole('', '', '304 Same'),
  'status 101': () => whole('', 'upgrade: websocket\r\n', '101 Switch')
}

const LENGTHS: Record<string, HostileAnswer> = {
  ...Object.fromEntries(
    [
      '-1',
      'x',
      '1e3',
      '99999999999999999999',
      '5\r\ncontent-length: 6',
      '5\r\ntransfer-encoding: chunked'
    ].map((length): [string, HostileAnswer] => [
      `length ${JSON.stringify(length)}`,
      function* ({ text }) {
        yield head(`content-length: ${length}\r\n`) + text
      }
    ])
  ),
  *'a length beyond the end'({ text }) {
    yield head(`content-length: ${text.length + 100}\r\n`) + text
  },
  *'a length before the end'({ text }) {
    yield head(`content-length: ${text.length - 2}\r\n`) + text
  },
  *'a body of 4 GB, as declared'() {
    yield head('content-length: 4294967296\r\n')
  },
  ...Object.fromEntries(
    [
      'zz\r\n{}\r\n0\r\n\r\n',
      '2\r\n{}',
      '-2\r\n{}\r\n0\r\n\r\n',
      '2\r\n{}x\r\n0\r\n\r\n',
      'ffffffffffffffffff\r\n{}',
      `2;${'x'.repeat(MB)}\r\n{}\r\n0\r\n\r\n`
    ].map((chunks): [string, HostileAnswer] => [
      `chunks ${JSON.stringify(chunks.slice(0, 20))}`,
      function* () {
        yield head('transfer-encoding: chunked\r\n') + chunks
      }
    ])
  ),
  *'chunks of one byte'() {
    yield head('transfer-encoding: chunked\r\n')
    const chunks = Buffer.from('1\r\n \r\n'.repeat(20_000))
    for (let sent = 0; sent < 2.2 * MB; sent += 20_000) yield chunks
    yield '0\r\n\r\n'
  },
  *'a header of 100 KB'({ text }) {
    yield head(`x-long: ${'x'.repeat(100_000)}\r\n`) + text
  },
  *'100,000 headers'({ text }) {
    yield head('x: y\r\n'.repeat(100_000)) + text
  },
  *'no status line'({ text }) {
    yield text
  },
  *'an early hint without end'() {
    for (let sent = 0; sent < 100; sent += 1) yield 'HTTP/1.1 103 Early\r\nlink: </x>\r\n\r\n'.repeat(500)
  },
  *'an end without an answer'() {},
  *'two answers'({ text }) {
    yield* whole(text)
    yield* whole(text)
  }
}

const SLOW: Record<string, HostileAnswer> = {
  *silence() {
    yield TOO_LATE_MS
  },
  *'headers, letter by letter'({ text }) {
    yield* trickle(head(`content-length: ${text.length}\r\n`) + text, EVERY_MS)
  },
  *'a body, letter by letter'({ text }) {
    yield head(`content-length: ${text.length}\r\n`)
    yield* trickle(text, EVERY_MS)
  },
  *'half a body, then silence'({ text }) {
    yield head(`content-length: ${text.length}\r\n`) + text.slice(0, text.length / 2)
    yield TOO_LATE_MS
  },
  *'a failure, letter by letter'() {
    yield head('', '500 Failed')
    yield* trickle('{"errors":[{"code":"x"}]}'.repeat(10), EVERY_MS)
  },
  *'an unknown coding, letter by letter'({ text }) {
    yield head('content-encoding: rot13\r\n')
    yield* trickle(text, EVERY_MS)
  }
}

let links = 0
const linked = (next: string, more: object = {}) =>
  function* ({ rel }: Honest): Sent {
    const empty = rel === null ? {} : { _embedded: { [rel]: [] } }
    yield* whole(JSON.stringify({ ...empty, _links: { next: { href: next } }, ...more }))
  }

/** @param elsewhere an address that must not be called */
export const pagings = (elsewhere: string): Record<string, HostileAnswer> => ({
  ...Object.fromEntries(
    [1e9, -1, 0.5, 2 ** 53, 101, '7', null].map((totalPages): [string, HostileAnswer] => [
      `${totalPages} pages`,
      ({ json }) => whole(JSON.stringify({ ...json, page: { totalPages, totalElements: totalPages } }))
    ])
  ),
  'pages that lead in a circle': (honest) => linked(honest.target)(honest),
  'a page elsewhere': linked(`${elsewhere}/x`),
  'a page with a line break': linked('/x\r\nhost: x'),
  'a page of a long address': linked(`/${'x'.repeat(100_000)}`),
  *'pages without end'(honest) {
    links += 1
    const [path] = honest.target.split('?')
    yield* linked(`${path}?page=${links}`)(honest)
  }
})

/** By kind, each with how many of them every call is answered with: those that all calls meet in the same code are shared out. */
export const HOSTILE_ANSWERS: [answers: Record<string, HostileAnswer>, perCall: number][] = [
  [ALLOWED, Object.keys(ALLOWED).length],
  [SIZES, 5],
  [ENCODINGS, 4],
  [REFUSALS, 4],
  [LENGTHS, 5],
  [SLOW, 2]
]

export const sendText = (text: string): Sent => whole(text)
