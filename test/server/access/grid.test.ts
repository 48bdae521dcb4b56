// Every registered route × every caller × own and foreign organizations. Compares the answers with grid.tsv, so that a
// changed permission shows as a diff, and with an oracle written by hand.
// UPDATE_GRID=1 updates the file; read the diff before committing it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { DeclaredRoute } from '#server/access/declare.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { INTERNAL_SERVICE, SIGN_INS } from '#test/sandbox/sign-ins.ts'
import { startPortal } from '#test/support/portal.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { sentCookies } from '../../support/sent-cookies.ts'
import { serviceToken } from '../../support/service-token.ts'
import { expects, ORACLE, type Person, type Rule, type Target, targetOf } from './grid-oracle.ts'
import { startGridUpstream } from './grid-upstream.ts'

const FILE = fileURLToPath(new URL('grid.tsv', import.meta.url))

const sandbox = await openSandbox(t)
const { url } = await startGridUpstream(t, sandbox)
const portal = await startPortal(t, {
  startedSandbox: sandbox,
  env: { UPSTREAM_URL: url, OIDC_AUDIENCE: sandbox.audience },
  // Live streams end soon, so that the walk need not wait for them.
  limits: { streamRotationMs: 100 }
})

interface Column {
  name: string
  person: Person | null
  bearer?: 'read' | 'write'
  headers: Record<string, string>
}

const anonymous: Column = { name: 'anonymous', person: null, headers: {} }
const people = await Promise.all(
  SIGN_INS.map(async (person): Promise<Column> => {
    const { jar } = await portal.as(person.username)
    const cookie = (await sentCookies(jar)).join('; ')
    return { name: person.username, person, headers: { cookie } }
  })
)
const services = await Promise.all((['write', 'read'] as const).map(service))
const COLUMNS = [anonymous, ...people, ...services]

async function service(bearer: 'read' | 'write'): Promise<Column> {
  const scope = bearer === 'read' ? 'ncp:read' : 'ncp:read ncp:write'
  const token = await serviceToken(sandbox, scope)
  const roles = [{ role: 'partner_user' as const, scope: `/organizations/${NOTABLE.partner}` }]
  return {
    name: `service (${bearer})`,
    person: { username: INTERNAL_SERVICE, organizationId: NOTABLE.partner, roles },
    bearer,
    headers: { authorization: `Bearer ${token}` }
  }
}

const userIdOf = ({ name, bearer }: Column) => (bearer ? INTERNAL_SERVICE : `u-${name.replace('.', '-')}`)

function targetFor(name: string, column: Column): Target {
  if (name !== 'oneself' && name !== 'another') return targetOf(name, sandbox.state)
  const userId = name === 'oneself' ? userIdOf(column) : 'u-100-1'
  const parameters = { userId, invitationId: `invitation-of-${name}` }
  return { id: name, scope: '', isCustomer: false, systemGuid: '', parameters }
}

function pathOf({ path }: DeclaredRoute, { parameters }: Target): string {
  return path
    .split('/')
    .map((segment) => {
      // A missing file gets the same answer whether or not the client is built.
      if (segment === '*') return 'no-such-file.js'
      if (!segment.startsWith(':')) return segment.replace('::', ':')
      const value = { sessionId: 'none', ...parameters }[segment.slice(1)]
      if (!value) throw new Error(`the oracle lacks ${segment} of ${path}`)
      return encodeURIComponent(value)
    })
    .join('/')
}

async function cell(route: DeclaredRoute, rule: Rule, targetName: string, column: Column): Promise<string> {
  const target = targetFor(targetName, column)
  const query = rule.query?.(target) ?? ''
  const body = rule.body?.(target)
  const { statusCode } = await portal.app.inject({
    method: route.method as 'GET',
    url: `${pathOf(route, target)}${query && `?${query}`}`,
    headers: { 'x-portal-csrf': '1', origin: portal.url, 'x-customer-id': target.id, ...column.headers },
    ...(body === undefined ? {} : { payload: body as object })
  })
  return statusCode < 400 ? 'ok' : String(statusCode)
}

interface Row {
  route: DeclaredRoute
  target: string
  cells: string[]
}

/** These start reads of many customers in the background, which slow later calls. */
const STARTS_READS = /^portal\.(?:attention|events|organization-alarms|usage|worklist)/
/** Called at the end, because they end sessions. */
const LAST = ['auth.logout-everywhere', 'auth.logout']

async function walk(): Promise<Row[]> {
  const rank = ({ id }: DeclaredRoute) => 2 * LAST.indexOf(id) + Number(STARTS_READS.test(id))
  const routes = [...portal.app.declaredRoutes].sort((a, b) => rank(a) - rank(b))
  const rows: Row[] = []
  for (const route of routes) {
    const rule = ORACLE[route.id] ?? { who: '' }
    for (const target of rule.targets ?? ['-']) {
      const cells = await Promise.all(COLUMNS.map((column) => cell(route, rule, target, column)))
      rows.push({ route, target, cells })
    }
  }
  return rows
}

const rows = await walk()

t.test('the oracle lists exactly the registered routes', async (t) => {
  const routes = [...new Set(portal.app.declaredRoutes.map(({ id }) => id))].sort()
  t.strictSame(Object.keys(ORACLE).sort(), routes)
})

t.test('each caller may do exactly what the oracle allows', async (t) => {
  for (const { route, target, cells } of rows) {
    const rule = ORACLE[route.id]
    if (rule?.who === 'everybody' || !rule) continue
    COLUMNS.forEach(({ name, person, bearer }, index) => {
      const scope = rule.targets && rule.who !== 'oneself' ? targetOf(target, sandbox.state).scope : ''
      const writes = route.method !== 'GET'
      const lacksScope = bearer === 'read' && writes
      const noSession = rule.who === 'session' && bearer !== undefined
      const allowed = !lacksScope && !noSession && expects(rule, person, target, scope)
      const refusedStatus = person === null || noSession ? '401' : '403'
      const foreignInvitation = rule.who === 'oneself' && route.id.startsWith('invitations.') && !lacksScope
      const allowedStatus = rule.finds === 'nothing' ? '404' : 'ok'
      const expected = allowed ? allowedStatus : person !== null && foreignInvitation ? '404' : refusedStatus
      t.equal(cells[index], expected, `${route.id} of ${target} by ${name}`)
    })
  }
})

t.test('the grid equals grid.tsv', async (t) => {
  const head = ['id', 'method', 'path', 'target', ...COLUMNS.map(({ name }) => name)].join('\t')
  const lines = rows.map(({ route: { id, method, path }, target, cells }) =>
    [id, method, path, target, ...cells].join('\t')
  )
  const text = `${[head, ...lines.sort()].join('\n')}\n`
  if (process.env.UPDATE_GRID) writeFileSync(FILE, text)
  const fileText = readFileSync(FILE, 'utf8')
  const missing = fileText.split('\n').filter((line) => !text.includes(`${line}\n`))
  const added = text.split('\n').filter((line) => !fileText.includes(`${line}\n`))
  t.strictSame({ missing, added }, { missing: [], added: [] }, 'UPDATE_GRID=1 updates grid.tsv')
  t.equal(text, fileText)
})
