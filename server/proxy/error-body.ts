// Reads the body of an upstream's refusal, in whatever content coding it came (RFC 9110 §8.4.1): the code in it is told
// to the caller. What is too long, or not understood, is no body.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Answer } from './exchange.ts'

/** As it came, and decoded: a refusal is a few hundred bytes. */
const MAX_BYTES = 64 * 1024
const BOUND = { maxOutputLength: MAX_BYTES }

type Decode = (bytes: Buffer, bound: typeof BOUND) => Promise<Buffer>
const DECODERS: ReadonlyMap<string, Decode> = new Map(
  Object.entries({
    identity: async (bytes) => bytes,
    gzip: promisify(gunzip) as Decode,
    'x-gzip': promisify(gunzip) as Decode,
    deflate: promisify(inflate) as Decode,
    br: promisify(brotliDecompress) as Decode,
    zstd: promisify(zstdDecompress) as Decode
  })
)

/** Its JSON; null when there is none to be had. Never rejects. */
export async function errorBody({ headers, body }: Pick<Answer, 'headers' | 'body'>): Promise<unknown> {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return null
      chunks.push(chunk)
    }
    const decode = DECODERS.get((headers['content-encoding'] ?? 'identity').trim().toLowerCase())
    return decode ? JSON.parse((await decode(Buffer.concat(chunks), BOUND)).toString('utf8')) : null
  } catch {
    return null
  }
}
