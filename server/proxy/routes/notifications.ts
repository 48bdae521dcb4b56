// Notifications and their preferences: everybody's own (§7). Rows only.
import type { ProxyRow } from '../table.ts'

const PREFERENCES = '/api/v1/notifications/users/:userId'
const NOTIFIER = '/api/v1/notifier/users/:userId'
const own = { action: 'self', flag: 'enableNotifications' } as const

export const notifications: readonly ProxyRow[] = [
  { ...own, id: 'notifications.preferences', method: 'GET', path: PREFERENCES, upstream: 'NOTIFICATIONS' },
  { ...own, id: 'notifications.change-preferences', method: 'PUT', path: PREFERENCES, upstream: 'NOTIFICATIONS' },
  { ...own, id: 'notifications.list', method: 'GET', path: `${NOTIFIER}/inapp`, upstream: 'NOTIFIER' },
  { ...own, id: 'notifications.mark', method: 'PUT', path: NOTIFIER, upstream: 'NOTIFIER' }
]
