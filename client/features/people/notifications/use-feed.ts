import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Notification } from '#shared/answers/notifications.ts'
import { calls } from '#shared/calls.ts'
import { isOutcomeUnknown, refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { useRetry } from '../../../lib/http/retry.ts'
import { NOTIFICATION_PAGE_SIZE } from '../../../lib/limits.ts'
import { markNotifications, type NotificationFilter, readNotifications, type Unread } from './api.ts'

/** Maximum number of notifications that Undo restores after “Mark all as read”; one call reads their ids. */
const UNDO_SIZE = 1000

export type Feed = ReturnType<typeof useFeed>

/** A person's notifications, page by page. A changed read status shows at once and is reverted on failure. */
export function useFeed(userId: string, filter: NotificationFilter, unread: Unread) {
  const { begin, setItems, shift, ...pages } = usePages(userId, filter)
  const { forget, ...marks } = useMarks(userId, pages, setItems, {
    count: unread.count,
    shift(by) {
      const revert = unread.shift(by)
      if (filter !== 'unread') return revert
      shift(by)
      return () => {
        revert()
        shift(-by)
      }
    }
  })
  const start = useEffectEvent(() => {
    forget()
    return begin()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each filter has its own list
  useEffect(() => start(), [filter])
  useRetry(pages.error, pages.phase !== 'ready', pages.items.length > 0 ? pages.loadMore : pages.reload)
  return { ...pages, ...marks }
}

// Marking moves unread notifications to earlier pages, which the shared paging hook does not support.
function usePages(userId: string, filter: NotificationFilter) {
  const [items, setItems] = useState<readonly Notification[]>([])
  const [total, setTotal] = useState(0)
  const [phase, setPhase] = useState<'loading' | 'ready' | 'more'>('loading')
  const [error, setError] = useState<unknown>()
  const round = useRef(0)
  /** The number of displayed notifications that the server's total includes. */
  const shownCount = filter === 'unread' ? items.filter(({ readStatus }) => !readStatus).length : items.length

  async function load(loadedItems: readonly Notification[], pageNumber: number) {
    const ownRound = ++round.current
    setPhase(loadedItems.length > 0 ? 'more' : 'loading')
    setError(undefined)
    try {
      const { content, page } = await readNotifications(userId, filter, pageNumber)
      if (ownRound !== round.current) return
      const loadedIds = new Set(loadedItems.map(({ notificationId }) => notificationId))
      const newItems = content.filter(({ notificationId }) => !loadedIds.has(notificationId))
      setItems([...loadedItems, ...newItems])
      // A page without new notifications is the last page.
      setTotal(newItems.length > 0 ? page.totalElements : 0)
    } catch (failure) {
      if (ownRound === round.current) setError(failure)
    } finally {
      if (ownRound === round.current) setPhase('ready')
    }
  }

  return {
    items,
    setItems,
    /** Adjusts the total after notifications were marked. */
    shift: (by: number) => setTotal((before) => before + by),
    phase,
    error,
    hasMore: shownCount < total,
    /** Reads the first page. Returns a function that discards pending answers. */
    begin() {
      setItems([])
      void load([], 0)
      return () => {
        round.current += 1
      }
    },
    loadMore() {
      if (phase === 'ready') void load(items, Math.floor(shownCount / NOTIFICATION_PAGE_SIZE))
    },
    reload: () => void load([], 0)
  }
}

interface Marking {
  which: 'all' | readonly string[]
  readStatus: boolean
}

function useMarks(
  userId: string,
  { items, reload }: { items: readonly Notification[]; reload: () => void },
  setItems: Dispatch<SetStateAction<readonly Notification[]>>,
  { count, shift }: Unread
) {
  const refresh = useRefresh()
  const [done, setDone] = useState<{ text: string; undo: () => void } | null>(null)

  function show(ids: readonly string[], readStatus: boolean) {
    setItems((shown) =>
      shown.map((notification) =>
        ids.includes(notification.notificationId) ? { ...notification, readStatus } : notification
      )
    )
  }

  const { mutateAsync, error, reset } = useMutation({
    /** Resolves to the ids of the notifications that it marked, for “Undo”. */
    async mutationFn({ which, readStatus }: Marking) {
      const ids = which === 'all' ? await readUnreadIds(userId) : which
      await markNotifications(userId, readStatus, which)
      return ids
    },
    onMutate({ which, readStatus }) {
      const shownUnread = items.filter((notification) => !notification.readStatus)
      const changedIds = which === 'all' ? shownUnread.map(({ notificationId }) => notificationId) : which
      const markedCount = which === 'all' ? count : which.length
      const revertCount = shift(readStatus ? -markedCount : markedCount)
      show(changedIds, readStatus)
      return () => {
        revertCount()
        show(changedIds, !readStatus)
      }
    },
    onSuccess(ids, { which }) {
      if (which === 'all' && ids.length > 0)
        setDone({ text: 'All marked as read.', undo: () => mark(ids, false, false) })
    },
    onError(failure) {
      setDone(null)
      if (!isOutcomeUnknown(failure)) return
      reload()
      void refresh(calls.notifications(userId))
    }
  })

  function mark(ids: readonly string[], readStatus: boolean, undoable = true) {
    const text = readStatus ? 'Marked as read.' : 'Marked as unread.'
    setDone(undoable ? { text, undo: () => mark(ids, !readStatus, false) } : null)
    mutateAsync({ which: ids, readStatus }).catch(() => {})
  }

  function markAll() {
    setDone(null)
    mutateAsync({ which: 'all', readStatus: true }).catch(() => {})
  }

  function forget() {
    setDone(null)
    reset()
  }

  const problem =
    error === undefined ? null : `${refusalText(error)} ${consequenceText(error, 'Nothing was marked.')}`
  return { done, problem, mark, markAll, forget }
}

async function readUnreadIds(userId: string): Promise<string[]> {
  const { content } = await readNotifications(userId, 'unread', 0, UNDO_SIZE)
  return content.map(({ notificationId }) => notificationId)
}
