// Views of a customer's devices that a person has given a name: filters, sort and columns. They stay in this browser, for
// this person alone; an address holds all of one, so that it can be shared.
import { useCallback, useState } from 'react'
import { recall, remember } from '../../lib/storage.ts'
import { type DeviceView, readView, writeView } from './device-view.ts'

/** So many fit beside each other, and each is counted by a call of its own. */
export const SAVED_VIEWS_MAX = 8
export const VIEW_NAME_MAX_CHARACTERS = 40

export interface SavedView extends DeviceView {
  name: string
}

/** The list with a view in it: in the place of the one of its name, else at the end. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const saved = { ...view, page: 0 }
  const known = views.some(({ name }) => name === view.name)
  return known ? views.map((one) => (one.name === view.name ? saved : one)) : [...views, saved]
}

/** Whether two views show the same, on whatever page. */
export function sameView(one: DeviceView, other: DeviceView): boolean {
  const words = (view: DeviceView) => String(writeView({ ...view, page: 0 }, new URLSearchParams()))
  return words(one) === words(other)
}

/** What this browser remembers is read as an address is: what makes no sense is left out. */
export function readSaved(stored: unknown): SavedView[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((query) => {
    const view = readView(new URLSearchParams(String(query)))
    return view.name === null ? [] : [{ ...view, name: view.name, page: 0 }]
  })
}

interface SavedViews {
  views: SavedView[]
  save: (view: SavedView) => void
  remove: (name: string) => void
}

export function useSavedViews(userId: string, customerId: string): SavedViews {
  const stored = `portal.device-views.${userId}.${customerId}`
  const [views, setViews] = useState(() => readSaved(recall<unknown>(stored)))
  const keep = useCallback(
    (next: SavedView[]) => {
      setViews(next)
      remember(
        stored,
        next.map((view) => String(writeView(view, new URLSearchParams())))
      )
    },
    [stored]
  )
  return {
    views,
    save: (view) => keep(withView(views, view)),
    remove: (name) => keep(views.filter((one) => one.name !== name))
  }
}
