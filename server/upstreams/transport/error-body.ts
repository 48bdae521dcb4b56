// Reads the body of an upstream's error answer in any content coding (RFC 9110, section 8.4.1), because its error code is
// sent to callers. Ignores a body that is too long or cannot be decoded.
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/** Maximum size before and after decoding. A refusal has a few hundred bytes. */
const MAX_BYTES = 64 * 1024
const DECODE_OPTIONS = { maxOutputLength: MAX_BYTES }

type Decode = (bytes: Buffer, options: typeof DECODE_OPTIONS) => Promise<Buffer>

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

interface ErrorAnswer {
  headers: IncomingHttpHeaders
  body: Buffer | AsyncIterable<Buffer>
}

/** Parses the JSON of the body; null if it cannot be read. Never rejects. */
export async function errorBody({ headers, body }: ErrorAnswer): Promise<unknown> {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return null
      chunks.push(chunk)
    }
    const decode = DECODERS.get((headers['content-encoding'] ?? 'identity').trim().toLowerCase())
    return decode ? JSON.parse((await decode(Buffer.concat(chunks), DECODE_OPTIONS)).toString('utf8')) : null
  } catch {
    return null
  }
}
