// A list of an upstream's objects, written again as records of ours: the fields of a table, in its order, as JSON. A value
// that is taken as it is, as nearly all are, goes over byte by byte; what else there is goes through the field's rule.
import { problems } from '../errors.ts'
import { BACKSLASH, COMMA, LIST, LIST_END, OBJECT_END, QUOTE, spaceEnd } from './json-bytes.ts'
import { membersOf } from './members.ts'
import { type TextList, textListWriter } from './text-list.ts'

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

export interface RecordReader<K extends string> {
  /** A whole list, given where it begins, and where it ends. Throws a 502 problem for what is none. */
  list(bytes: Buffer, from: number): { records: Records<K>; end: number }
  /**
   * Elements of a list, and its end. Tells how far those go that stand there to their end.
   * @param isFirst whether the list may be empty
   */
  elements(bytes: Buffer, from: number, isFirst: boolean): { at: number; ended: boolean }
  /** The elements since the last time. */
  take(): Records<K>
}

/** By which a value may grow when it is written: quotes, or the digits of a large number. */
const GROWTH_MAX = 32
const INTEGER_DIGITS_MAX = 15
const ZERO = 0x30
const NINE = 0x39

/** @param keyNames the members that are given as keys */
export function recordReader<K extends string>(
  fields: readonly Field[],
  keyNames: readonly K[]
): RecordReader<K> {
  const names = [...new Set([...fields.flatMap(({ from }) => from), ...keyNames])]
  const { starts, ends, read } = membersOf(names)
  const columns = fields.map((field, index) => columnOf(field, index, names))
  const keys = keyNames.map((name) => ({ name, number: names.indexOf(name), texts: textListWriter() }))
  const fixedBytes = columns.reduce(
    (sum, { head, absent }) => sum + head.length + absent.length + GROWTH_MAX,
    2
  )
  const json = textListWriter()

  function write(bytes: Buffer, length: number, escapes: boolean): void {
    json.begin(fixedBytes + length)
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index] as Column
      const number = column.numbers.find(isThere)
      if (number === undefined) json.copy(column.absent)
      else if (!column.isKept(bytes, starts[number] as number, ends[number] as number, escapes))
        writeByRule(bytes, column, length)
      else {
        let end = ends[number] as number
        // As far as the object goes on like the record, it goes over in one piece.
        while (follows(bytes, columns[index + 1], end, escapes)) {
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

  const isThere = (number: number) => (starts[number] as number) >= 0

  /** Whether a value that is kept stands there, with nothing before it but what stands before it in a record. */
  function follows(bytes: Buffer, column: Column | undefined, end: number, escapes: boolean): boolean {
    if (column === undefined || column.ownNumber < 0) return false
    const start = starts[column.ownNumber] as number
    return (
      start === end + column.head.length &&
      column.isKept(bytes, start, ends[column.ownNumber] as number, escapes)
    )
  }

  /** The rule may leave the field out. */
  function writeByRule(bytes: Buffer, { head, numbers, value }: Column, length: number): void {
    const written = JSON.stringify(value(...numbers.map((number) => valueAt(bytes, number))))
    if (written === undefined) return
    const whole = Buffer.concat([head, Buffer.from(written)])
    json.room(whole.length + fixedBytes + length)
    json.copy(whole)
  }

  function valueAt(bytes: Buffer, number: number): unknown {
    const start = starts[number] as number
    return start < 0 ? undefined : JSON.parse(bytes.toString('utf8', start, ends[number]))
  }

  function writeKeys(bytes: Buffer, escapes: boolean): void {
    for (const { number, texts } of keys) {
      const [start, end] = [starts[number] as number, ends[number] as number]
      if (isText(bytes, start, end, escapes)) {
        texts.begin(end - start)
        texts.copy(bytes, start + 1, end - 1)
      } else {
        const value = valueAt(bytes, number)
        const text = Buffer.from(typeof value === 'string' ? value : '')
        texts.begin(text.length)
        texts.copy(text)
      }
      texts.end()
    }
  }

  function elements(bytes: Buffer, start: number, isFirst: boolean) {
    const escapes = bytes.includes(BACKSLASH)
    let at = spaceEnd(bytes, start)
    if (isFirst && bytes[at] === LIST_END) return { at: at + 1, ended: true }
    for (;;) {
      const end = elementEnd(bytes, at)
      if (end === null) return { at, ended: false }
      write(bytes, end - at, escapes)
      writeKeys(bytes, escapes)
      if (bytes[end] === LIST_END) return { at: end + 1, ended: true }
      at = spaceEnd(bytes, end + 1)
    }
  }

  /** Where the comma or bracket after an element stands; null when they do not stand there yet, or nothing that is JSON. */
  function elementEnd(bytes: Buffer, start: number): number | null {
    try {
      const end = spaceEnd(bytes, read(bytes, start))
      return bytes[end] === COMMA || bytes[end] === LIST_END ? end : null
    } catch {
      return null
    }
  }

  const take = () => ({
    json: json.take(),
    keys: Object.fromEntries(keys.map(({ name, texts }) => [name, texts.take()])) as Record<K, TextList>
  })

  return {
    elements,
    take,
    list(bytes, start) {
      if (bytes[start] !== LIST) throw problems.upstreamGarbled()
      const { at, ended } = elements(bytes, start + 1, true)
      const read = take()
      if (!ended) throw problems.upstreamGarbled()
      return { records: read, end: at }
    }
  }
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
