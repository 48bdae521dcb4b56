// A list of an upstream's objects, written again as records of ours: the fields of a table, in its order, as JSON. A value
// that is taken as it is, as nearly all are, goes over byte by byte; what else there is goes through the field's rule.
import { problems } from '../errors.ts'
import { BACKSLASH, COMMA, LIST, LIST_END, OBJECT_END, QUOTE, spaceEnd } from './json-bytes.ts'
import { Members } from './members.ts'
import { type TextList, TextListWriter } from './text-list.ts'

export interface Field {
  name: string
  /** What it is called in the upstream's object: a later name counts when the ones before it are missing. */
  from: readonly string[]
  /** Its value, given those of the names; without one it is left out, which the first field of a table never is. */
  value: (...given: unknown[]) => string | number | null | undefined
  /** What the rule gives back as it is: texts that are not empty, or numbers without sign and fraction. */
  keeps: 'texts' | 'integers'
}

export interface Records<K extends string> {
  /** Each record as JSON. */
  json: TextList
  /** A text of each object for joining it with others; empty when it has none. */
  keys: Record<K, TextList>
}

/** By which a value may grow when it is written: quotes, or the digits of a large number. */
const GROWTH_MAX = 32
const INTEGER_DIGITS_MAX = 15
const ZERO = 0x30
const NINE = 0x39

export class RecordReader<K extends string> {
  readonly #members: Members
  readonly #columns: readonly Column[]
  readonly #keys: readonly { name: K; number: number; texts: TextListWriter }[]
  readonly #fixedBytes: number
  readonly #json = new TextListWriter()

  /** @param keyNames the members that are given as keys */
  constructor(fields: readonly Field[], keyNames: readonly K[]) {
    const names = [...new Set([...fields.flatMap(({ from }) => from), ...keyNames])]
    this.#members = new Members(names)
    this.#columns = fields.map((field, index) => columnOf(field, index, names))
    this.#keys = keyNames.map((name) => ({
      name,
      number: names.indexOf(name),
      texts: new TextListWriter()
    }))
    this.#fixedBytes = this.#columns.reduce(
      (sum, { head, absent }) => sum + head.length + absent.length + GROWTH_MAX,
      2
    )
  }

  /** A whole list, given where it begins, and where it ends. Throws a 502 problem for what is none. */
  list(bytes: Buffer, from: number): { records: Records<K>; end: number } {
    if (bytes[from] !== LIST) throw problems.upstreamGarbled()
    const { at, ended } = this.elements(bytes, from + 1, true)
    const records = this.take()
    if (!ended) throw problems.upstreamGarbled()
    return { records, end: at }
  }

  /**
   * Elements of a list, and its end. Tells how far those go that stand there to their end.
   * @param isFirst whether the list may be empty
   */
  elements(bytes: Buffer, from: number, isFirst: boolean): { at: number; ended: boolean } {
    const escapes = bytes.includes(BACKSLASH)
    let at = spaceEnd(bytes, from)
    if (isFirst && bytes[at] === LIST_END) return { at: at + 1, ended: true }
    for (;;) {
      const end = this.#elementEnd(bytes, at)
      if (end === null) return { at, ended: false }
      this.#write(bytes, end - at, escapes)
      this.#writeKeys(bytes, escapes)
      if (bytes[end] === LIST_END) return { at: end + 1, ended: true }
      at = spaceEnd(bytes, end + 1)
    }
  }

  /** The elements since the last time. */
  take(): Records<K> {
    return {
      json: this.#json.take(),
      keys: Object.fromEntries(this.#keys.map(({ name, texts }) => [name, texts.take()])) as Record<
        K,
        TextList
      >
    }
  }

  /** Where the comma or bracket after an element stands; null when they do not stand there yet, or nothing that is JSON. */
  #elementEnd(bytes: Buffer, from: number): number | null {
    try {
      const end = spaceEnd(bytes, this.#members.read(bytes, from))
      return bytes[end] === COMMA || bytes[end] === LIST_END ? end : null
    } catch {
      return null
    }
  }

  #write(bytes: Buffer, length: number, escapes: boolean): void {
    const { starts, ends } = this.#members
    const json = this.#json
    const columns = this.#columns
    json.begin(this.#fixedBytes + length)
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index] as Column
      const number = firstGiven(column.numbers, starts)
      if (number < 0) json.copy(column.absent)
      else if (!column.isKept(bytes, starts[number] as number, ends[number] as number, escapes))
        this.#writeByRule(bytes, column, length)
      else {
        let end = ends[number] as number
        // As far as the object goes on like the record, it goes over in one piece.
        while (this.#follows(bytes, columns[index + 1], end, escapes)) {
          index += 1
          end = ends[(columns[index] as Column).ownNumber] as number
        }
        json.copy(column.head)
        json.copy(bytes, starts[number], end)
      }
    }
    json.byte(OBJECT_END)
    json.end()
  }

  /** Whether a value that is kept stands there, with nothing before it but what stands before it in a record. */
  #follows(bytes: Buffer, column: Column | undefined, end: number, escapes: boolean): boolean {
    if (column === undefined || column.ownNumber < 0) return false
    const { starts, ends } = this.#members
    const start = starts[column.ownNumber] as number
    return (
      start === end + column.head.length &&
      column.isKept(bytes, start, ends[column.ownNumber] as number, escapes)
    )
  }

  /** The rule may leave the field out. */
  #writeByRule(bytes: Buffer, { head, numbers, value }: Column, length: number): void {
    const written = JSON.stringify(value(...numbers.map((number) => this.#valueAt(bytes, number))))
    if (written === undefined) return
    const whole = Buffer.concat([head, Buffer.from(written)])
    this.#json.room(whole.length + this.#fixedBytes + length)
    this.#json.copy(whole)
  }

  #valueAt(bytes: Buffer, number: number): unknown {
    const { starts, ends } = this.#members
    const start = starts[number] as number
    return start < 0 ? undefined : JSON.parse(bytes.toString('utf8', start, ends[number]))
  }

  #writeKeys(bytes: Buffer, escapes: boolean): void {
    const { starts, ends } = this.#members
    for (const { number, texts } of this.#keys) {
      const start = starts[number] as number
      const end = ends[number] as number
      if (isText(bytes, start, end, escapes)) {
        texts.begin(end - start)
        texts.copy(bytes, start + 1, end - 1)
      } else {
        const value = this.#valueAt(bytes, number)
        const text = Buffer.from(typeof value === 'string' ? value : '')
        texts.begin(text.length)
        texts.copy(text)
      }
      texts.end()
    }
  }
}

