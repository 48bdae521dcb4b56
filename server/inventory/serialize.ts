// A customer's tree as JSON, written once and sent any number of times: in chunks, so that neither thread has to handle all
// of it at a time. Its tag names the data.
import { createHash } from 'node:crypto'
import type { CustomerTree, Device } from '#shared/entities.ts'
import { turn } from './turn.ts'

export interface Written {
  chunks: readonly Uint8Array[]
  bytes: number
}

export interface Serialized extends Written {
  /** The same for the same data, whenever they were put together. */
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

export function writtenOf(chunks: readonly Uint8Array[]): Written {
  return { chunks, bytes: chunks.reduce((sum, { length }) => sum + length, 0) }
}

/** All after the head. */
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

/** The same in texts of about a chunk each. */
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
