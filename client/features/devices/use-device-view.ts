import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { recall, remember } from '../../lib/storage.ts'
import { useSession } from '../session/session.ts'
import { changedView, type DeviceView, FIRST_VIEW, readView, saysView, writeView } from './device-view.ts'

type Remembered = Pick<DeviceView, 'project' | 'page'>

export interface ViewControl {
  view: DeviceView
  /** A choice of project or page can be gone back on; anything else replaces the address. */
  change: (change: Partial<DeviceView>) => void
  /** Puts right what the address asks for and is not there. */
  correct: (change: Partial<DeviceView>) => void
  /** The query of the view after a change, for links. */
  searchFor: (change: Partial<DeviceView>) => string
}

/** The table's view: the URL says it; without a word there, page and project of the last visit are taken up. */
export function useDeviceView(customerId: string): ViewControl {
  const { user } = useSession()
  const { key, state } = useLocation()
  const [query, setQuery] = useSearchParams()
  const stored = `portal.devices.${user.id}.${customerId}`
  // Only the address that the visit began with is without a word; one that was gone to means what it says.
  const [begun] = useState(() => ({ key, view: saysView(query) ? null : lastVisit(stored) }))
  const restored = begun.key === key ? begun.view : null
  const view = restored ? { ...FIRST_VIEW, ...restored } : readView(query)
  const { project, page } = view

  useEffect(() => remember(stored, { project, page }), [stored, project, page])
  useEffect(() => {
    if (restored)
      setQuery((current) => writeView({ ...FIRST_VIEW, ...restored }, current), { replace: true, state })
  }, [restored, setQuery, state])

  function go(change: Partial<DeviceView>, replace: boolean) {
    setQuery((current) => writeView(changedView(readView(current), change), current), { replace, state })
  }

  return {
    view,
    change: (change) => go(change, !('project' in change || 'page' in change)),
    correct: (change) => go(change, true),
    searchFor: (change) => `?${writeView(changedView(view, change), query)}`
  }
}

function lastVisit(stored: string): Remembered | null {
  const last = recall<Remembered>(stored)
  return last && (last.project !== null || last.page > 0) ? last : null
}
