// Rows for the caller's own notifications and preferences, with their request schemas.
import Type from 'typebox'
import { Notification, Preference } from '#shared/answers/notifications.ts'
import { count, PageNumbers } from '#shared/answers/parts.ts'
import { closed, listOf, opaqueId, optional, text, whole, yesNo } from '../../schemas.ts'
import { ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { IDS_BYTES, NOTIFIED, OBJECTS_MAX } from './schemas.ts'

const PREFERENCES = '/api/v1/notifications/users/:userId'
const NOTIFIER = '/api/v1/notifier/users/:userId'
const area = { name: 'Notifications', description: "The caller's own notifications, and which of them are sent by e-mail." }
const common = { area, action: 'self', flag: 'enableNotifications' } as const

const preferences = listOf(
  closed(
    { eventTypeId: whole(1, 10_000, '1: subscription updates, 2: service-account updates.'), notificationType: text(50, 'How notifications are sent.', { examples: ['email'] }), subscribe: yesNo() },
    { $id: 'NotificationPreferenceChange' }
  ),
  100
)
const marks = closed({ readStatus: yesNo(), readAllNotifications: optional(yesNo('Marks all and ignores `notificationIds`.')), notificationIds: optional(listOf(opaqueId(undefined, 'n-1'), OBJECTS_MAX)) }, { $id: 'NotificationMarks' })

export const notifications: readonly ProxyRow[] = [
  { ...common, id: 'notifications.preferences', method: 'GET', path: PREFERENCES, summary: "Get the caller's preferences", answers: ok(Type.Array(Preference)) },
  {
    ...common,
    id: 'notifications.change-preferences',
    method: 'PUT',
    path: PREFERENCES,
    body: preferences,
    recorded: ['eventTypeId', 'notificationType', 'subscribe'],
    summary: "Change the caller's preferences",
    answers: ok(Type.Array(Preference))
  },
  { ...common, id: 'notifications.list', method: 'GET', path: `${NOTIFIER}/inapp`, query: closed(NOTIFIED), summary: "List the caller's notifications", answers: ok(Type.Object({ content: Type.Array(Notification), page: PageNumbers })) },
  {
    ...common,
    id: 'notifications.mark',
    method: 'PUT',
    path: NOTIFIER,
    body: marks,
    recorded: ['readStatus', 'readAllNotifications', 'notificationIds'],
    bodyLimit: IDS_BYTES,
    upstreamProves: ['notificationIds'],
    summary: "Mark the caller's notifications",
    answers: ok(Type.Object({ changed: optional(count()) }))
  }
]
