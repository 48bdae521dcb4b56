import { useCallback, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

/** A list's state in the address, without default values. */
export type ListDefaults = Record<string, string>

/** `change` and `clear` stay the same functions. */
export interface ListQuery<Defaults extends ListDefaults> {
  values: Defaults
  defaults: Defaults
  /**
   * `page` and `tab` add an entry to the history. Other changes, and corrections, replace the current entry.
   * Other changes lead back to page 1.
   */
  change: (values: Partial<Defaults>, corrects?: boolean) => void
  clear: (...names: (keyof Defaults & string)[]) => void
}

const STEPS = ['page', 'tab']

export function useListQuery<Defaults extends ListDefaults>(defaults: Defaults): ListQuery<Defaults> {
  const [query, setQuery] = useSearchParams()
  const { key, state } = useLocation()
  // A second change before a render builds on the first one.
  const latest = useRef({ key, query, state, defaults, setQuery })
  if (latest.current.key !== key) latest.current.query = query
  Object.assign(latest.current, { key, state, defaults, setQuery })

  const change = useCallback((values: Partial<Defaults>, corrects = false) => {
    const { query: current, state: kept, defaults: first, setQuery: set } = latest.current
    const step = Object.keys(values).some((name) => STEPS.includes(name))
    const next = new URLSearchParams(current)
    const all = { ...read(current, first), ...(step ? {} : { page: first.page }), ...values }
    for (const [name, value] of Object.entries(all)) {
      if (value === undefined || value === first[name]) next.delete(name)
      else next.set(name, value)
    }
    latest.current.query = next
    set(next, { replace: corrects || !step, state: kept })
  }, [])
  const clear = useCallback(
    (...names: (keyof Defaults & string)[]) => {
      const { defaults: first } = latest.current
      change(Object.fromEntries(names.map((name) => [name, first[name]])) as Partial<Defaults>)
    },
    [change]
  )
  return { values: read(query, defaults), defaults, change, clear }
}

function read<Defaults extends ListDefaults>(query: URLSearchParams, defaults: Defaults): Defaults {
  const values = Object.entries(defaults).map(([name, value]) => [name, query.get(name) ?? value])
  return Object.fromEntries(values) as Defaults
}

/** Several values in one parameter. */
export function listOf(value: string): string[] {
  return value === '' ? [] : value.split(',')
}

/** From 0; an invalid number is the first page. */
export function pageNumber(text: string): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 1 ? number - 1 : 0
}
