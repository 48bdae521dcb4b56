// Whether somebody may have a path reach an upstream, by the oracle of the grid. A path is read in every way in which some
// upstream might read it; each of them must be allowed.
import { PROXY_TABLE } from '#server/proxy/table.ts'
import type { State } from '#test/sandbox/state.ts'
import { ORACLE, type Rule } from './grid-oracle.ts'

type UserRecord = State['users'] extends Map<string, infer User> ? User : never

/** What a path is about: which of its parameters names what. */
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
  /** The parameter that names it. */
  named: string
}

/** The parameter that a row is about, the first that it has. */
const NAMED: [parameter: string, about: About][] = [
  ['organizationId', 'organization'],
  ['customerId', 'customer'],
  ['projectId', 'project'],
  ['deviceId', 'device'],
  ['deviceUuid', 'device'],
  ['userId', 'user']
]
/** Rows whose query names what they are about. */
const BY_QUERY: Record<string, string> = {
  'usage.metrics': 'deviceId',
  'exports.list': 'customerId organizationId'
}
/** Role numbers by their initials (.github/product.md#roles). */
const NUMBERS: Record<string, number> = { GA: 1, PA: 2, PU: 3, CA: 4, CU: 5, NR: 6, NO: 7 }

/** The rows that a path or query alone decides about, with the rights of the grid's oracle. */
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

