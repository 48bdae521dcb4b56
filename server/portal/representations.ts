// A snapshot's tree as callers take it: as it was written, or compressed once and sent many times. Its ETag names the
// data, so that a tree that was put together anew and is the same is not sent again.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Tree } from './tree.ts'

/** Fewer and larger pieces of work for the threads that compress. */
const CHUNK_BYTES = 256 * 1024
const ENCODERS = {
  br: () => createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES, level: 6 })
}
export type Encoding = keyof typeof ENCODERS

/** Keeps what it compressed for as long as the tree itself is kept. */
export function createCompressed() {
  const byTree = new WeakMap<Tree, Partial<Record<Encoding, Promise<Buffer>>>>()

  return function compressed(tree: Tree, encoding: Encoding): Promise<Buffer> {
    const kept = byTree.get(tree) ?? {}
    byTree.set(tree, kept)
    kept[encoding] ??= buffer(Readable.from(tree.bytes.chunks).pipe(ENCODERS[encoding]()))
    return kept[encoding]
  }
}

/** @param acceptEncoding the header as sent */
export function encodingFor(acceptEncoding: string): Encoding | null {
  return (['br', 'gzip'] as const).find((name) => accepts(acceptEncoding, name)) ?? null
}

/** Each encoding has an ETag of its own, for a strong one names bytes (RFC 9110 §8.8.1). */
export function etagOf({ tag }: Tree, encoding: Encoding | null): string {
  return encoding === null ? `"${tag}"` : `"${tag}-${encoding}"`
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
