// Passes records on in small parts, as far as the reader reads, and lets other calls run between them.
import { setImmediate } from 'node:timers/promises'
import type { PointRecord } from './records.ts'

/** Records that are written without a pause, in about two milliseconds. */
const RECORDS_AT_ONCE = 1_000

/**
 * @param indexes where a point stands in the report, by the index of its records: a report may name a point twice
 * @param checkAccess called before each part; throws to end
 */
export async function* inParts(
  batches: AsyncIterable<readonly PointRecord[]>,
  indexes: readonly (readonly number[])[],
  checkAccess: () => Promise<void>
): AsyncGenerator<PointRecord[], void, void> {
  let part: PointRecord[] = []
  for await (const batch of batches) {
    for (const record of batch)
      for (const index of indexes[record.index] ?? []) {
        part.push(index === record.index ? record : { ...record, index })
        if (part.length < RECORDS_AT_ONCE) continue
        await checkAccess()
        yield part
        part = []
        await setImmediate()
      }
    if (part.length === 0) continue
    await checkAccess()
    yield part
    part = []
  }
}
