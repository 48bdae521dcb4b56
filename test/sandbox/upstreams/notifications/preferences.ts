// Which events a user wants e-mail about. Personal, so the audit log is not told.

import { booleanField, objectBody } from '../../api/body.ts'
import { malformed } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { PreferenceRecord } from '../../records/people.ts'
import type { State } from '../../state.ts'
import { userOf } from '../management/users.ts'

const EVENT_TYPES = [1, 2] as const

export const preferences: Upstream = (api, state) => {
  const path = '/api/v1/notifications/users/:id'
  api.get(path, async (request) => preferencesOf(state, userOf(state, params(request).id).id))

  api.put(path, async (request) => {
    const { id } = userOf(state, params(request).id)
    const changed = readPreferences(request.body)
    const next = preferencesOf(state, id).map(
      (held) => changed.find((one) => one.eventTypeId === held.eventTypeId) ?? held
    )
    state.preferences.set(id, next)
    return next
  })
}

function preferencesOf(state: State, userId: string): PreferenceRecord[] {
  const everything = EVENT_TYPES.map(
    (eventTypeId): PreferenceRecord => ({ eventTypeId, notificationType: 'email', subscribe: true })
  )
  return state.preferences.get(userId) ?? everything
}

function readPreferences(list: unknown): PreferenceRecord[] {
  if (!Array.isArray(list) || list.length === 0) throw malformed('a list of preferences is expected')
  return list.map((item) => {
    const body = objectBody({ body: item })
    const eventTypeId = EVENT_TYPES.find((known) => known === body.eventTypeId)
    if (eventTypeId === undefined) throw malformed('eventTypeId must be 1 or 2', 'eventTypeId')
    if (body.notificationType !== 'email')
      throw malformed('notificationType must be email', 'notificationType')
    return { eventTypeId, notificationType: 'email', subscribe: booleanField(body, 'subscribe') }
  })
}
