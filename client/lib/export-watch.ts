// Exports under way that a person waits for: known to all tabs of the browser, and after a reload. Of those tabs one
// reads how they stand, and tells.
import { recall, remember } from './store.ts'

export interface WaitedExport {
  id: string
  customerId: string
  exportName: string
}

export interface ExportNews {
  exportName: string
  /** Null when it is ready. */
  failure: string | null
  /** ISO 8601 UTC; null where it is not known. */
  endedDate: string | null
}

/** What was told and nobody has read yet. */
export interface UnreadExport extends ExportNews {
  id: string
}

interface Kept {
  /** Another person at the same browser learns nothing of it. */
  userId: string
  waiting: readonly WaitedExport[]
  /** The newest first. */
  unread?: readonly UnreadExport[]
}

const STORED = 'portal.exports'
const NOTHING: readonly WaitedExport[] = []
const READ: readonly UnreadExport[] = []
const UNREAD_MAX = 20

let kept = recall<Kept>(STORED)
let news: readonly ExportNews[] = []
let readers = 0
const listeners = new Set<() => void>()
const covered = new Map<string, number>()

function say(): void {
  for (const listener of listeners) listener()
}

// Another tab has changed it, or all that is stored was cleared.
window.addEventListener('storage', ({ key }) => {
  if (key !== STORED && key !== null) return
  kept = recall<Kept>(STORED)
  say()
})

const waitingOf = (one: Kept | null, userId: string) => (one?.userId === userId ? one.waiting : NOTHING)

const unreadOf = (one: Kept | null, userId: string) => (one?.userId === userId && one.unread) || READ

/** Begins with what is stored: another tab may have written a moment ago. */
function change(userId: string, work: (before: Required<Kept>) => Partial<Kept>): void {
  const stored = recall<Kept>(STORED) ?? kept
  const before = { userId, waiting: waitingOf(stored, userId), unread: unreadOf(stored, userId) }
  kept = { ...before, ...work(before) }
  remember(STORED, kept)
  say()
}

export const exportWatch = {
  waiting: (userId: string) => waitingOf(kept, userId),
  wait(userId: string, { id, customerId, exportName }: WaitedExport): void {
    if (waitingOf(kept, userId).some((one) => one.id === id)) return
    change(userId, ({ waiting }) => ({
      waiting: [...waiting.filter((one) => one.id !== id), { id, customerId, exportName }]
    }))
  },
  /** It has come to an end, about which this tab has something to tell, or nothing. */
  end(userId: string, id: string, told: ExportNews | null): void {
    if (!waitingOf(kept, userId).some((one) => one.id === id)) return
    if (told) news = [...news, told]
    change(userId, ({ waiting, unread }) => ({
      waiting: waiting.filter((one) => one.id !== id),
      unread: told ? [{ ...told, id }, ...unread].slice(0, UNREAD_MAX) : unread
    }))
  },
  /** What came to its end since the person has looked: the bell shows it, in every tab, until it is read. */
  unread: (userId: string) => unreadOf(kept, userId),
  /** One of them, or all. */
  read(userId: string, id?: string): void {
    if (unreadOf(kept, userId).length === 0) return
    change(userId, ({ unread }) => ({
      unread: id === undefined ? READ : unread.filter((one) => one.id !== id)
    }))
  },
  news: () => news,
  told(): void {
    news = []
    say()
  },
  /** Whether this is the tab that reads and tells. */
  reads: () => readers > 0,
  /** From now on this tab does, until the returned function is called. */
  beginReading(): () => void {
    readers += 1
    return () => {
      readers -= 1
    }
  },
  /** A list that this tab shows reads these anyway, until the returned function is called. */
  cover(ids: readonly string[]): () => void {
    const add = (by: number) => {
      for (const id of ids) covered.set(id, (covered.get(id) ?? 0) + by)
    }
    add(1)
    return () => add(-1)
  },
  isCovered: (id: string): boolean => (covered.get(id) ?? 0) > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
}
