// The preview of access, the client's `can` and the gateway agree for random people, actions and scopes.
import Fastify from 'fastify'
import t from 'tap'
import { effectiveAccess, sharedReason } from '#client/features/people/access/effective-access.ts'
import { sessionOf } from '#client/lib/session/session.ts'
import { enforcePlugin } from '#server/access/enforce.ts'
import { Problem } from '#server/errors.ts'
import type { Caller } from '#server/types.ts'
import type { Bootstrap, RoleAssignment } from '#shared/answers/portal.ts'
import { ACTIONS, type Action, type Role } from '#shared/permissions.ts'
import { customerScope, organizationScope } from '#shared/scopes.ts'
import { chance } from '#test/support/chance.ts'

const CASES = 12_000
const ROLES: Role[] = [
  'global_admin',
  'partner_admin',
  'partner_user',
  'customer_admin',
  'customer_user',
  'niagara_remote',
  'nds_operator',
  'custom',
  'noaccess'
]
/** IDs with a common prefix, so that comparing texts instead of path segments fails. */
const PARTNERS: Record<string, string> = { c1: 'o1', c10: 'o1', c2: 'o10', c3: 'o10' }
const ORGANIZATIONS = ['o1', 'o10', ...Object.keys(PARTNERS)]
const scopeOf = (id: string) => {
  const partner = PARTNERS[id]
  return partner ? customerScope(partner, id) : organizationScope(id)
}
const ROLE_SCOPES = ['/', ...ORGANIZATIONS.map(scopeOf)]

async function startGateway(caller: () => Pick<Caller, 'user'>) {
  const app = Fastify()
  app.addHook('onRequest', async (request) => {
    request.caller = caller() as Caller
  })
  const lookups = {
    organizations: {
      find: async (id: string) => ({ id, partnerId: PARTNERS[id] ?? null }),
      forget: () => {}
    }
  }
  app.decorateRequest('caller', null)
  await app.register(enforcePlugin, { lookups: lookups as never, localClock: Date.now })
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Problem ? error.status : 500).send(String(error))
  )
  for (const action of ACTIONS)
    app.get(
      `/${action.replace(':', '/')}/:organizationId`,
      { config: { access: { action, scope: 'organization' } } as never },
      async () => 'done'
    )
  await app.ready()
  return app
}

t.test('no role, the roles custom and noaccess, and a role at another scope allow nothing', async (t) => {
  const cases: [assignments: RoleAssignment[], scope: string][] = [
    [[], '/organizations/1'],
    [[{ id: '1', role: 'custom', scope: '/' }], '/organizations/1'],
    [[{ id: '1', role: 'noaccess', scope: '/organizations/1' }], '/organizations/1'],
    [[{ id: '1', role: 'partner_admin', scope: '/organizations/1' }], '/organizations/10'],
    [[{ id: '1', role: 'customer_admin', scope: '/organizations/1/customers/9' }], '/organizations/1']
  ]
  for (const [assignments, scope] of cases)
    t.ok(
      effectiveAccess(assignments, scope).every(({ allowed, by }) => !allowed && by.length === 0),
      JSON.stringify(assignments)
    )
})

t.test('lists each assignment that allows an action, with its scope', async (t) => {
  const scope = '/organizations/1/customers/9'
  const assignments = [
    { role: 'partner_user', scope: '/organizations/1' },
    { role: 'customer_admin', scope },
    { role: 'nds_operator', scope: '/organizations/1/customers/8' }
  ] as const
  const access = new Map(effectiveAccess(assignments, scope).map((one) => [one.action, one]))
  t.strictSame(access.get('devices:view')?.by, [
    { role: 'customer_admin', scope, inherited: false },
    { role: 'partner_user', scope: '/organizations/1', inherited: true }
  ])
  t.strictSame(access.get('alarms:manage')?.by, [{ role: 'customer_admin', scope, inherited: false }])
  t.equal(access.get('devices:edit')?.allowed, false)
})

t.test(`preview, client and gateway agree in ${CASES} random cases`, async (t) => {
  const random = chance(20_261)
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
  let roleAssignments: RoleAssignment[] = []
  const app = await startGateway(() => ({
    user: {
      id: 'u-1',
      organizationId: null,
      organizationName: null,
      fullName: 'Somebody',
      email: null,
      userType: 'PARTNER',
      roleAssignments
    }
  }))
  t.teardown(() => app.close())
  const differences: string[] = []
  const counts = { allowed: 0, refused: 0 }
  for (let number = 0; number < CASES; number += 1) {
    roleAssignments = Array.from({ length: random(5) }, (_, index) => ({
      id: `ra-${index}`,
      role: pick(ROLES),
      scope: pick(ROLE_SCOPES)
    }))
    const action: Action = pick(ACTIONS)
    const organization = pick(ORGANIZATIONS)
    const scope = scopeOf(organization)
    const preview = effectiveAccess(roleAssignments, scope).find((one) => one.action === action)?.allowed
    const bootstrap = { user: { roleAssignments }, now: '2026-01-01T00:00:00Z' } as Bootstrap
    const client = sessionOf({ bootstrap, receivedAtMs: 0 }).can(action, scope)
    const { statusCode } = await app.inject(`/${action.replace(':', '/')}/${organization}`)
    counts[statusCode === 200 ? 'allowed' : 'refused'] += 1
    if (preview !== client || client !== (statusCode === 200) || ![200, 403].includes(statusCode))
      differences.push(`${action} at ${scope} as ${JSON.stringify(roleAssignments)}: ${statusCode}`)
  }
  t.strictSame(differences, [])
  t.ok(counts.allowed > CASES / 10 && counts.refused > CASES / 10, JSON.stringify(counts))
})

t.test('the reason of most allowed actions is shared; without an allowed action there is none', async (t) => {
  t.equal(sharedReason(['', '']), null)
  t.equal(sharedReason(['', '', '', 'Admin', 'User', 'User']), 'User')
})
