// Applies `{ create, update, delete }` to role assignments. Whether the caller may do so is not decided here.

import { objectBody } from '../../api/body.ts'
import { malformed, notFound } from '../../api/problems.ts'
import type { RoleRecord } from '../../records/people.ts'
import type { State } from '../../state.ts'
import { readRole, readRoles } from './roles.ts'

export function changeRoles(state: State, held: RoleRecord[], body: unknown): RoleRecord[] {
  const { create = [], update = [], delete: remove = [] } = objectBody({ body })
  if (!Array.isArray(update) || !Array.isArray(remove)) throw malformed('update and delete must be lists')
  const gone = new Set(remove.map((id) => heldRole(held, id).id))
  const updated = new Map(
    update.map((item) => {
      const { id } = heldRole(held, (item as { id?: unknown } | null)?.id)
      return [id, { id, ...readRole(state, item, 'update') }] as const
    })
  )
  const kept = held.filter((one) => !gone.has(one.id)).map((one) => updated.get(one.id) ?? one)
  return [...kept, ...readRoles(state, create, 'create')]
}

function heldRole(held: RoleRecord[], id: unknown): RoleRecord {
  const found = held.find((one) => one.id === id)
  if (!found) throw notFound(`role assignment ${id}`)
  return found
}
