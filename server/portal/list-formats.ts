// Sends a list as one JSON text with a page, or whole: as CSV, or as lines (NDJSON).
import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { type CsvColumn, csvHeader, fileName } from '#shared/csv.ts'
import { type RowFormat, rowText } from '../row-text.ts'
import { nextStep } from '../steps.ts'
import type { Answer, Caller, Refusal } from '../types.ts'
import { visibilityOf } from '../upstreams/visibility.ts'
import { sendJson } from './encoding.ts'
import { begun, ENDED_EARLY, sendLines, withReason } from './lines.ts'
import { assertSameRights } from './readings/readings.ts'

export const LIST_FORMATS = ['application/json', 'text/csv', 'application/x-ndjson'] as const

export const LIST_FORMATS_TEXT = `With \`Accept: text/csv\` or \`application/x-ndjson\` all rows that match, whatever \`page\` and \`size\` say. The first line of NDJSON has what the JSON answer has besides \`items\` and \`page\`. The header \`X-Partial\` has the number of entries of \`partial\`. ${ENDED_EARLY} CSV is then cut off.`

/** The answers of a list in these formats. */
export const listAnswers = (
  schema: TSchema,
  lines: TSchema,
  more: Pick<Answer, 'hasUpstreamRecords'> = {}
): Record<200, Answer> => ({
  200: { headers: { 'X-Partial': 'The number of entries of `partial`.' }, schema, lines, csv: true, ...more }
})

export const LIST_REFUSALS: Readonly<Record<number, Refusal>> = {
  406: { description: 'The caller accepts none of the formats.', problem: 'not_acceptable' }
}

interface Summary {
  partial: readonly unknown[]
}

/** Sends a page as JSON. @param partialCount number of entries of its `partial` */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  partialCount: number,
  body: Buffer
): Promise<FastifyReply> {
  reply.header('x-partial', partialCount)
  return sendJson(request, reply, body, 'accept, accept-encoding')
}

interface Whole {
  /** Names the file. */
  name: string
  format: RowFormat
  caller: Caller
  nowMs: number
  /** The fields of the JSON answer except `items` and `page`. */
  summary: Summary
  /** The rows in this format; CSV with its header. */
  texts: AsyncGenerator<string, void, void>
}

/** Sends all rows. Throws a failure of the first ones. Ends early if the caller signs out or has other roles. */
export async function sendWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, format, caller, nowMs, summary, texts }: Whole
): Promise<FastifyReply> {
  const isCsv = format === 'text/csv'
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const rows = await begun(whileAllowed(texts, caller))
  reply
    .header('vary', 'accept')
    .header('x-partial', summary.partial.length)
    .header(
      'content-disposition',
      create(fileName([name, day], isCsv ? 'csv' : 'ndjson'), { type: isCsv ? 'attachment' : 'inline' })
    )
  return isCsv
    ? reply.type('text/csv; charset=utf-8').send(Readable.from(withReason(rows, request)))
    : sendLines(request, reply, withSummary(summary, rows))
}

/** Checks the rights before each part. */
async function* whileAllowed(texts: AsyncIterable<string>, caller: Caller) {
  const visibility = visibilityOf(caller)
  for await (const text of texts) {
    await assertSameRights(caller, visibility)
    yield text
  }
}

async function* withSummary(summary: Summary, rows: AsyncIterable<string>) {
  yield `${JSON.stringify(summary)}\n`
  yield* rows
}

/** Rows that are written without a pause, in about two milliseconds. */
const ROWS_AT_ONCE = 500

/** Writes rows in a format, a part at a time. */
export async function* textsOf<Row, Answer>(
  rows: readonly Row[],
  answerOf: (row: Row) => Answer,
  format: RowFormat,
  columns: readonly CsvColumn<Answer>[]
): AsyncGenerator<string, void, void> {
  if (format === 'text/csv') yield csvHeader(columns)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    yield rowText(rows.slice(at, at + ROWS_AT_ONCE).map(answerOf), format, columns)
    await nextStep()
  }
}
