import t from 'tap'
import {
  ancestors,
  covers,
  customerScope,
  organizationScope,
  parseScope,
  ROOT_SCOPE
} from '#shared/scopes.ts'

t.test('only the three forms are scopes', async (t) => {
  const refused = [
    '',
    ' ',
    '//',
    'organizations/1',
    '/organizations',
    '/organizations/',
    '/organizations//',
    '/organizations/1/',
    '/organizations//customers/9',
    '/organizations/1/customers',
    '/organizations/1/customers/',
    '/organizations/1/customers/9/',
    '/organizations/1/customers/9/projects',
    '/organizations/1/customers/9/projects/3',
    '/organizations/1/users/9',
    '/customers/9',
    '/Organizations/1',
    '/organizations/1/Customers/9',
    'https://host/organizations/1',
    '/organizations/..',
    '/organizations/1/customers/.',
    '/organizations/1 ',
    '/organizations/1/customers/9?x',
    '/organizations/1/customers/9,10',
    `/organizations/${'1'.repeat(129)}`,
    `/organizations/1/customers/${'9'.repeat(129)}`,
    `/organizations/${'1'.repeat(1_000_000)}`,
    '/'.repeat(1_000_000)
  ]
  for (const path of refused) t.equal(parseScope(path), null, JSON.stringify(path).slice(0, 80))
  const long = '1'.repeat(128)
  t.strictSame(parseScope(customerScope(long, long)), { organizationId: long, customerId: long })
})

t.test('a scope is read into its organization and customer', async (t) => {
  t.strictSame(parseScope('/'), { organizationId: null, customerId: null })
  t.strictSame(parseScope('/organizations/1'), { organizationId: '1', customerId: null })
  t.strictSame(parseScope('/organizations/1/customers/c-9'), { organizationId: '1', customerId: 'c-9' })
  t.strictSame(parseScope(organizationScope('a')), { organizationId: 'a', customerId: null })
  t.strictSame(parseScope(customerScope('a', 'b')), { organizationId: 'a', customerId: 'b' })
})

t.test('a scope covers itself and what lies below it, by whole segments', async (t) => {
  const cases: [outer: string, inner: string, covered: boolean][] = [
    ['/organizations/1', '/organizations/10', false],
    ['/organizations/10', '/organizations/1', false],
    ['/organizations/1', '/organizations/10/customers/1', false],
    ['/organizations/1/customers/1', '/organizations/1/customers/10', false],
    ['/organizations/1/customers/9', '/organizations/1', false],
    ['/organizations/1', ROOT_SCOPE, false],
    ['/organizations/1', '', false],
    ['', '', false],
    ['', '/organizations/1', false],
    [ROOT_SCOPE, '', false],
    [ROOT_SCOPE, 'organizations/1', false],
    [ROOT_SCOPE, ROOT_SCOPE, true],
    [ROOT_SCOPE, '/organizations/1', true],
    [ROOT_SCOPE, '/organizations/1/customers/9', true],
    ['/organizations/1', '/organizations/1', true],
    ['/organizations/1', '/organizations/1/customers/9', true],
    ['/organizations/1/customers/9', '/organizations/1/customers/9', true]
  ]
  for (const [outer, inner, covered] of cases) t.equal(covers(outer, inner), covered, `${outer} → ${inner}`)
})

t.test('above a scope stand the root, its organization and its customer, and nothing else', async (t) => {
  const cases: [scope: string, above: string[]][] = [
    ['', []],
    ['organizations/1', []],
    [ROOT_SCOPE, []],
    ['/organizations/1', ['/']],
    ['/organizations/10', ['/']],
    ['/organizations/1/customers/9', ['/', '/organizations/1']],
    ['/organizations/1/customers/9/projects/3', ['/', '/organizations/1', '/organizations/1/customers/9']],
    [
      `/organizations/1/customers/9${'/x'.repeat(500_000)}`,
      ['/', '/organizations/1', '/organizations/1/customers/9']
    ]
  ]
  for (const [scope, above] of cases) t.strictSame(ancestors(scope), above, scope.slice(0, 50))
  for (const [scope, above] of cases) t.ok(above.every((outer) => covers(outer, scope)))
})
