// A JSON array read in slices while it arrives: a list of any length is never held as a whole.
import { problems } from '../errors.ts'
import type { Body } from './bodies.ts'
import { LIST, spaceEnd, walkableBytes } from './json-bytes.ts'
import type { RecordReader, Records } from './records.ts'
import type { Turns } from './turns.ts'

/** Read at a time: about a millisecond. */
const SLICE_BYTES = 256 * 1024
/** An element that does not end is not waited for beyond this. */
const ELEMENT_MAX_BYTES = 32 * 1024 * 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** The elements as records, slice by slice. Throws a 502 problem for anything but a complete array. */
export async function sliceArray<K extends string>(
  body: Body,
  reader: RecordReader<K>,
  turns: Turns
): Promise<Records<K>[]> {
  const done: Records<K>[] = []
  const walkable = walkableBytes()
  let opened = false
  let read = 0
  let ended = false
  let held: Buffer[] = []
  let bytes = 0
  let wanted = SLICE_BYTES

  function readSlice(): void {
    const all = walkable(held)
    const end = all.length - 1
    let at = 0
    if (!opened) {
      at = opening(all)
      opened = at > 0
    }
    if (opened && !ended) {
      ;({ at, ended } = reader.elements(all, at, read === 0))
      const slice = reader.take()
      read += slice.json.starts.length
      done.push(slice)
    }
    if (ended && spaceEnd(all, at) < end) throw problems.upstreamGarbled()
    held = [Buffer.from(all.subarray(at, end))]
    bytes = end - at
    wanted = Math.max(SLICE_BYTES, bytes * 2)
    if (bytes > ELEMENT_MAX_BYTES) throw problems.upstreamGarbled()
  }

  for await (const chunk of body) {
    held.push(chunk)
    bytes += chunk.length
    if (bytes >= wanted) await turns.take(readSlice)
  }
  await turns.take(readSlice)
  if (!ended) throw problems.upstreamGarbled()
  return done
}

/** Where the list goes on after its bracket; 0 while that is not there. */
function opening(bytes: Buffer): number {
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  const at = spaceEnd(bytes, hasMark ? BYTE_ORDER_MARK.length : 0)
  if (at === bytes.length - 1) return 0
  if (bytes[at] !== LIST) throw problems.upstreamGarbled()
  return at + 1
}
