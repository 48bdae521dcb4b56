// One column of many devices, each different value kept once: names, projects and places repeat a thousandfold, so that
// they are searched and sorted once and not for each device.
import { searchForm } from '#shared/devices.ts'
import { sortInTurns, type Turns } from '../upstreams/turns.ts'

/** Compares as people read; the same order as `sortDevices`. */
export type Compare = (a: string, b: string) => number

/** Collects values, and tells the number of each. */
export interface ColumnWriter {
  numberOf(value: string): number
  values: readonly string[]
}

export function columnWriter(): ColumnWriter {
  const numbers = new Map<string, number>()
  const values: string[] = []
  return {
    values,
    numberOf(value) {
      const known = numbers.get(value)
      if (known !== undefined) return known
      numbers.set(value, values.length)
      return values.push(value) - 1
    }
  }
}

export interface Column {
  /** Number of the value of each row. */
  readonly rows: Uint32Array
  /** Which values contain the search form `wanted`: 1 or 0 by number. */
  holding(wanted: string): Promise<Uint8Array>
  /** Makes what the first search would have to. */
  prepareSearch(): Promise<unknown>
  /** Place of each value among all; equal ones share one. */
  ranks(): Promise<Uint32Array>
}

/** A column, whose search forms and order are made when first needed, once. */
export function createColumn(
  values: readonly string[],
  rows: Uint32Array,
  compare: Compare,
  turns: Turns
): Column {
  let searched: Promise<readonly string[]> | undefined
  let ranked: Promise<Uint32Array> | undefined

  async function searchForms(): Promise<readonly string[]> {
    const forms: string[] = new Array(values.length)
    await turns.each(values.length, (number) => {
      forms[number] = searchForm(values[number] as string)
    })
    return forms
  }

  function prepareSearch(): Promise<readonly string[]> {
    searched ??= searchForms()
    return searched
  }

  async function rank(): Promise<Uint32Array> {
    const order = Uint32Array.from(values, (_, number) => number)
    const valueAt = (number: number) => values[number] as string
    await sortInTurns(order, (a, b) => compare(valueAt(a), valueAt(b)), turns)
    const places = new Uint32Array(values.length)
    let place = 0
    await turns.each(order.length, (at) => {
      const number = order[at] as number
      if (at > 0 && compare(valueAt(order[at - 1] as number), valueAt(number)) !== 0) place += 1
      places[number] = place
    })
    return places
  }

  return {
    rows,
    prepareSearch,
    async holding(wanted) {
      const forms = await prepareSearch()
      const holds = new Uint8Array(forms.length)
      for (let number = 0; number < forms.length; number += 1)
        if ((forms[number] as string).includes(wanted)) holds[number] = 1
      return holds
    },
    ranks() {
      ranked ??= rank()
      return ranked
    }
  }
}
