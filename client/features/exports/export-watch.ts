// The person's running exports and unread announcements, which all tabs share through the browser's storage.
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Export } from '#shared/answers/files.ts'
import { useSeen } from '../../lib/browser.ts'
import { paths } from '../../lib/paths.ts'
import { recall, remember } from '../../lib/storage.ts'
import { useSession } from '../session/session.ts'
import { isUnderWay } from './api.ts'

export interface WaitedExport {
  id: string
  customerId: string
  exportName: string
}

export interface UnreadExport {
  id: string
  exportName: string
  /** Empty if unknown; null for an export that is ready. */
  failure: string | null
  /** ISO 8601 UTC; null if unknown. */
  endedDate: string | null
}

interface Watched {
  waiting: readonly WaitedExport[]
  unread: readonly UnreadExport[]
}

type Stored = Watched & { userId: string }

const STORED = 'portal.exports'
const NOTHING: Watched = { waiting: [], unread: [] }
const UNREAD_MAX = 20

const store = createStore(() => ({ stored: recall<Stored>(STORED) }))

// Another tab changed or cleared the storage.
window.addEventListener('storage', ({ key }) => {
  if (key === STORED || key === null) store.setState({ stored: recall<Stored>(STORED) })
})

function watchedBy(userId: string): Watched {
  const { stored } = store.getState()
  return stored?.userId === userId ? { ...NOTHING, ...stored } : NOTHING
}

/** Reads the storage first, because another tab may have changed it. */
function change(userId: string, work: (before: Watched) => Partial<Watched>): void {
  const stored = recall<Stored>(STORED)
  if (stored) store.setState({ stored })
  const before = watchedBy(userId)
  const next = { ...before, ...work(before), userId }
  remember(STORED, next)
  store.setState({ stored: next })
}

export const exportWatch = {
  waiting: (userId: string) => watchedBy(userId).waiting,
  /** Finished exports that the person has not read. */
  unread: (userId: string) => watchedBy(userId).unread,
  wait(userId: string, { id, customerId, exportName }: WaitedExport): void {
    if (watchedBy(userId).waiting.some((one) => one.id === id)) return
    change(userId, ({ waiting }) => ({ waiting: [...waiting, { id, customerId, exportName }] }))
  },
  /** Stops waiting and announces `finished`, if given. Returns false if another tab did so first. */
  end(userId: string, id: string, finished: UnreadExport | null): boolean {
    let ended = false
    change(userId, ({ waiting, unread }) => {
      ended = waiting.some((one) => one.id === id)
      return {
        waiting: waiting.filter((one) => one.id !== id),
        unread: ended && finished ? [finished, ...unread].slice(0, UNREAD_MAX) : unread
      }
    })
    return ended
  },
  /** Marks one as read, or all of them. */
  read(userId: string, id?: string): void {
    if (watchedBy(userId).unread.length === 0) return
    change(userId, ({ unread }) => ({ unread: unread.filter((one) => id !== undefined && one.id !== id) }))
  }
}

export function useExportWatch<T>(read: (watch: typeof exportWatch) => T): T {
  return useStore(store, () => read(exportWatch))
}

export function useUnreadExports(): readonly UnreadExport[] {
  const { user } = useSession()
  return useExportWatch((watch) => watch.unread(user.id))
}

export function exportAddress(exportName: string, organizationId: string | null): string {
  return `${paths.exports}?${new URLSearchParams({ q: exportName, ...(organizationId ? { organizationId } : {}) })}`
}

/** Waits for the person's own running exports. Seeing the list marks all finished ones as read. */
export function useListedExports(items: readonly Export[] | undefined): void {
  const { user } = useSession()
  const unread = useUnreadExports()
  const seen = useSeen()
  useEffect(() => {
    if (seen && unread.length > 0) exportWatch.read(user.id)
  }, [seen, unread, user])
  useEffect(() => {
    for (const one of items ?? [])
      if (isUnderWay(one) && one.createdBy === user.fullName) exportWatch.wait(user.id, one)
  }, [items, user])
}
