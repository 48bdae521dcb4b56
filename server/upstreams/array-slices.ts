// A JSON array read in slices while it arrives: a list of any length is neither held as text nor parsed in one go.
import { problems } from '../errors.ts'
import type { Turns } from './turns.ts'

/** Parsed at a time: one or two milliseconds. */
const SLICE_CHARACTERS = 256 * 1024
/** What cannot be cut into slices (no list of objects) is not read beyond this. */
const UNCUT_MAX_CHARACTERS = 32 * 1024 * 1024
/** How many ends are tried before more text is waited for. */
const TRIES = 4
/** White space between two elements that is still looked through for the end of one. */
const GAP_MAX_CHARACTERS = 64

/**
 * Hands the elements on, slice by slice, and returns what `work` made of each. Throws a 502 problem for anything but a
 * complete array.
 */
export async function sliceArray<T>(
  body: AsyncIterable<Buffer>,
  work: (elements: unknown[]) => T,
  turns: Turns
): Promise<T[]> {
  const decoder = new TextDecoder()
  const done: T[] = []
  // Parsed and worked on in one turn: what is not kept is gone before anything else happens.
  const worked = (elements: string) => {
    const list = parsed(`[${elements}]`)
    return list && { made: work(list) }
  }
  let text = ''
  let opened = false
  let wanted = SLICE_CHARACTERS
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (!opened) {
      text = text.trimStart()
      if (text === '') continue
      if (!text.startsWith('[')) throw problems.upstreamGarbled()
      text = text.slice(1)
      opened = true
    }
    if (text.length < wanted) continue
    let cut = text.length
    let result: { made: T } | null = null
    for (let tries = 0; result === null && cut > 0 && tries < TRIES; tries += 1) {
      cut = lastEnd(text, cut)
      if (cut > 0) result = await turns.take(() => worked(text.slice(0, cut)))
    }
    if (result === null) {
      wanted = text.length * 2
      if (wanted > UNCUT_MAX_CHARACTERS) throw problems.upstreamGarbled()
      continue
    }
    done.push(result.made)
    text = text.slice(text.indexOf(',', cut) + 1)
    wanted = SLICE_CHARACTERS
  }
  text = (text + decoder.decode()).trimEnd()
  const rest = opened && text.endsWith(']') ? await turns.take(() => worked(text.slice(0, -1))) : null
  if (rest === null) throw problems.upstreamGarbled()
  return [...done, rest.made]
}

/**
 * Where the last element before `limit` that may be complete ends; -1 when none does. It may be the end of an inner object, or text that
 * looks like one: then what stands before it is no complete list, and does not parse.
 */
function lastEnd(text: string, limit: number): number {
  for (let next = text.lastIndexOf('{', limit - 1); next > 0; next = text.lastIndexOf('{', next - 1)) {
    const before = text.slice(Math.max(0, next - GAP_MAX_CHARACTERS), next)
    const [gap] = /\s*,\s*$/.exec(before) ?? []
    const end = next - (gap?.length ?? 0)
    if (gap !== undefined && text[end - 1] === '}') return end
  }
  return -1
}

function parsed(text: string): unknown[] | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
