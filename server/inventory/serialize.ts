// A customer's tree as JSON, serialized and compressed once and sent many times, in chunks so that no thread handles all
// of it at once. Its tag identifies the data.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { CustomerTree, Device } from '#shared/entities.ts'
import { turn } from './turn.ts'

interface Written {
  chunks: readonly Uint8Array[]
  bytes: number
}

export interface Serialized extends Written {
  /** Equal for equal data, independent of the time of assembly. */
  tag: string
}

const CHUNK_CHARACTERS = 512 * 1024
const DEVICES_PER_TEXT = 250

export async function serializeTree(tree: CustomerTree): Promise<Serialized> {
  const { customerId, assembledAt, partial } = tree
  const hash = createHash('sha256').update(JSON.stringify([customerId, partial]))
  const head = `${JSON.stringify({ customerId, assembledAt, partial }).slice(0, -1)},"projects":[`
  const chunks: Uint8Array[] = [Buffer.from(head)]
  for (const text of joined(textsOf(tree))) {
    const chunk = Buffer.from(text)
    hash.update(chunk)
    chunks.push(chunk)
    await turn()
  }
  return { ...writtenOf(chunks), tag: hash.digest('base64url').slice(0, 27) }
}

function writtenOf(chunks: readonly Uint8Array[]): Written {
  return { chunks, bytes: chunks.reduce((sum, { length }) => sum + length, 0) }
}

/** Everything after the head. */
function* textsOf({ projects, unassigned }: CustomerTree): Generator<string> {
  let comma = ''
  for (const { devices, ...project } of projects) {
    yield `${comma}${JSON.stringify(project).slice(0, -1)},"devices":[`
    yield* listOf(devices)
    yield ']}'
    comma = ','
  }
  yield '],"unassigned":['
  yield* listOf(unassigned)
  yield ']}'
}

function* listOf(devices: readonly Device[]): Generator<string> {
  for (let from = 0; from < devices.length; from += DEVICES_PER_TEXT) {
    const list = JSON.stringify(devices.slice(from, from + DEVICES_PER_TEXT)).slice(1, -1)
    yield from === 0 ? list : `,${list}`
  }
}

/** Joins texts to chunks of about the given size. */
function* joined(texts: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const text of texts) {
    chunk += text
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Larger chunks are less work for the compressing threads. */
const CHUNK_BYTES = 256 * 1024
const ENCODERS = {
  br: () => createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES, level: 6 })
}
export type Encoding = keyof typeof ENCODERS
/** In order of preference. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** The tree in an encoding, or unencoded. Keeps the compressed chunks. */
export function createRepresentations(tree: Written): (encoding: Encoding | null) => Promise<Written> {
  const kept = new Map<Encoding, Promise<Written>>()
  return async (encoding) => {
    if (encoding === null) return tree
    const compressed = kept.get(encoding) ?? compress(tree, encoding)
    kept.set(encoding, compressed)
    return compressed
  }
}

async function compress({ chunks }: Written, encoding: Encoding): Promise<Written> {
  const compressed: Uint8Array[] = []
  for await (const chunk of Readable.from(chunks).pipe(ENCODERS[encoding]())) compressed.push(chunk)
  return writtenOf(compressed)
}
