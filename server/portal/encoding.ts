// Chooses the encoding of an answer and its ETag.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import Negotiator from 'negotiator'
import pLimit from 'p-limit'
import Type from 'typebox'
import { problems } from '../errors.ts'
import { ENCODINGS, type Encoding } from '../inventory/worker-messages.ts'

/** Content type of bodies that are already JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Description of the request header of answers with an ETag. */
export const IF_NONE_MATCH = {
  'if-none-match': Type.Optional(
    Type.String({ description: 'The `ETag` of the answer that the caller has cached.' })
  )
}

const ENTRIES_PER_STEP = 10

/** Smaller bodies are not compressed, because it would gain nothing. */
const WORTH_ENCODING_BYTES = 1024

/** Bodies that are compressed at a time, in other threads, because these take turns with the main thread on few cores. */
const ENCODED_AT_ONCE = 1

const ENCODERS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify<Buffer, Buffer>(gzip)
}

const encoders = pLimit(ENCODED_AT_ONCE)

/** The first of ENCODINGS that the caller accepts. Null if the caller accepts none. */
export function encodingFor(headers: Record<string, unknown>): Encoding | null {
  const encodings = new Negotiator({ headers: headers as Record<string, string> }).encodings([...ENCODINGS])
  return ENCODINGS.find((encoding) => encodings.includes(encoding)) ?? null
}

/**
 * Sets the ETag. Returns whether the caller has cached this version, so that 304 is enough. Each encoding has its own ETag,
 * because a strong ETag identifies bytes (RFC 9110, section 8.8.1).
 */
export function isUnchanged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  encoding: Encoding | null
): boolean {
  const etag = encoding === null ? `"${tag}"` : `"${tag}-${encoding}"`
  reply.header('etag', etag)
  // Ignore `Cache-Control: no-cache`, which browsers add if a script sets `If-None-Match` (RFC 9110, section 13.1.2).
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}

/** The JSON text of an object, whose lists may be long, in steps of a few of their entries. */
export function* jsonInSteps(object: object): Generator<void, string> {
  const fields: string[] = []
  for (const [name, value] of Object.entries(object)) {
    if (!Array.isArray(value)) {
      fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
      continue
    }
    const entries: string[] = []
    for (const entry of value) if (entries.push(JSON.stringify(entry)) % ENTRIES_PER_STEP === 0) yield
    fields.push(`${JSON.stringify(name)}:[${entries.join(',')}]`)
  }
  return `{${fields.join(',')}}`
}

/** The format that the caller prefers; the first one without a preference, undefined if the caller accepts none. */
export function preferredFormat<Format extends string>(
  { headers }: Pick<FastifyRequest, 'headers'>,
  formats: readonly Format[]
): Format | undefined {
  const type = new Negotiator({ headers: headers as Record<string, string> }).mediaType([...formats])
  return type as Format | undefined
}

/** As `preferredFormat`. Throws a 406 problem if the caller accepts none. */
export function formatFor<Format extends string>(
  request: Pick<FastifyRequest, 'headers'>,
  formats: readonly Format[]
): Format {
  const format = preferredFormat(request, formats)
  if (format === undefined) throw problems.notAcceptable([...formats])
  return format
}

/** Sends a JSON text in an encoding that the caller accepts. @param vary the request headers that the answer depends on */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  vary = 'accept-encoding'
): Promise<FastifyReply> {
  reply.header('vary', vary)
  return sendAs(reply, body.length < WORTH_ENCODING_BYTES ? null : encodingFor(request.headers), body)
}

/** Sends a JSON text in this encoding. */
export async function sendAs(
  reply: FastifyReply,
  encoding: Encoding | null,
  body: Buffer
): Promise<FastifyReply> {
  reply.type(JSON_TYPE)
  if (encoding === null) return reply.send(body)
  return reply.header('content-encoding', encoding).send(await encoders(ENCODERS[encoding], body))
}
