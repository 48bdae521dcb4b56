// The person's running exports and unread announcements, which all tabs share through the browser's storage.
import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Export } from '#shared/answers/files.ts'
import type { Page } from '#shared/answers/parts.ts'
import { useSeen, withTabLock } from '../../../lib/browser.ts'
import type { QueryResult } from '../../../lib/http/query.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { recall, remember } from '../../../lib/storage.ts'
import { isUnderWay } from './api.ts'

export interface WaitedExport {
  id: string
  customerId: string
  exportName: string
}

export interface UnreadExport {
  id: string
  exportName: string
  /** Missing in announcements that earlier versions of the portal stored. */
  customerId?: string
  customerName?: string | null
  /** The reason for the failure, empty if unknown; null for a ready export. */
  failure: string | null
  /** When the export finished, as ISO 8601 UTC; null if unknown. */
  endedDate: string | null
}

interface WatchState {
  waiting: readonly WaitedExport[]
  unread: readonly UnreadExport[]
  /** Ids of exports that have ended, the latest first. An older list may still show them as running. */
  ended: readonly string[]
}

type StoredState = WatchState & { userId: string }

const STORAGE_KEY = 'portal.exports'
const STORAGE_LOCK = 'portal.exports.storage'
const EMPTY_STATE: WatchState = { waiting: [], unread: [], ended: [] }
const UNREAD_MAX = 20
const ENDED_MAX = 100

const store = createStore(() => ({ stored: recall<StoredState>(STORAGE_KEY) }))

// Another tab changed or cleared the storage.
window.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY || key === null) store.setState({ stored: recall<StoredState>(STORAGE_KEY) })
})

function stateOf(userId: string): WatchState {
  const { stored } = store.getState()
  return stored?.userId === userId ? { ...EMPTY_STATE, ...stored } : EMPTY_STATE
}

/**
 * Changes the storage while no other tab does, because tabs that write at the same time undo each other's changes. Reads
 * the storage first, because another tab may have changed it.
 */
function change(userId: string, work: (oldState: WatchState) => Partial<WatchState>): Promise<void> {
  return withTabLock(STORAGE_LOCK, async () => {
    const stored = recall<StoredState>(STORAGE_KEY)
    if (stored) store.setState({ stored })
    const oldState = stateOf(userId)
    const newState = { ...oldState, ...work(oldState), userId }
    remember(STORAGE_KEY, newState)
    store.setState({ stored: newState })
  })
}

export const exportWatch = {
  waiting: (userId: string) => stateOf(userId).waiting,
  /** Announcements that the person has not read. */
  unread: (userId: string) => stateOf(userId).unread,
  /** Exports that have ended, also in other tabs. */
  ended: (userId: string) => stateOf(userId).ended,
  async wait(userId: string, { id, customerId, exportName }: WaitedExport): Promise<void> {
    const isKnown = ({ waiting, ended }: WatchState) =>
      waiting.some((waitingExport) => waitingExport.id === id) || ended.includes(id)
    if (isKnown(stateOf(userId))) return
    await change(userId, (state) =>
      // Another tab may have waited for the export before, and seen its end.
      isKnown(state) ? {} : { waiting: [...state.waiting, { id, customerId, exportName }] }
    )
  },
  /** Stops waiting for the export and stores its announcement, if any. Returns false if another tab did so first. */
  async end(userId: string, id: string, announcement: UnreadExport | null): Promise<boolean> {
    let wasWaiting = false
    await change(userId, ({ waiting, unread, ended }) => {
      wasWaiting = waiting.some((waitingExport) => waitingExport.id === id)
      return {
        waiting: waiting.filter((waitingExport) => waitingExport.id !== id),
        unread: wasWaiting && announcement ? [announcement, ...unread].slice(0, UNREAD_MAX) : unread,
        ended: wasWaiting ? [id, ...ended].slice(0, ENDED_MAX) : ended
      }
    })
    return wasWaiting
  },
  /** Marks one announcement as read; without an `id`, all announcements. */
  async read(userId: string, id?: string): Promise<void> {
    if (stateOf(userId).unread.length === 0) return
    await change(userId, ({ unread }) => ({
      unread: unread.filter((endedExport) => id !== undefined && endedExport.id !== id)
    }))
  }
}

export function useExportWatch<T>(read: (watch: typeof exportWatch) => T): T {
  return useStore(store, () => read(exportWatch))
}

export function useUnreadExports(): readonly UnreadExport[] {
  const { user } = useSession()
  return useExportWatch((watch) => watch.unread(user.id))
}

export function exportAddress(
  { exportName, customerId, customerName }: UnreadExport,
  organizationId: string | null
): string {
  return withQuery(paths.exports, { q: exportName, organizationId, customerId, customerName })
}

/**
 * Waits for the person's own running exports, and reloads the list when one has ended. Marks all announcements as read
 * while the list is visible.
 */
export function useListedExports({
  data,
  refetch
}: Pick<QueryResult<Page<Export>>, 'data' | 'refetch'>): void {
  const { user } = useSession()
  const items = data?.items
  const unread = useUnreadExports()
  const isVisible = useSeen()
  useEffect(() => {
    if (isVisible && unread.length > 0) void exportWatch.read(user.id)
  }, [isVisible, unread, user])
  useEffect(() => {
    for (const savedExport of items ?? [])
      if (isUnderWay(savedExport) && savedExport.createdBy === user.fullName)
        void exportWatch.wait(user.id, savedExport)
  }, [items, user])

  const ended = useExportWatch((watch) => watch.ended(user.id))
  const outdated =
    items
      ?.filter((savedExport) => isUnderWay(savedExport) && ended.includes(savedExport.id))
      .map(({ id }) => id) ?? []
  const onEnd = useEffectEvent(refetch)
  const outdatedIds = outdated.join()
  useEffect(() => {
    if (outdatedIds) onEnd()
  }, [outdatedIds])
}
