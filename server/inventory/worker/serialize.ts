// Serializes and compresses a customer's tree once, to send it many times. Works in chunks, so that no thread is busy with
// the whole tree at once. The tag identifies the data.
import { createHash } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { CustomerTree, Device } from '#shared/answers/customers.ts'
import { nextStep } from '../../steps.ts'
import type { Encoding } from '../worker-messages.ts'

interface Chunked {
  chunks: readonly Uint8Array[]
  bytes: number
}

export interface Serialized extends Chunked {
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
  for (const text of joinTexts(textsOf(tree))) {
    const chunk = Buffer.from(text)
    hash.update(chunk)
    chunks.push(chunk)
    await nextStep()
  }
  return { ...chunked(chunks), tag: hash.digest('base64url').slice(0, 27) }
}

function chunked(chunks: readonly Uint8Array[]): Chunked {
  return { chunks, bytes: chunks.reduce((sum, { length }) => sum + length, 0) }
}

/** The JSON text of the tree after its head, in parts. */
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

/** Joins texts to chunks of about CHUNK_CHARACTERS. */
function* joinTexts(texts: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const text of texts) {
    chunk += text
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Size of compressed chunks. Smaller chunks would be more work for the threads that compress. */
const CHUNK_BYTES = 256 * 1024
const ENCODERS: Record<Encoding, () => Transform> = {
  br: () => createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES, level: 6 })
}

/** Returns the tree in an encoding, or without one. Caches the compressed chunks. */
export function createRepresentations(tree: Chunked): (encoding: Encoding | null) => Promise<Chunked> {
  const cache = new Map<Encoding, Promise<Chunked>>()
  return async (encoding) => {
    if (encoding === null) return tree
    const compressed = cache.get(encoding) ?? compress(tree, encoding)
    cache.set(encoding, compressed)
    return compressed
  }
}

async function compress({ chunks }: Chunked, encoding: Encoding): Promise<Chunked> {
  const compressed: Uint8Array[] = []
  for await (const chunk of Readable.from(chunks).pipe(ENCODERS[encoding]())) compressed.push(chunk)
  return chunked(compressed)
}
