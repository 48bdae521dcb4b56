// Notifications and their preferences: everybody's own (§7). Rows and what they take.
import { closed, listOf, opaqueId, optional, text, whole, yesNo } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'
import { NOTIFIED, OBJECTS_MAX } from './schemas.ts'

const PREFERENCES = '/api/v1/notifications/users/:userId'
const NOTIFIER = '/api/v1/notifier/users/:userId'
const own = { action: 'self', flag: 'enableNotifications' } as const

const preferences = listOf(
  closed(
    { eventTypeId: optional(whole(1, 10_000, '1 subscription updates, 2 service account updates.')), notificationType: optional(text(50, 'How it is told.', { examples: ['email'] })), subscribe: optional(yesNo()) },
    { $id: 'NotificationPreferenceChange' }
  ),
  100
)
const marks = closed({ readStatus: optional(yesNo()), readAllNotifications: optional(yesNo('All of them, whatever the ids.')), notificationIds: optional(listOf(opaqueId(undefined, 'n-1'), OBJECTS_MAX)) }, { $id: 'NotificationMarks' })

export const notifications: readonly ProxyRow[] = [
  { ...own, id: 'notifications.preferences', method: 'GET', path: PREFERENCES, upstream: 'NOTIFICATIONS' },
  { ...own, id: 'notifications.change-preferences', method: 'PUT', path: PREFERENCES, upstream: 'NOTIFICATIONS', body: preferences },
  { ...own, id: 'notifications.list', method: 'GET', path: `${NOTIFIER}/inapp`, upstream: 'NOTIFIER', query: closed(NOTIFIED) },
  { ...own, id: 'notifications.mark', method: 'PUT', path: NOTIFIER, upstream: 'NOTIFIER', body: marks, upstreamProves: ['notificationIds'] }
]
