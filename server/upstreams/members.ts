// Finds the members of one object after the other that are asked for. Objects of a list are alike: each one's names are
// expected where those of the one before stood, and looked up only when they are not there.
import { problems } from '../errors.ts'
import { COMMA, OBJECT, OBJECT_END, QUOTE, spaceEnd, textEnd, valueEnd, valueStart } from './json-bytes.ts'

/** What stands before a value: the name, and all from the value before. */
interface Lead {
  bytes: Buffer
  /** Of the name; -1 when it was not asked for. */
  number: number
}

const NONE = -1

export class Members {
  /** Where the value of each name begins, by its number; -1 when the last object has none. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly #numbers: Map<string, number>
  readonly #leads: Lead[] = []

  constructor(names: readonly string[]) {
    this.starts = new Int32Array(names.length)
    this.ends = new Int32Array(names.length)
    this.#numbers = new Map(names.map((name, number) => [name, number]))
  }

  /** Reads one value and tells where it ends. What is no object has no members. Throws a 502 problem for what is no JSON. */
  read(bytes: Buffer, from: number): number {
    const { starts, ends } = this
    starts.fill(NONE)
    if (bytes[from] !== OBJECT) return valueEnd(bytes, from)
    let at = from
    for (let place = 0; ; place += 1) {
      let lead = this.#leads[place]
      if (lead === undefined || !stands(bytes, at, lead.bytes)) {
        const end = endAfter(bytes, at, place)
        if (end !== NONE) return end
        lead = this.#learn(bytes, at, place)
      }
      const start = spaceEnd(bytes, at + lead.bytes.length)
      at = bytes[start] === QUOTE ? textEnd(bytes, start) : valueEnd(bytes, start)
      if (lead.number === NONE) continue
      starts[lead.number] = start
      ends[lead.number] = at
    }
  }

  #learn(bytes: Buffer, from: number, place: number): Lead {
    const first = spaceEnd(bytes, from)
    if (bytes[first] !== (place === 0 ? OBJECT : COMMA)) throw problems.upstreamGarbled()
    const at = spaceEnd(bytes, first + 1)
    const nameEnd = textEnd(bytes, at)
    const name: string = JSON.parse(bytes.toString('utf8', at, nameEnd))
    const lead = {
      bytes: Buffer.from(bytes.subarray(from, valueStart(bytes, nameEnd))),
      number: this.#numbers.get(name) ?? NONE
    }
    this.#leads[place] = lead
    return lead
  }
}

/** Where the object ends, when it has no more members than so many; -1 when it has. */
function endAfter(bytes: Buffer, from: number, place: number): number {
  const at = spaceEnd(bytes, place === 0 ? from + 1 : from)
  return bytes[at] === OBJECT_END ? at + 1 : NONE
}

function stands(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let at = 0; at < expected.length; at += 1) if (bytes[from + at] !== expected[at]) return false
  return true
}
