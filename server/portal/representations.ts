// A snapshot's tree as bytes: serialized, compressed and named by an ETag once, sent many times.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Snapshot } from './snapshots.ts'

const ENCODERS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 })
}
type Encoding = keyof typeof ENCODERS

export interface Representation {
  body: Buffer
  encoding: Encoding | null
  etag: string
}

interface Kept {
  plain: Buffer
  tag: string
  encoded: Partial<Record<Encoding, Promise<Buffer>>>
}

/** Keeps what it made for as long as the snapshot itself is kept. */
export function createRepresentations() {
  const bySnapshot = new WeakMap<Snapshot, Kept>()

  function keptOf(snapshot: Snapshot): Kept {
    let kept = bySnapshot.get(snapshot)
    if (kept === undefined) {
      const plain = Buffer.from(JSON.stringify(snapshot.tree))
      kept = { plain, tag: createHash('sha256').update(plain).digest('base64url').slice(0, 27), encoded: {} }
      bySnapshot.set(snapshot, kept)
    }
    return kept
  }

  /** @param acceptEncoding the header as sent; each encoding has an ETag of its own, for a strong one names bytes (RFC 9110 §8.8.1) */
  return async function represent(snapshot: Snapshot, acceptEncoding: string): Promise<Representation> {
    const kept = keptOf(snapshot)
    const encoding = (['br', 'gzip'] as const).find((name) => accepts(acceptEncoding, name)) ?? null
    if (encoding === null) return { body: kept.plain, encoding, etag: `"${kept.tag}"` }
    kept.encoded[encoding] ??= ENCODERS[encoding](kept.plain)
    return { body: await kept.encoded[encoding], encoding, etag: `"${kept.tag}-${encoding}"` }
  }
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((entry) => {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/** Whether the caller has it already: any of the tags it names, weakly compared (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
