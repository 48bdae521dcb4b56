import { useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

/** A list's state in the address, so that a view can be sent to a colleague. What equals its default is left out. */
export type ListDefaults = Record<string, string>

export interface ListQuery<Defaults extends ListDefaults> {
  values: Defaults
  /** A page of its own in the history for `page` and `tab`; everything else replaces the address. Other changes lead back to page 1. */
  change: (values: Partial<Defaults>) => void
  clear: (...names: (keyof Defaults & string)[]) => void
}

const STEPS = ['page', 'tab']

export function useListQuery<Defaults extends ListDefaults>(defaults: Defaults): ListQuery<Defaults> {
  const [query, setQuery] = useSearchParams()
  const { key } = useLocation()
  // A change of before the last one has been drawn, such as a keyword whose typing rested, starts from what that one made.
  const latest = useRef({ key, query })
  if (latest.current.key !== key) latest.current = { key, query }
  const read = (from: URLSearchParams) =>
    Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, from.get(name) ?? value])
    ) as Defaults

  function change(values: Partial<Defaults>) {
    const step = Object.keys(values).some((name) => STEPS.includes(name))
    const current = latest.current.query
    const next = new URLSearchParams(current)
    const all = { ...read(current), ...(step ? {} : { page: defaults.page }), ...values }
    for (const [name, value] of Object.entries(all)) {
      if (value === undefined || value === defaults[name]) next.delete(name)
      else next.set(name, value)
    }
    latest.current.query = next
    setQuery(next, { replace: !step })
  }

  return {
    values: read(query),
    change,
    clear: (...names) =>
      change(Object.fromEntries(names.map((name) => [name, defaults[name]])) as Partial<Defaults>)
  }
}

/** Several values in one parameter. */
export function listOf(value: string): string[] {
  return value === '' ? [] : value.split(',')
}
