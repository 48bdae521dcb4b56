// One column of many devices, each different value kept once: names, projects and places repeat a thousandfold, so that
// they are searched and sorted once and not for each device.
import { searchForm } from '#shared/devices.ts'
import { sortInTurns, type Turns } from '../upstreams/turns.ts'
import { createTextSearch, type TextSearch } from './text-search.ts'

/** Compares as people read; the same order as `sortDevices`. */
export type Compare = (a: string, b: string) => number

/** Values that hardly repeat are not looked up any more, once there are so many. */
const LOOK_UPS_MIN = 2_000
const REPEATS_SHARE_MIN = 0.25

export interface ColumnWriter {
  add(value: string): void
  finish(compare: Compare, turns: Turns): Column
}

export interface Column {
  /** Number of the value of each row; one value may have several numbers. */
  readonly rows: Uint32Array
  /** Finds values by their numbers, given a search form. */
  search(): Promise<TextSearch>
  /** Place of each value among all; equal ones share one. */
  ranks(): Promise<Uint32Array>
}

export function columnWriter(count: number): ColumnWriter {
  const rows = new Uint32Array(count)
  const values: string[] = []
  let numbers: Map<string, number> | null = new Map<string, number>()
  let row = 0
  return {
    add(value) {
      const known = numbers?.get(value)
      rows[row++] = known ?? values.push(value) - 1
      if (known === undefined) numbers?.set(value, values.length - 1)
      if (row === LOOK_UPS_MIN && values.length > row * (1 - REPEATS_SHARE_MIN)) numbers = null
    },
    finish: (compare, turns) => createColumn(values, rows, compare, turns)
  }
}

/** Search and order are made when first needed, once. */
function createColumn(values: readonly string[], rows: Uint32Array, compare: Compare, turns: Turns): Column {
  let searched: Promise<TextSearch> | undefined
  let ranked: Promise<Uint32Array> | undefined
  const textOf = (number: number) => values[number] as string

  async function rank(): Promise<Uint32Array> {
    const order = Uint32Array.from(values, (_, number) => number)
    await sortInTurns(order, (a, b) => compare(textOf(a), textOf(b)), turns)
    const places = new Uint32Array(values.length)
    let place = 0
    await turns.each(order.length, (at) => {
      const number = order[at] as number
      if (at > 0 && compare(textOf(order[at - 1] as number), textOf(number)) !== 0) place += 1
      places[number] = place
    })
    return places
  }

  return {
    rows,
    search() {
      searched ??= createTextSearch(values.length, (number) => searchForm(textOf(number)), turns)
      return searched
    },
    ranks() {
      ranked ??= rank()
      return ranked
    }
  }
}
