import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NOTIFICATION_PAGE_SIZE } from '#shared/limits.ts'
import { useOnReconnect } from '../../lib/browser.ts'
import { type Failure, failureOf } from '../../lib/http/api-error.ts'
import { markNotifications, type Notification, type NotificationFilter, readNotifications } from './api.ts'

/** One call reads all unread ids, so that Undo restores exactly them. */
const UNDO_SIZE = 1000

export interface Feed {
  items: readonly Notification[]
  phase: 'loading' | 'ready' | 'more' | 'failed'
  failure: Failure | null
  hasMore: boolean
  loadMore: () => void
  reload: () => void
  /** The last marking, which can be undone. */
  done: { text: string; undo: () => void } | null
  /** Why marking did not work. */
  problem: string | null
  mark: (ids: readonly string[], readStatus: boolean) => void
  markAll: () => void
}

interface Unread {
  unread: number
  shift: (by: number) => void
}

/** A person's notifications by pages. Marking shows at once and is undone on failure. */
export function useFeed(userId: string, filter: NotificationFilter, unread: Unread): Feed {
  const pages = usePages(userId, filter)
  const marks = useMarks(userId, filter, pages, unread)
  const begin = useEffectEvent(() => {
    marks.forget()
    return pages.begin()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another list
  useEffect(() => begin(), [filter])
  const { items, phase, failure, hasMore, loadMore, reload } = pages
  const { done, problem, mark, markAll } = marks
  useOnReconnect(failure !== null, items.length > 0 ? loadMore : reload)
  return {
    items,
    phase,
    failure,
    hasMore,
    loadMore,
    reload,
    done,
    problem,
    mark: (ids, readStatus) => void mark(ids, readStatus),
    markAll: () => void markAll()
  }
}

function usePages(userId: string, filter: NotificationFilter) {
  const [items, setItems] = useState<readonly Notification[]>([])
  const [total, setTotal] = useState(0)
  const [phase, setPhase] = useState<Feed['phase']>('loading')
  const [failure, setFailure] = useState<Failure | null>(null)
  const round = useRef(0)
  /** The shown notifications that the server's pages count. */
  const counted = filter === 'unread' ? unreadOf(items).length : items.length

  async function load(known: readonly Notification[], number: number) {
    const own = ++round.current
    setPhase(known.length > 0 ? 'more' : 'loading')
    setFailure(null)
    try {
      const page = await readNotifications(userId, filter, number)
      if (own !== round.current) return
      const seen = new Set(known.map(({ notificationId }) => notificationId))
      const fresh = page.content.filter(({ notificationId }) => !seen.has(notificationId))
      setItems([...known, ...fresh])
      // A page without anything new is the last one.
      setTotal(fresh.length > 0 ? page.page.totalElements : 0)
      setPhase('ready')
    } catch (error) {
      if (own !== round.current) return
      setFailure(failureOf(error))
      setPhase('failed')
    }
  }

  return {
    items,
    setItems,
    /** Adjusts the total after marking. */
    shift: (by: number) => setTotal((before) => before + by),
    phase,
    failure,
    hasMore: counted < total,
    /** Reads the first page; returns a function that ignores pending answers. */
    begin() {
      setItems([])
      void load([], 0)
      return () => {
        round.current += 1
      }
    },
    loadMore() {
      if (phase === 'more' || phase === 'loading') return
      void load(items, Math.floor(counted / NOTIFICATION_PAGE_SIZE))
    },
    reload: () => void load([], 0)
  }
}

const unreadOf = (items: readonly Notification[]) => items.filter(({ readStatus }) => !readStatus)

function useMarks(
  userId: string,
  filter: NotificationFilter,
  pages: ReturnType<typeof usePages>,
  { unread, shift }: Unread
) {
  const [done, setDone] = useState<Feed['done']>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { items, setItems } = pages

  function show(ids: ReadonlySet<string> | 'all', readStatus: boolean) {
    setItems((shown) =>
      shown.map((one) => (ids === 'all' || ids.has(one.notificationId) ? { ...one, readStatus } : one))
    )
  }

  function recount(by: number) {
    shift(by)
    if (filter === 'unread') pages.shift(by)
  }

  async function mark(ids: readonly string[], readStatus: boolean, undoable = true) {
    const by = readStatus ? -ids.length : ids.length
    setProblem(null)
    show(new Set(ids), readStatus)
    recount(by)
    const words = readStatus ? 'Marked as read.' : 'Marked as unread.'
    setDone(undoable ? { text: words, undo: () => void mark(ids, !readStatus, false) } : null)
    try {
      await markNotifications(userId, { readStatus, which: [...ids] })
    } catch (error) {
      recount(-by)
      show(new Set(ids), !readStatus)
      failed(error)
    }
  }

  async function markAll() {
    const before = items
    setProblem(null)
    show('all', true)
    recount(-unread)
    setDone(null)
    try {
      const ids = await unreadIds()
      await markNotifications(userId, { readStatus: true, which: 'all' })
      const undo = ids.length > 0 ? () => void mark(ids, false, false) : null
      setDone(undo && { text: 'All marked as read.', undo })
    } catch (error) {
      recount(unread)
      setItems(before)
      failed(error)
    }
  }

  async function unreadIds(): Promise<string[]> {
    const shown = unreadOf(items).map(({ notificationId }) => notificationId)
    if (shown.length >= unread) return shown
    const { content } = await readNotifications(userId, 'unread', 0, UNDO_SIZE)
    return content.map(({ notificationId }) => notificationId)
  }

  function failed(error: unknown) {
    setDone(null)
    setProblem(`${failureOf(error).title}. Nothing was marked. Try again.`)
  }

  function forget() {
    setDone(null)
    setProblem(null)
  }

  return { done, problem, mark, markAll, forget }
}
