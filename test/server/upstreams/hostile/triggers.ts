// Calls of every route, from the access grid, which make the gateway call its upstreams.

import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { State } from '#test/sandbox/state.ts'
import { ORACLE, type Target, targetOf } from '../../access/grid-oracle.ts'

export interface Trigger {
  route: string
  method: string
  path: string
  claim: string
  body: unknown
}

export interface Route {
  id: string
  method: string
  path: string
}

const TARGETS = [NOTABLE.partner, NOTABLE.multi[0], 'oneself']

export function triggersOf({ id, method, path }: Route, state: State): Trigger[] {
  const rule = ORACLE[id]
  if (!path.startsWith('/api/') || rule === undefined) return []
  return TARGETS.filter((name) => (rule.targets ?? ['oneself']).includes(name)).map((name) => {
    const target = name === 'oneself' ? oneself(state) : targetOf(name, state)
    const query = rule.query?.(target) ?? ''
    const pathname = path
      .replaceAll('::', ':')
      .replace(/:(\w+)/g, (part, key) => target.parameters[key] ?? part)
    return {
      route: id,
      method,
      path: query ? `${pathname}?${query}` : pathname,
      claim: target.id,
      body: rule.body?.(target)
    }
  })
}

function oneself(state: State): Target {
  const target = targetOf(NOTABLE.partner, state)
  const parameters = { userId: 'u-partner-admin', invitationId: 'invitation-of-oneself' }
  return { ...target, parameters: { ...target.parameters, ...parameters } }
}

export function removalOfAdmin(state: State): Trigger {
  const admin = [...state.users.values()]
    .filter(({ id }) => id !== 'u-partner-admin')
    .flatMap((user) => user.roleAssignments.map((role) => ({ user, role })))
    .find(({ role }) => role.roleNumber === 2 && role.scope === `/organizations/${NOTABLE.partner}`)
  const path = `/api/v2/management/users/${admin?.user.id}/roleAssignments`
  const body = { delete: [admin?.role.id] }
  return { route: 'users.change-roles', method: 'PATCH', path, claim: NOTABLE.partner, body }
}

export const COUNTS: Trigger = {
  route: 'portal.attention',
  method: 'GET',
  path: `/api/portal/v1/organizations/${NOTABLE.northwind}/attention`,
  claim: '',
  body: undefined
}
