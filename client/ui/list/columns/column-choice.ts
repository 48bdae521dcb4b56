// Which columns of a list show and in which order: as text for an address and for this browser's memory, the ids in their
// order, with a minus before those that do not show.
import { useMemo, useState } from 'react'
import { recall, remember } from '../../../lib/storage.ts'

export interface ChosenColumn {
  id: string
  header: string
  shown: boolean
}

type Choosable = Pick<ChosenColumn, 'id' | 'header'>

/** What a text chooses. Columns that it does not know come last, as they are without a choice. */
export function readChoice(
  columns: readonly Choosable[],
  hidden: readonly string[],
  text: string
): ChosenColumn[] {
  const said = text.split(',').map((word) => ({ id: word.replace(/^-/, ''), shown: !word.startsWith('-') }))
  const known = said.flatMap(({ id, shown }) => {
    const column = columns.find((one) => one.id === id)
    return column ? [{ id, header: column.header, shown }] : []
  })
  const rest = columns.filter(({ id }) => !known.some((one) => one.id === id))
  return [...known, ...rest.map(({ id, header }) => ({ id, header, shown: !hidden.includes(id) }))]
}

export function writeChoice(chosen: readonly ChosenColumn[]): string {
  return chosen.map(({ id, shown }) => (shown ? id : `-${id}`)).join(',')
}

/** The choice with one column a step further to the front or to the back. */
export function movedColumn(chosen: readonly ChosenColumn[], id: string, step: -1 | 1): ChosenColumn[] {
  const at = chosen.findIndex((one) => one.id === id)
  const column = chosen[at]
  return column ? chosen.toSpliced(at, 1).toSpliced(Math.max(at + step, 0), 0, column) : [...chosen]
}

interface Column extends Choosable {
  /** Ends the row: it always shows. */
  silent?: boolean
}

export interface ColumnChoice<Shown> {
  /** Those that show, in their order. */
  columns: Shown[]
  chosen: ChosenColumn[]
  change: (chosen: ChosenColumn[]) => void
}

interface ColumnChoiceOptions {
  /** By which name this browser remembers what is chosen. */
  list: string
  /** Columns that show once somebody asks for them. */
  hidden?: readonly string[] | undefined
  /** A choice that comes from elsewhere, such as the address, and goes there when it changes. */
  asked?: { text: string | null; onChange: (text: string) => void }
}

const NONE: readonly string[] = []

/** The first column names the row and silent ones end it: these always show. */
export function useColumnChoice<Shown extends Column>(
  columns: readonly Shown[],
  { list, hidden = NONE, asked }: ColumnChoiceOptions
): ColumnChoice<Shown> {
  const stored = `portal.columns.${list}`
  const [own, setOwn] = useState(() => {
    const before = recall<unknown>(stored)
    return typeof before === 'string' ? before : ''
  })
  const text = asked?.text ?? own
  const chosen = useMemo(() => {
    const choosable = columns.filter(({ silent }, index) => index > 0 && !silent)
    return readChoice(choosable, hidden, text)
  }, [columns, hidden, text])
  const shown = useMemo(
    () => [
      ...columns.slice(0, 1),
      ...chosen.flatMap(({ id, shown }) => (shown ? columns.filter((column) => column.id === id) : [])),
      ...columns.filter(({ silent }, index) => index > 0 && silent)
    ],
    [columns, chosen]
  )
  return {
    columns: shown,
    chosen,
    change: (next) => {
      const words = writeChoice(next)
      setOwn(words)
      remember(stored, words)
      if (asked && asked.text !== null) asked.onChange(words)
    }
  }
}
