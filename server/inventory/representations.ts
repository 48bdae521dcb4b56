// A tree as callers take it: as it was written, or compressed once and sent many times.
import { Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { type Written, writtenOf } from './serialize.ts'

/** Fewer and larger pieces of work for the threads that compress. */
const CHUNK_BYTES = 256 * 1024
const ENCODERS = {
  br: () => createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES, level: 6 })
}
export type Encoding = keyof typeof ENCODERS
/** The one that is sent to those who take several comes first. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** Gives the tree in an encoding, as it is without one. What was compressed is kept. */
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
