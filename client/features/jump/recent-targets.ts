// Recently opened customers, devices and points, newest first. The palette shows them until the person types.
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { pageTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session/session.ts'
import { recall, remember } from '../../lib/storage.ts'
import type { Target } from './jump-targets.ts'

const RECENT_MAX = 8

/** The kind of page at an address; null for other pages. */
function kindOfAddress(address: string): string | null {
  const { pathname, searchParams } = new URL(address, 'http://portal')
  const [, rest] = /^(?:\/integrators\/[^/]+)?\/customers\/[^/]+(\/.*)?$/.exec(pathname) ?? [null, null]
  if (rest === null) return null
  if (rest === undefined || rest === '/') return 'Customer'
  if (rest === '/devicedetails' && searchParams.has('deviceUuid')) return 'Device'
  if (rest === '/devicedetails/pointdetails' && searchParams.has('cloudId')) return 'Point'
  return null
}

/** An address without the page's own state, such as a search or a tab. */
function placeOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://portal')
  const idParams = ['deviceUuid', 'cloudId'].flatMap((name) => {
    const value = searchParams.get(name)
    return value === null ? [] : [[name, value]]
  })
  const query = String(new URLSearchParams(idParams))
  return pathname + (query && `?${query}`)
}

const keyOf = (userId: string) => `portal.jump.recent.${userId}`

export function recentTargets(userId: string, address: string): Target[] {
  const currentPlace = placeOf(address)
  return (recall<Target[]>(keyOf(userId)) ?? []).filter(({ to }) => to !== currentPlace)
}

/**
 * Puts the address first in the list and removes its earlier entry.
 * @param detail distinguishes equal names; default: the earlier entry's detail, else the kind of page and the customer
 */
export function noteRecent(userId: string, address: string, name: string, detail?: string): void {
  const kind = kindOfAddress(address)
  if (kind === null) return
  const to = placeOf(address)
  const entries = recall<Target[]>(keyOf(userId)) ?? []
  const [previous, customer] = [to, customerPathOf(to)].map((place) =>
    entries.find((entry) => entry.to === place)
  )
  const target: Target = {
    id: `recent ${to}`,
    group: 'Recent',
    name,
    detail: detail ?? previous?.detail ?? [kind, customer?.name].filter(Boolean).join(' · '),
    to
  }
  remember(keyOf(userId), [target, ...entries.filter((entry) => entry.to !== to)].slice(0, RECENT_MAX))
}

function customerPathOf(address: string): string {
  return /^.*\/customers\/[^/?]+/.exec(address)?.[0] ?? ''
}

/** Stores each opened customer, device and point once the page's title contains its name. */
export function useRecentPages(): void {
  const { id } = useSession().user
  const { pathname, search } = useLocation()
  const address = pathname + search
  const previousTitle = useRef<string | null>(null)

  useEffect(() => {
    const note = () => {
      const { page } = pageTitle.getState()
      // Skip the title of the previous page.
      if (page && page !== previousTitle.current) noteRecent(id, address, page)
    }
    note()
    const stop = pageTitle.subscribe(note)
    return () => {
      stop()
      previousTitle.current = pageTitle.getState().page
    }
  }, [id, address])
}
