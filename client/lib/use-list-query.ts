import { useCallback, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

/** Default values of a list's state. The address contains only values that differ from them. */
export type ListDefaults = Record<string, string>

/** `change` and `clear` are the same functions in every render. */
export interface ListQuery<Defaults extends ListDefaults> {
  values: Defaults
  defaults: Defaults
  /**
   * A change of `page` or `tab` adds an entry to the history. Any other change replaces the entry and returns to page 1.
   * A correction always replaces the entry.
   */
  change: (values: Partial<Defaults>, corrects?: boolean) => void
  clear: (...names: (keyof Defaults & string)[]) => void
}

const STEPS = ['page', 'tab']

export function useListQuery<Defaults extends ListDefaults>(defaults: Defaults): ListQuery<Defaults> {
  const [query, setQuery] = useSearchParams()
  const { key, state } = useLocation()
  // A second change before the next render is applied to the result of the first change.
  const latestProps = useRef({ key, query, state, defaults, setQuery })
  if (latestProps.current.key !== key) latestProps.current.query = query
  Object.assign(latestProps.current, { key, state, defaults, setQuery })

  const change = useCallback((values: Partial<Defaults>, corrects = false) => {
    const {
      query: current,
      state: locationState,
      defaults: defaultValues,
      setQuery: set
    } = latestProps.current
    const isStep = Object.keys(values).some((name) => STEPS.includes(name))
    const nextQuery = new URLSearchParams(current)
    const newValues = {
      ...read(current, defaultValues),
      ...(isStep ? {} : { page: defaultValues.page }),
      ...values
    }
    for (const [name, value] of Object.entries(newValues)) {
      if (value === undefined || value === defaultValues[name]) nextQuery.delete(name)
      else nextQuery.set(name, value)
    }
    latestProps.current.query = nextQuery
    set(nextQuery, { replace: corrects || !isStep, state: locationState })
  }, [])
  const clear = useCallback(
    (...names: (keyof Defaults & string)[]) => {
      const { defaults: defaultValues } = latestProps.current
      change(Object.fromEntries(names.map((name) => [name, defaultValues[name]])) as Partial<Defaults>)
    },
    [change]
  )
  return { values: read(query, defaults), defaults, change, clear }
}

function read<Defaults extends ListDefaults>(query: URLSearchParams, defaults: Defaults): Defaults {
  const values = Object.entries(defaults).map(([name, value]) => [name, query.get(name) ?? value])
  return Object.fromEntries(values) as Defaults
}

/** The values of a parameter that contains several, separated by commas. */
export function listOf(value: string): string[] {
  return value === '' ? [] : value.split(',')
}

/** The page's index, from 0. An invalid number means the first page. */
export function pageNumber(text: string): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 1 ? number - 1 : 0
}
