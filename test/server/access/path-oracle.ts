// Whether somebody may have a path reach an upstream, by the oracle of the grid. A path that could be read in two ways may
// not reach one at all.
import { PROXY_TABLE } from '#server/proxy/table.ts'
import type { State } from '#test/sandbox/state.ts'
import { ORACLE, type Rule } from './grid-oracle.ts'

type UserRecord = State['users'] extends Map<string, infer User> ? User : never

type About =
  | 'nobody'
  | 'root'
  | 'organization'
  | 'own'
  | 'customer'
  | 'project'
  | 'device'
  | 'user'
  | 'self'
  | 'query'
  | 'anywhere'

export interface Right {
  method: string
  segments: string[]
  /** Numbers of the roles; null where being signed in is enough. */
  roles: readonly number[] | null
  about: About
  named: string
}

const NAMED: [parameter: string, about: About][] = [
  ['organizationId', 'organization'],
  ['customerId', 'customer'],
  ['projectId', 'project'],
  ['deviceId', 'device'],
  ['deviceUuid', 'device'],
  ['userId', 'user']
]
const BY_QUERY: Record<string, string> = {
  'usage.metrics': 'deviceId',
  'exports.list': 'customerId organizationId'
}
const NUMBERS: Record<string, number> = { GA: 1, PA: 2, PU: 3, CA: 4, CU: 5, NR: 6, NO: 7 }

export const TABLE: readonly Right[] = PROXY_TABLE.flatMap(({ id, method, path }) => {
  const { who, where, members } = ORACLE[id] as Rule
  const [parameter = '', kind] = NAMED.find(([name]) => path.includes(`:${name}`)) ?? []
  const about = aboutOf()
  if (about === undefined) return []
  const segments = path
    .replaceAll('::', '\0')
    .split('/')
    .map((segment) => (segment.startsWith(':') ? (segment === `:${parameter}` ? ':id' : ':other') : segment))
    .map((segment) => segment.replaceAll('\0', ':'))
  const roles = about === 'nobody' || about === 'self' ? null : who.split(' ').map((one) => NUMBERS[one] ?? 0)
  return [{ method, segments, roles, about, named: BY_QUERY[id] ?? 'id' }]

  function aboutOf(): About | undefined {
    if (who === 'signed-in') return 'nobody'
    if (who === 'oneself') return kind === 'user' ? 'self' : undefined
    if (where === 'root' || where === 'anywhere') return where
    if (id in BY_QUERY) return 'query'
    return members ? 'own' : kind
  }
})

const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+,=:@"<>[\]^`{|}-]|%[2-9a-f][\da-f])+)+$/i
const HIDDEN = /%(?:2[ef5]|5c|3[bf]|23|7f)/i

export const isPlain = (path: string): boolean => PLAIN.test(path) && !HIDDEN.test(path)

/** Why the person may not have the call made; null when it may be made. */
export function objection(state: State, user: UserRecord, method: string, target: string): string | null {
  const [path = '', query = ''] = target.split('?')
  if (!isPlain(path)) return 'it can be read in two ways'
  for (const right of TABLE) {
    const parameters = right.method === method ? matched(right.segments, path) : null
    if (parameters !== null && isRight(state, user, right, parameters, query)) return null
  }
  return 'its caller has no right to it'
}

function matched(segments: readonly string[], path: string): Record<string, string> | null {
  const parts = path.split('/').map(decodeURIComponent)
  if (parts.length !== segments.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.startsWith(':')) parameters[segment.slice(1)] = part
    else if (segment !== part) return null
  }
  return parameters
}

function isRight(
  state: State,
  user: UserRecord,
  { roles, about, named }: Right,
  { id = '' }: Record<string, string>,
  query: string
): boolean {
  const { organizations, users, projects, devices } = state
  const device = (name: string) =>
    devices.get(name) ?? [...devices.values()].find(({ deviceUuid }) => deviceUuid === name)
  const at = (organizationId: string | null | undefined) => {
    const organization = organizations.get(organizationId ?? '')
    return organization !== undefined && holds(user, roles ?? [], organization)
  }
  switch (about) {
    case 'nobody':
      return true
    case 'root':
      return user.roleAssignments.some((held) => held.scope === '/' && roles?.includes(held.roleNumber))
    case 'anywhere':
      return user.roleAssignments.some(({ roleNumber }) => roles?.includes(roleNumber))
    case 'self':
      return id === user.id
    case 'own':
      return id === user.organizationId || at(id)
    case 'organization':
    case 'customer':
      return at(id)
    case 'project':
      return at(projects.get(id)?.customerId)
    case 'device':
      return at(device(id)?.customerId)
    case 'user':
      return at(users.get(id)?.organizationId)
    case 'query': {
      const values = [...new URLSearchParams(query)].flatMap(([name, value]) =>
        named.split(' ').includes(name) ? [value] : []
      )
      // Without any the upstream would decide by itself whose data is meant.
      return (
        values.length > 0 &&
        values.every((value) => at(named === 'deviceId' ? device(value)?.customerId : value))
      )
    }
  }
}

type Organization = State['organizations'] extends Map<string, infer One> ? One : never

function holds(user: UserRecord, roles: readonly number[], { id, partnerId }: Organization): boolean {
  const scopes = ['/', `/organizations/${partnerId ?? id}`]
  if (partnerId) scopes.push(`/organizations/${partnerId}/customers/${id}`)
  return user.roleAssignments.some((held) => roles.includes(held.roleNumber) && scopes.includes(held.scope))
}
