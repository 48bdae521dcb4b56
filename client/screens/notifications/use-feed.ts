import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NOTIFICATION_PAGE_SIZE } from '#shared/limits.ts'
import { type Failure, failureOf } from '../../api/api-error.ts'
import {
  markNotifications,
  type Notification,
  type NotificationFilter,
  readNotifications
} from '../../api/notifications.ts'

/** One call for all that are still unread, so that marking all can be taken back exactly. */
const UNDO_SIZE = 1000

export interface Feed {
  items: readonly Notification[]
  phase: 'loading' | 'ready' | 'more' | 'failed'
  failure: Failure | null
  hasMore: boolean
  loadMore: () => void
  reload: () => void
  /** What was marked last and can be taken back. */
  done: { text: string; undo: () => void } | null
  /** Why marking did not work. */
  problem: string | null
  mark: (ids: readonly string[], readStatus: boolean) => void
  markAll: () => void
}

/** A person's notifications, page after page. Marking shows at once, and is taken back when it fails. */
export function useFeed(
  userId: string,
  filter: NotificationFilter,
  { unread, shift }: { unread: number; shift: (by: number) => void }
): Feed {
  const [items, setItems] = useState<readonly Notification[]>([])
  const [total, setTotal] = useState(0)
  const [phase, setPhase] = useState<Feed['phase']>('loading')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [done, setDone] = useState<Feed['done']>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const round = useRef(0)

  const unreadItems = items.filter(({ readStatus }) => !readStatus)
  /** Those of the shown ones that the gateway counts in its pages. */
  const counted = filter === 'unread' ? unreadItems.length : items.length

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
      // A page without anything new is the last one, whatever the total says.
      setTotal(fresh.length > 0 ? page.page.totalElements : 0)
      setPhase('ready')
    } catch (error) {
      if (own !== round.current) return
      setFailure(failureOf(error))
      setPhase('failed')
    }
  }

  const begin = useEffectEvent(() => {
    setItems([])
    setDone(null)
    setProblem(null)
    void load([], 0)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another list
  useEffect(() => {
    begin()
    return () => {
      round.current += 1
    }
  }, [filter])

  /** Shows the marks at once; the returned function takes them back. */
  function show(ids: ReadonlySet<string> | 'all', readStatus: boolean, count: number): () => void {
    const by = readStatus ? -count : count
    const change = (to: boolean) =>
      setItems((shown) =>
        shown.map((one) => (ids === 'all' || ids.has(one.notificationId) ? { ...one, readStatus: to } : one))
      )
    change(readStatus)
    shift(by)
    if (filter === 'unread') setTotal((before) => before + by)
    return () => {
      shift(-by)
      if (filter === 'unread') setTotal((before) => before - by)
    }
  }

  async function mark(ids: readonly string[], readStatus: boolean, undoable = true) {
    setProblem(null)
    const takeBack = show(new Set(ids), readStatus, ids.length)
    const words = readStatus ? 'Marked as read.' : 'Marked as unread.'
    setDone(undoable ? { text: words, undo: () => void mark(ids, !readStatus, false) } : null)
    try {
      await markNotifications(userId, { readStatus, which: [...ids] })
    } catch (error) {
      takeBack()
      const changed = new Set(ids)
      setItems((shown) =>
        shown.map((one) => (changed.has(one.notificationId) ? { ...one, readStatus: !readStatus } : one))
      )
      failed(error)
    }
  }

  async function markAll() {
    setProblem(null)
    const before = items
    const takeBack = show('all', true, unread)
    setDone(null)
    try {
      const ids = await unreadIds()
      await markNotifications(userId, { readStatus: true, which: 'all' })
      const undo = ids.length > 0 ? () => void mark(ids, false, false) : null
      setDone(undo && { text: 'All marked as read.', undo })
    } catch (error) {
      takeBack()
      setItems(before)
      failed(error)
    }
  }

  async function unreadIds(): Promise<string[]> {
    const shown = unreadItems.map(({ notificationId }) => notificationId)
    if (shown.length >= unread) return shown
    const { content } = await readNotifications(userId, 'unread', 0, UNDO_SIZE)
    return content.map(({ notificationId }) => notificationId)
  }

  function failed(error: unknown) {
    setDone(null)
    setProblem(`${failureOf(error).title}. Nothing was marked. Try again.`)
  }

  return {
    items,
    phase,
    failure,
    hasMore: counted < total,
    loadMore: () => {
      if (phase === 'more' || phase === 'loading') return
      void load(items, Math.floor(counted / NOTIFICATION_PAGE_SIZE))
    },
    reload: () => void load([], 0),
    done,
    problem,
    mark: (ids, readStatus) => void mark(ids, readStatus),
    markAll: () => void markAll()
  }
}