/** The first of those names that the object has; -1 when it has none. */
function firstGiven(numbers: readonly number[], starts: Int32Array): number {
  for (const number of numbers) if ((starts[number] as number) >= 0) return number
  return -1
}

interface Column extends Pick<Field, 'value'> {
  /** The name, and what stands before it. */
  head: Buffer
  /** Numbers of the names that it is read from. */
  numbers: number[]
  /** That of its own name, where it is read from it; otherwise -1. */
  ownNumber: number
  isKept: IsKept
  /** The whole field where none of the names is there; empty when it is then left out. */
  absent: Buffer
}

/** @param escapes whether there are any in the bytes */
type IsKept = (bytes: Buffer, start: number, end: number, escapes: boolean) => boolean

const isText: IsKept = (bytes, start, end, escapes) =>
  start >= 0 &&
  bytes[start] === QUOTE &&
  end - start > 2 &&
  !(escapes && bytes.subarray(start, end).includes(BACKSLASH))

const isInteger: IsKept = (bytes, start, end) => {
  if (end - start > INTEGER_DIGITS_MAX) return false
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte < ZERO || byte > NINE) return false
  }
  return true
}

function columnOf({ name, from, value, keeps }: Field, index: number, names: readonly string[]): Column {
  const head = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
  const none = JSON.stringify(value())
  return {
    value,
    head: Buffer.from(head),
    numbers: from.map((one) => names.indexOf(one)),
    ownNumber: from[0] === name ? names.indexOf(name) : -1,
    isKept: keeps === 'texts' ? isText : isInteger,
    absent: Buffer.from(none === undefined ? '' : head + none)
  }
}
