// Exports under way that a person waits for: known to all tabs of the browser, and after a reload. Of those tabs one
// reads how they stand, and tells.

import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useSeen } from '../../lib/browser.ts'
import { paths } from '../../lib/paths.ts'
import { recall, remember } from '../../lib/storage.ts'
import { useSession } from '../session/session.ts'
import { isUnderWay, newsOf, type SavedExport } from './api.ts'

export interface WaitedExport {
  id: string
  customerId: string
  exportName: string
}

export interface ExportNews {
  exportName: string
  failure: string | null
  /** ISO 8601 UTC; null if unknown. */
  endedDate: string | null
}

/** Announced and unread. */
export interface UnreadExport extends ExportNews {
  id: string
}

interface Kept {
  userId: string
  waiting: readonly WaitedExport[]
  unread?: readonly UnreadExport[]
}

const STORED = 'portal.exports'
const NOTHING: readonly WaitedExport[] = []
const READ: readonly UnreadExport[] = []
const UNREAD_MAX = 20

interface Watched {
  kept: Kept | null
  news: readonly ExportNews[]
}

const store = createStore<Watched>(() => ({ kept: recall<Kept>(STORED), news: [] }))
let readers = 0
const covered = new Map<string, number>()

// Another tab changed or cleared the storage.
window.addEventListener('storage', ({ key }) => {
  if (key !== STORED && key !== null) return
  store.setState({ kept: recall<Kept>(STORED) })
})

const waitingOf = (one: Kept | null, userId: string) => (one?.userId === userId ? one.waiting : NOTHING)

const unreadOf = (one: Kept | null, userId: string) => (one?.userId === userId && one.unread) || READ

/** Reads the storage first, as another tab may have written. */
function change(userId: string, work: (before: Required<Kept>) => Partial<Kept>): void {
  const stored = recall<Kept>(STORED) ?? store.getState().kept
  const before = { userId, waiting: waitingOf(stored, userId), unread: unreadOf(stored, userId) }
  const kept = { ...before, ...work(before) }
  remember(STORED, kept)
  store.setState({ kept })
}

export const exportWatch = {
  waiting: (userId: string) => waitingOf(store.getState().kept, userId),
  wait(userId: string, { id, customerId, exportName }: WaitedExport): void {
    if (waitingOf(store.getState().kept, userId).some((one) => one.id === id)) return
    change(userId, ({ waiting }) => ({
      waiting: [...waiting.filter((one) => one.id !== id), { id, customerId, exportName }]
    }))
  },
  /** Ends the wait, with news or without. */
  end(userId: string, id: string, told: ExportNews | null): void {
    if (!waitingOf(store.getState().kept, userId).some((one) => one.id === id)) return
    if (told) store.setState(({ news }) => ({ news: [...news, told] }))
    change(userId, ({ waiting, unread }) => ({
      waiting: waiting.filter((one) => one.id !== id),
      unread: told ? [{ ...told, id }, ...unread].slice(0, UNREAD_MAX) : unread
    }))
  },
  /** Finished exports that the person has not read. */
  unread: (userId: string) => unreadOf(store.getState().kept, userId),
  read(userId: string, id?: string): void {
    if (unreadOf(store.getState().kept, userId).length === 0) return
    change(userId, ({ unread }) => ({
      unread: id === undefined ? READ : unread.filter((one) => one.id !== id)
    }))
  },
  news: () => store.getState().news,
  told(): void {
    store.setState({ news: [] })
  },
  /** Whether this tab polls. */
  reads: () => readers > 0,
  /** This tab polls until the returned function is called. */
  beginReading(): () => void {
    readers += 1
    return () => {
      readers -= 1
    }
  },
  /** The shown list polls these until the returned function is called. */
  cover(ids: readonly string[]): () => void {
    const add = (by: number) => {
      for (const id of ids) covered.set(id, (covered.get(id) ?? 0) + by)
    }
    add(1)
    return () => add(-1)
  },
  isCovered: (id: string): boolean => (covered.get(id) ?? 0) > 0
}

export function useExportWatch<T>(read: (watch: typeof exportWatch) => T): T {
  return useStore(store, () => read(exportWatch))
}

export function useUnreadExports(): readonly UnreadExport[] {
  const { user } = useSession()
  return useExportWatch((watch) => watch.unread(user.id))
}

/** Seeing the list marks all as read. */
function useExportsSeen(): void {
  const { user } = useSession()
  const unread = useUnreadExports()
  const seen = useSeen()
  useEffect(() => {
    if (seen && unread.length > 0) exportWatch.read(user.id)
  }, [seen, unread, user])
}

export function exportAddress(exportName: string, organizationId: string | null): string {
  return `${paths.exports}?${new URLSearchParams({ q: exportName, ...(organizationId ? { organizationId } : {}) })}`
}

/** Waits for the person's own running exports; a shown list polls them itself. */
export function useWaitedExports(items: readonly SavedExport[] | undefined): void {
  const { user } = useSession()
  useExportsSeen()
  useEffect(() => {
    for (const one of items ?? []) {
      if (isUnderWay(one)) {
        if (one.createdBy === user.fullName) exportWatch.wait(user.id, one)
      } else if (exportWatch.reads()) exportWatch.end(user.id, one.id, newsOf(one))
    }
  }, [items, user])
  const shown = useMemo(() => (items ?? []).filter(isUnderWay).map(({ id }) => id), [items])
  useEffect(() => exportWatch.cover(shown), [shown])
}
