import type { ServiceAccount } from '../../api/service-accounts.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import type { Column } from '../../components/data-table.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { RoleBadges } from '../../components/role-badges.tsx'
import { RowActions } from '../../components/row-actions.tsx'
import { accessText } from '../../lib/access-text.ts'
import type { ScopeNames } from '../../lib/role-text.ts'
import { paths } from '../../paths.ts'
import { ACCOUNT_SORTS } from './account-view.ts'
import { SecretBadge } from './secret-badge.tsx'
import type { AccountsCustomer } from './use-customer.ts'

export interface ShownAccounts {
  customer: AccountsCustomer
  nowMs: number
  nameOf: ScopeNames
  actionsFor: (account: ServiceAccount) => MenuItem[]
}

export function accountColumns(
  { customer, nowMs, nameOf, actionsFor }: ShownAccounts,
  accounts: readonly ServiceAccount[]
): Column<ServiceAccount>[] {
  const column = (
    id: string,
    header: string,
    cell: Column<ServiceAccount>['cell'],
    rest: Partial<Column<ServiceAccount>> = {}
  ) => ({ id, header, sortable: id in ACCOUNT_SORTS, cell, ...rest })
  return [
    column('serviceName', ACCOUNT_SORTS.serviceName, (account) => <Name {...{ account, customer }} />),
    column('description', 'Description', ({ description }) => <Description text={description} />),
    column('roles', 'Roles', ({ roleAssignments, unknownRoles }) => (
      <RoleBadges held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
    )),
    column('scope', 'Scope', ({ roleAssignments }) => scopeText(roleAssignments, customer, nameOf)),
    column('secretExpires', ACCOUNT_SORTS.secretExpires, ({ secretExpires }) => (
      <SecretBadge expires={secretExpires} nowMs={nowMs} />
    )),
    ...(accounts.some(({ lastUsed }) => lastUsed !== undefined)
      ? [
          column('lastUsed', ACCOUNT_SORTS.lastUsed, ({ lastUsed }) => (
            <Moment iso={lastUsed} as="ago" nowMs={nowMs} none="Never" />
          ))
        ]
      : []),
    column('created', ACCOUNT_SORTS.created, ({ created, createdBy }) => (
      <span className="two-lines">
        <Moment iso={created} as="day" nowMs={nowMs} /> <span className="muted">{createdBy}</span>
      </span>
    )),
    column(
      'actions',
      'Actions',
      (account) => <RowActions name={account.serviceName} items={actionsFor(account)} />,
      { silent: true, align: 'end' }
    )
  ]
}

export function accountFacts({ customer, nowMs, nameOf, actionsFor }: ShownAccounts) {
  return {
    heading: (account: ServiceAccount) => <Name {...{ account, customer }} />,
    nameOf: ({ serviceName }: ServiceAccount) => serviceName,
    facts: ({ secretExpires, roleAssignments, unknownRoles }: ServiceAccount) => [
      { name: 'Secret expires', value: <SecretBadge expires={secretExpires} nowMs={nowMs} /> },
      {
        name: 'Roles',
        value: <RoleBadges held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
      }
    ],
    more: ({ description, roleAssignments, lastUsed, created, createdBy }: ServiceAccount) => [
      { name: 'Description', value: description || 'None' },
      { name: 'Scope', value: scopeText(roleAssignments, customer, nameOf) },
      ...(lastUsed === undefined
        ? []
        : [{ name: 'Last used', value: <Moment iso={lastUsed} as="ago" nowMs={nowMs} none="Never" /> }]),
      {
        name: 'Created',
        value: (
          <>
            <Moment iso={created} as="day" nowMs={nowMs} /> {createdBy}
          </>
        )
      }
    ],
    actions: (account: ServiceAccount) =>
      actionsFor(account).map(({ label, onSelect, tone }) => (
        <button key={label} type="button" className={`button ${tone ?? ''}`} onClick={onSelect}>
          {label}
        </button>
      ))
  }
}

function Name({ account, customer }: { account: ServiceAccount; customer: AccountsCustomer }) {
  return (
    <PrefetchLink to={paths.serviceAccount(customer.path, account.id)}>
      <ClippedText text={account.serviceName} />
    </PrefetchLink>
  )
}

/** Clipped in the table (§9); the whole of it by focus and pointer. */
function Description({ text }: { text: string }) {
  if (text === '') return <span className="muted">None</span>
  return <ClippedText text={text} />
}

function scopeText(
  held: ServiceAccount['roleAssignments'],
  customer: AccountsCustomer,
  nameOf: ScopeNames
): string {
  const text = accessText(held)
  const onlyHere = held.length > 0 && held.every(({ scope }) => scope === customer.scope)
  return onlyHere && text === '1 customer' ? nameOf(customer.scope) : text
}