/** Everything that some upstream might take a request target for. */
export function readings(target: string): Set<string> {
  const decodings = [target, decoded(target), decoded(decoded(target))]
  const ways: ((path: string) => string)[] = [
    (path) => path.replace(/^https?:\/\/[^/]*/i, ''),
    (path) => path.replace(/#.*$/s, ''),
    (path) => path.replace(/[\0\r\n\t].*$/s, ''),
    (path) => path.replaceAll('\\', '/'),
    (path) => path.replace(/;[^/?]*/g, ''),
    (path) => path.replace(/\/{2,}/g, '/'),
    withoutDots,
    (path) => path.replace(/(?<=.)[/. ]+(?=$|\?)/, ''),
    (path) => path.toLowerCase()
  ]
  let found = new Set(decodings)
  for (const way of ways) found = new Set([...found, ...[...found].map(way)])
  // Merging or cutting may bring up what an earlier step would have taken away.
  for (const way of ways.slice(3, 8)) found = new Set([...found, ...[...found].map(way)])
  return found
}

/** Percent-encoding undone once; what is no encoding stays, as lenient servers have it. */
function decoded(path: string): string {
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  // Overlong forms of `.` and `/`, and the wide forms of them.
  return bytes
    .replace(/\xc0\xaf|\xe0\x80\xaf|\xef\xbc\x8f|\xe2\x81\x84/g, '/')
    .replace(/\xc0\xae|\xe0\x80\xae|\xef\xbc\x8e/g, '.')
}

function withoutDots(path: string): string {
  const [before = '', ...rest] = path.split('?')
  const kept: string[] = []
  for (const segment of before.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  const joined = kept.join('/')
  return [joined.startsWith('/') ? joined : `/${joined}`, ...rest].join('?')
}

/** Why the person may not have the call made; null when it may be made. */
export function objection(state: State, user: UserRecord, method: string, target: string): string | null {
  const plain = decoded(target)
  let known = false
  for (const reading of readings(target)) {
    const [path = '', ...query] = reading.split('?')
    for (const right of TABLE) {
      const parameters = right.method === method ? matched(right.segments, path) : null
      if (parameters === null) continue
      if (reading === plain) known = true
      const verdict = judge(state, user, right, parameters, query.join('?'))
      // Read in an unusual way it may name nothing at all: that harms nobody.
      if (verdict === 'wrong' || (verdict === 'nothing' && reading === plain))
        return `${reading} is ${right.about} ${JSON.stringify(parameters)}`
    }
  }
  return known ? null : 'it is no path of the table'
}

function matched(segments: readonly string[], path: string): Record<string, string> | null {
  const parts = path.split('/')
  if (parts.length !== segments.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.startsWith(':')) {
      if (part === '') return null
      parameters[segment.slice(1)] = part
    } else if (segment !== part && segment.toLowerCase() !== part) return null
  }
  return parameters
}

function judge(
  state: State,
  user: UserRecord,
  { roles, about, named }: Right,
  parameters: Record<string, string>,
  query: string
): 'right' | 'wrong' | 'nothing' {
  const { id = '' } = parameters
  const verdict = (right: boolean | undefined) => (right ? 'right' : 'wrong')
  const at = (organizationId: string | null | undefined) => {
    const organization = organizationId ? find(state, 'organizations', organizationId) : undefined
    return organization ? verdict(holds(user, roles ?? [], organization)) : 'nothing'
  }
  switch (about) {
    case 'nobody':
      return 'right'
    case 'root':
      return verdict(
        user.roleAssignments.some((held) => held.scope === '/' && roles?.includes(held.roleNumber))
      )
    case 'anywhere':
      return verdict(user.roleAssignments.some(({ roleNumber }) => roles?.includes(roleNumber)))
    case 'self':
      return find(state, 'users', id) ? verdict(find(state, 'users', id)?.id === user.id) : 'nothing'
    case 'own':
      return find(state, 'organizations', id)?.id === user.organizationId ? 'right' : at(id)
    case 'organization':
    case 'customer':
      return at(id)
    case 'project':
      return at(find(state, 'projects', id)?.customerId)
    case 'device':
      return at(find(state, 'devices', id)?.customerId)
    case 'user':
      return at(find(state, 'users', id)?.organizationId)
    case 'query': {
      const verdicts = valuesOf(query, named.split(' ')).map((value) =>
        at(named === 'deviceId' ? find(state, 'devices', value)?.customerId : value)
      )
      // Without any the upstream would decide by itself whose data is meant.
      return verdicts.length === 0 || verdicts.includes('wrong') ? 'wrong' : 'right'
    }
  }
}

/** Ids are compared as the strictest and the most careless upstream would. */
type Kind = 'organizations' | 'users' | 'projects' | 'devices'
interface Thing {
  id: string
  deviceUuid?: string
  customerId?: string
  organizationId?: string | null
  partnerId?: string | null
}
const indexes = new WeakMap<State, Record<Kind, Map<string, Thing>>>()

function find(state: State, kind: Kind, id: string): Thing | undefined {
  const index = indexes.get(state) ?? {
    organizations: indexOf(state.organizations.values()),
    users: indexOf(state.users.values()),
    projects: indexOf(state.projects.values()),
    devices: indexOf(state.devices.values())
  }
  indexes.set(state, index)
  return index[kind].get(id)
}

/** By id and by uuid, as they are and in small letters. */
function indexOf(things: Iterable<Thing>): Map<string, Thing> {
  const index = new Map<string, Thing>()
  for (const thing of things)
    for (const name of [thing.id, thing.deviceUuid ?? thing.id])
      for (const form of [name.toLowerCase(), name]) index.set(form, thing)
  return index
}

/** All values that some parser finds under one of the names. */
function valuesOf(query: string, names: readonly string[]): string[] {
  const lower = names.map((name) => name.toLowerCase())
  return [query, decoded(query)].flatMap((text) =>
    text.split(/[&;?#]/).flatMap((pair) => {
      const [name = '', ...value] = pair.split('=')
      const bare = decoded(name).replace(/\[.*$/s, '').trim().toLowerCase()
      return lower.includes(bare) && value.join('=') !== '' ? [decoded(value.join('='))] : []
    })
  )
}

function holds(user: UserRecord, roles: readonly number[], { id, partnerId }: Thing): boolean {
  const scopes = ['/', `/organizations/${partnerId ?? id}`]
  if (partnerId) scopes.push(`/organizations/${partnerId}/customers/${id}`)
  return user.roleAssignments.some((held) => roles.includes(held.roleNumber) && scopes.includes(held.scope))
}
