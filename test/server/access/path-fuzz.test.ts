// The oracle of the fuzz, and a few addresses. path-fuzz.long.test.ts tries a hundred thousand.
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { tryPaths } from './path-fuzz-run.ts'
import { objection, readings } from './path-oracle.ts'

t.test('the oracle objects to foreign and unusual paths only', async (t) => {
  const { state, stop } = await startSandbox()
  t.teardown(stop)
  const me = state.users.get('u-customer-user')
  if (!me) return t.fail('there is no customer.user')
  const object = (method: string, target: string) => objection(state, me, method, target) !== null
  const mine = `/api/v2/management/organizations/${NOTABLE.northwind}`
  const theirs = `/api/v2/management/organizations/${NOTABLE.otherPartnersCustomer}`
  t.notOk(object('GET', `${mine}/projects`))
  t.ok(object('GET', `${theirs}/projects`))
  t.ok(object('GET', `${mine}/users`), 'a customer user sees no users')
  t.ok(object('GET', '/api/v2/management/nothing'), 'what is in no table')
  for (const bent of [
    '/../../c-2001/projects',
    '/%2e%2e/%252e%252e/c-2001/projects',
    '\\..\\..\\c-2001\\projects'
  ])
    t.ok(object('GET', `${mine}/projects${bent}`), bent)
  for (const bent of [';a=b/projects', '//projects', '/./projects', '/Projects', '/%70rojects', '/projects/'])
    t.ok(object('GET', `${theirs}${bent}`), bent)
  t.ok(object('GET', `/api/v1/egress/exports?customerId=${NOTABLE.northwind}&CustomerID[]=c-2001`))
  t.notOk(object('GET', `/api/v1/egress/exports?customerId=${NOTABLE.northwind}&page=1`))
  t.ok(object('GET', '/api/v1/egress/exports'))
  t.ok(readings('/a/%252e%252e/B;c//d').has('/b/d'))
})

tryPaths(5_000)
