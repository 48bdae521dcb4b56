import type { Notification, Preference } from '#shared/answers/notifications.ts'
import type { Page } from '#shared/answers/parts.ts'
import { calls } from '#shared/calls.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { get, useCacheChange, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { NOTIFICATION_PAGE_SIZE } from '../../../lib/limits.ts'

interface NotificationPage {
  content: Notification[]
  page: Page<Notification>['page']
}

export type NotificationFilter = 'all' | 'unread'

function listPath(userId: string, filter: NotificationFilter, page: number, size: number): string {
  const query = new URLSearchParams({ page: String(page), size: String(size), sortBy: 'generatedDate,desc' })
  if (filter === 'unread') query.set('readStatus', 'false')
  return `${calls.notifications(userId)}?${query}`
}

/** A page of notifications, newest first. Rejects malformed answers and skips notifications without an id. */
export async function readNotifications(
  userId: string,
  filter: NotificationFilter,
  page: number,
  size = NOTIFICATION_PAGE_SIZE
): Promise<NotificationPage> {
  const answer = await request<NotificationPage>(listPath(userId, filter, page, size))
  if (!Array.isArray(answer?.content) || typeof answer.page?.totalElements !== 'number')
    throw new ApiError(502)
  return { ...answer, content: answer.content.filter((entry) => entry?.notificationId).map(toNotification) }
}

/** Replaces malformed texts with empty strings. */
function toNotification(body: Notification): Notification {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    notificationId: String(body.notificationId),
    subject: textOf(body.subject),
    content: textOf(body.content),
    generatedDate: textOf(body.generatedDate),
    readStatus: body.readStatus === true,
    substitutions: typeof body.substitutions === 'object' ? (body.substitutions ?? {}) : {}
  }
}

export interface Unread {
  count: number
  /** Adjusts the count when notifications are marked. Returns how to revert that. */
  shift: (by: number) => () => void
}

/** The number of unread notifications, polled while the tab is visible. */
export function useUnreadCount(userId: string): Unread {
  const path = listPath(userId, 'unread', 0, 1)
  const { data } = useQuery(path, get<NotificationPage>, { refreshInterval: 300_000 })
  const changeCache = useCacheChange()
  return {
    count: data?.page?.totalElements ?? 0,
    shift: (by) =>
      changeCache(path, (answer) => {
        const { page, ...rest } = answer as NotificationPage
        return { ...rest, page: { ...page, totalElements: Math.max(page.totalElements + by, 0) } }
      })
  }
}

export function markNotifications(
  userId: string,
  readStatus: boolean,
  which: 'all' | readonly string[]
): Promise<unknown> {
  const isAll = which === 'all'
  const body = { readStatus, readAllNotifications: isAll, notificationIds: isAll ? [] : which }
  return request(calls.notificationState(userId), { method: 'PUT', body })
}

export const EVENT_TYPES = [
  { eventTypeId: 1, label: 'Subscription updates' },
  { eventTypeId: 2, label: 'Service account updates' }
] as const

/** One preference for each event type; a missing preference means subscribed. Keeps unknown types. */
export async function readPreferences(userId: string): Promise<Preference[]> {
  const answer = await request<Preference[]>(calls.notificationPreferences(userId))
  if (!Array.isArray(answer)) throw new ApiError(502)
  const missingTypes = EVENT_TYPES.filter(
    ({ eventTypeId }) => !answer.some((preference) => preference.eventTypeId === eventTypeId)
  )
  return [
    ...answer,
    ...missingTypes.map(({ eventTypeId }) => ({ eventTypeId, notificationType: 'email', subscribe: true }))
  ]
}

export function savePreferences(userId: string, preferences: readonly Preference[]): Promise<unknown> {
  const body = preferences.map(({ eventTypeId, subscribe, notificationType }) => ({
    eventTypeId,
    subscribe,
    notificationType
  }))
  return request(calls.notificationPreferences(userId), { method: 'PUT', body })
}
