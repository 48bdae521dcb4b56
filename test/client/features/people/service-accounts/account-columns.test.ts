import '../../../../support/client/dom.ts'
import t from 'tap'
import { accountColumns } from '#client/features/people/service-accounts/columns.tsx'

type ColumnParameters = Parameters<typeof accountColumns>

const OWN = '/organizations/1/customers/9'
const customer = {
  customerPath: '/customers/9',
  orgName: 'Northwind',
  list: { customer: { scope: OWN } }
} as unknown as ColumnParameters[0]

const hiddenColumns = (...accounts: object[]) =>
  accountColumns(customer, accounts as unknown as ColumnParameters[1])
    .filter(({ id, table }) => table !== undefined && !id.startsWith('file '))
    .map(({ id }) => id)

const account = (scope: string, createdBy: string) => ({
  roleAssignments: [{ role: 'customer_user', scope }],
  createdBy
})

t.test('hides columns that would say the same in every row', async (t) => {
  t.strictSame(hiddenColumns(account(OWN, 'Ann'), account(OWN, 'Ann')), ['scope', 'lastUsed', 'createdBy'])
  const other = account('/organizations/1', 'Bo')
  t.strictSame(hiddenColumns(account(OWN, 'Ann'), { ...other, lastUsedDate: null }), [])
})
