// The notifications that a user sees in the portal: a list by page, and marking them read or unread.

import { booleanField, objectBody, textList } from '../../api/body.ts'
import { inOrder, pageOf, readPaging, readSort } from '../../api/paging.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { NotificationRecord } from '../../records/people.ts'
import { notificationsFor } from '../../seed/notifications.ts'
import type { State } from '../../state.ts'
import { userOf } from '../management/users.ts'

export const inApp: Upstream = (api, state) => {
  api.get('/api/v1/notifier/users/:id/inapp', async (request) => {
    const query = request.query as Record<string, unknown>
    const { readStatus } = query
    if (readStatus !== undefined && readStatus !== 'true' && readStatus !== 'false')
      throw malformed('readStatus must be true or false', 'readStatus')
    const wanted = listOf(state, params(request).id).filter(
      (one) => readStatus === undefined || String(one.readStatus) === readStatus
    )
    const paging = readPaging(query)
    const order = readSort(query.sortBy) ?? { property: 'generatedDate', descending: true }
    const totalPages = Math.ceil(wanted.length / paging.size)
    return {
      content: pageOf(
        inOrder(wanted, order, (one) => one),
        paging
      ),
      page: { ...paging, totalPages, totalElements: wanted.length }
    }
  })

  api.put('/api/v1/notifier/users/:id', async (request) => {
    const list = listOf(state, params(request).id)
    const body = objectBody(request)
    const readStatus = booleanField(body, 'readStatus')
    const all = body.readAllNotifications === true
    const changed = all ? list : textList(body, 'notificationIds').map((id) => notificationOf(list, id))
    for (const notification of changed) notification.readStatus = readStatus
    return { changed: changed.length }
  })
}

function listOf(state: State, userId: string): NotificationRecord[] {
  const user = userOf(state, userId)
  const known = state.notifications.get(user.id) ?? notificationsFor(state, user)
  state.notifications.set(user.id, known)
  return known
}

function notificationOf(list: NotificationRecord[], id: string): NotificationRecord {
  const found = list.find((one) => one.notificationId === id)
  if (!found) throw notFound(`notification ${id}`)
  return found
}
