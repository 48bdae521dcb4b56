import t from 'tap'
import { cardsOf, pageOfCards } from '#server/portal/customers.ts'
import type { Organization } from '#shared/entities.ts'
import type { Assignment } from '#shared/permissions.ts'

const organization = (id: string, orgName: string, partnerId: string | null = '100'): Organization => ({
  id,
  orgName,
  partnerId,
  isTechViewEnabled: false,
  projectCount: 1,
  deviceCount: 2
})
const at = (scope: string, role: Assignment['role'] = 'customer_user'): Assignment => ({ role, scope })
const ids = (organizations: Organization[], asked: string, ...held: Assignment[]) =>
  cardsOf(organizations, asked, held).map(({ id }) => id)

t.test('what the upstream lists is shown only to those who may see it', async (t) => {
  const listed = [organization('a', 'A'), organization('b', 'B'), organization('x', 'X', '200')]
  t.strictSame(ids(listed, '100'), [], 'no role')
  t.strictSame(ids(listed, '100', at('/organizations/100', 'custom')), [], 'the custom marker')
  t.strictSame(ids(listed, '100', at('/organizations/10', 'partner_user')), [], 'a shorter id')
  t.strictSame(ids(listed, '100', at('/organizations/100/customers/b')), ['b'])
  t.strictSame(
    ids(listed, '100', at('/organizations/200/customers/b')),
    [],
    'the same customer of another integrator'
  )
  t.strictSame(ids(listed, '100', at('/organizations/100', 'partner_user')), ['a', 'b'])
  t.strictSame(ids(listed, '100', at('/', 'global_admin')), ['a', 'b', 'x'])
})

t.test('a customer whose integrator is not told is placed where it was asked for', async (t) => {
  const untold = [organization('a', 'A', null)]
  const scopes = (...held: Assignment[]) => cardsOf(untold, '100', held).map(({ scope }) => scope)
  t.strictSame(scopes(at('/organizations/7/customers/a')), [], 'not where an own role says')
  t.strictSame(scopes(at('/organizations/7', 'partner_user')), [])
  t.strictSame(scopes(at('/organizations/100', 'partner_user')), ['/organizations/100/customers/a'])
})

t.test(
  'cards stand in the order of their names, as people read, and are found by part of them',
  async (t) => {
    const listed = ['Site 10', 'site 2', 'Ärzte', 'Zoo'].map((name, index) =>
      organization(String(index), name)
    )
    const cards = cardsOf(listed, '100', [at('/', 'global_admin')])
    t.strictSame(
      cards.map(({ orgName }) => orgName),
      ['Ärzte', 'site 2', 'Site 10', 'Zoo']
    )
    t.strictSame(
      pageOfCards(cards, ' SITE ', 0, 20).items.map(({ orgName }) => orgName),
      ['site 2', 'Site 10']
    )
    t.strictSame(pageOfCards(cards, '', 1, 3), {
      items: cards.slice(3),
      page: { number: 1, size: 3, totalPages: 2, totalElements: 4 }
    })
    t.strictSame(pageOfCards(cards, '.*', 0, 20).items, [])
  }
)

t.test('what is looked at grows with the customers and the roles, not with their product', async (t) => {
  const COUNT = 5_000
  let looks = 0
  const held = Array.from({ length: COUNT }, (_, index) => ({
    role: 'customer_user' as const,
    get scope() {
      looks += 1
      return `/organizations/7/customers/${index}`
    }
  }))
  const listed = Array.from({ length: COUNT }, (_, index) => organization(`${index}`, `Site ${index}`, '7'))
  t.equal(cardsOf(listed, '100', held).length, COUNT)
  t.ok(looks < 10 * COUNT, `${looks} looks`)
})
