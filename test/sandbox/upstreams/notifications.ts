// A user's notifications in the portal, and e-mail preferences.
import { booleanField, objectBody, textList } from '../api/body.ts'
import { inOrder, pageOf, readPaging, readSort } from '../api/hal.ts'
import { found, malformed } from '../api/problems.ts'
import { params, type Upstream } from '../api/upstream.ts'
import type { NotificationRecord, PreferenceRecord } from '../records/people.ts'
import { notificationsFor } from '../seed/notifications.ts'
import type { State } from '../state.ts'
import { userOf } from './management/users.ts'

const EVENT_TYPES = [1, 2] as const

export const notifications: Upstream = (api, state) => {
  api.get('/api/v1/notifier/users/:id/inapp', async (request) => {
    const query = request.query as Record<string, unknown>
    const { readStatus } = query
    if (readStatus !== undefined && readStatus !== 'true' && readStatus !== 'false')
      throw malformed('readStatus must be true or false', 'readStatus')
    const selectedNotifications = listOf(state, params(request).id).filter(
      (notification) => readStatus === undefined || String(notification.readStatus) === readStatus
    )
    const paging = readPaging(query)
    const order = readSort(query.sortBy) ?? { property: 'generatedDate', descending: true }
    const totalPages = Math.ceil(selectedNotifications.length / paging.size)
    return {
      content: pageOf(
        inOrder(selectedNotifications, order, (notification) => notification),
        paging
      ),
      page: { ...paging, totalPages, totalElements: selectedNotifications.length }
    }
  })

  api.put('/api/v1/notifier/users/:id', async (request) => {
    const list = listOf(state, params(request).id)
    const body = objectBody(request)
    const readStatus = booleanField(body, 'readStatus')
    const isAll = body.readAllNotifications === true
    const changedNotifications = isAll
      ? list
      : textList(body, 'notificationIds').map((id) =>
          found(
            list.find((candidate) => candidate.notificationId === id),
            `notification ${id}`
          )
        )
    for (const notification of changedNotifications) notification.readStatus = readStatus
    return { changed: changedNotifications.length }
  })

  const path = '/api/v1/notifications/users/:id'
  api.get(path, async (request) => preferencesOf(state, userOf(state, params(request).id).id))

  api.put(path, async (request) => {
    const { id } = userOf(state, params(request).id)
    const changes = readPreferences(request.body)
    const newPreferences = preferencesOf(state, id).map(
      (preference) => changes.find((change) => change.eventTypeId === preference.eventTypeId) ?? preference
    )
    state.preferences.set(id, newPreferences)
    return newPreferences
  })
}

function listOf(state: State, userId: string): NotificationRecord[] {
  const user = userOf(state, userId)
  const notifications = state.notifications.get(user.id) ?? notificationsFor(state, user)
  state.notifications.set(user.id, notifications)
  return notifications
}

function preferencesOf(state: State, userId: string): PreferenceRecord[] {
  const defaultPreferences = EVENT_TYPES.map(
    (eventTypeId): PreferenceRecord => ({ eventTypeId, notificationType: 'email', subscribe: true })
  )
  return state.preferences.get(userId) ?? defaultPreferences
}

function readPreferences(list: unknown): PreferenceRecord[] {
  if (!Array.isArray(list) || list.length === 0) throw malformed('a list of preferences is expected')
  return list.map((item) => {
    const body = objectBody({ body: item })
    const eventTypeId = EVENT_TYPES.find((type) => type === body.eventTypeId)
    if (eventTypeId === undefined) throw malformed('eventTypeId must be 1 or 2', 'eventTypeId')
    if (body.notificationType !== 'email')
      throw malformed('notificationType must be email', 'notificationType')
    return { eventTypeId, notificationType: 'email', subscribe: booleanField(body, 'subscribe') }
  })
}
