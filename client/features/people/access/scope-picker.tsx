import './style.css'
import '../../../ui/list/list.css'
import { type CSSProperties, useState } from 'react'
import type { Role } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { Checkbox, TickBox } from '../../../ui/input/field.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { Pager, pageOf } from '../../../ui/list/pager.tsx'
import { type Draft, modeOf, rolesAt, withRole } from './access-draft.ts'
import { roleLabel } from './roles.tsx'

export interface PickedScope {
  scope: string
  name: string
}

function columnLabel(role: Role): string {
  if (modeOf(role) === 'admin') return 'Admin'
  return role === 'customer_user' || role === 'partner_user' ? 'User' : roleLabel(role)
}

/** The props of a role's checkbox for one or several customers. */
function boxOf(
  role: Role,
  customers: readonly PickedScope[],
  { draft, onChange }: Pick<ScopesProps, 'draft' | 'onChange'>
) {
  const heldCount = customers.filter(({ scope }) => rolesAt(draft, scope).includes(role)).length
  const allHeld = heldCount === customers.length
  const [first] = customers
  const onlyCustomer = customers.length === 1 && first
  // Another role at the customer may exclude this role.
  const excluding = onlyCustomer
    ? rolesAt(draft, onlyCustomer.scope).find(
        (assigned) => assigned !== role && modeOf(assigned) !== 'standard'
      )
    : undefined
  return {
    checked: allHeld,
    partly: heldCount > 0 && !allHeld,
    disabledReason: excluding ? `${columnLabel(excluding)} excludes other roles` : null,
    onChange: () =>
      onChange(customers.reduce<Draft>((next, { scope }) => withRole(next, role, scope, !allHeld), draft))
  }
}

interface ScopePickerProps {
  label: string
  integratorName: string
  customers: readonly PickedScope[]
  roles: readonly Role[]
  draft: Draft
  onChange: (draft: Draft) => void
  error?: string | null
}

const PAGE_SIZE = 25

export function ScopePicker(props: ScopePickerProps) {
  const { label, customers, draft, roles, error } = props
  const [keyword, setKeyword] = useState('')
  const [onlyHeld, setOnlyHeld] = useState(false)
  const [pageIndex, setPageIndex] = useState(0)
  const layout = useLayout()
  const lowerKeyword = keyword.trim().toLowerCase()
  const isHeld = ({ scope }: PickedScope) => rolesAt(draft, scope).some((role) => roles.includes(role))
  const found = customers.filter(
    (customer) => customer.name.toLowerCase().includes(lowerKeyword) && (!onlyHeld || isHeld(customer))
  )
  const { items: shown, page } = pageOf(found, String(pageIndex + 1), PAGE_SIZE)
  const List = layout === 'mobile' ? ScopeList : ScopeTable
  return (
    <section className="card" aria-label={label}>
      <div className="row spread toolbar">
        <SearchField
          label="Search customers"
          value={keyword}
          everyKey
          onSearch={(text) => {
            setKeyword(text)
            setPageIndex(0)
          }}
        />
        <Checkbox
          kind="switch"
          label="Only customers with access"
          checked={onlyHeld}
          onChange={setOnlyHeld}
        />
      </div>
      {shown.length > 0 ? (
        <List {...props} found={found} shown={shown} />
      ) : (
        <p className="muted card-body">
          {customers.length === 0 ? 'There are no customers yet.' : 'No customer matches.'}
        </p>
      )}
      {page.totalPages > 1 && (
        <div className="row card-foot">
          <Pager label="Pages of customers" page={page} onPage={setPageIndex} />
        </div>
      )}
      <p role="status" className="sr-only">
        {count(customers.filter(isHeld).length, 'customer')} with access
      </p>
      {error && (
        <p className="field-error card-body" role="alert">
          {error}
        </p>
      )}
    </section>
  )
}

/** `found`: all customers that match the search. `shown`: the customers on the current page. */
interface ScopesProps extends Omit<ScopePickerProps, 'customers' | 'error'> {
  found: readonly PickedScope[]
  shown: readonly PickedScope[]
}

function ScopeTable(props: ScopesProps) {
  const { label, integratorName, roles, found, shown } = props
  const cells = (name: string, customers: readonly PickedScope[]) =>
    roles.map((role) => (
      <td key={role} className="column-role">
        <TickBox name={`${columnLabel(role)} for ${name}`} {...boxOf(role, customers, props)} />
      </td>
    ))
  return (
    <div className="table-region scope-picker-region">
      <table className="data-table scope-table" style={{ '--roles': roles.length } as CSSProperties}>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Customer</th>
            {roles.map((role) => (
              <th key={role} scope="col" className="column-role">
                {columnLabel(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="scope-root">
            <th scope="row">
              {count(found.length, 'customer')} of {integratorName}
            </th>
            {cells(`all ${count(found.length, 'customer')} shown`, found)}
          </tr>
          {shown.map((customer) => (
            <tr key={customer.scope} className="scope-customer">
              <th scope="row">{customer.name}</th>
              {cells(customer.name, [customer])}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The list on a phone: each customer opens a dialog with the checkboxes of its roles. */
function ScopeList(props: ScopesProps) {
  const { integratorName, roles, draft, found, shown } = props
  const [openScope, setOpenScope] = useState<PickedScope | 'all' | null>(null)
  const summary = (scope: string) =>
    rolesAt(draft, scope)
      .filter((role) => roles.includes(role))
      .map(columnLabel)
      .join(', ') || 'None'
  const entry = (key: string, name: string, value: string, target: PickedScope | 'all') => (
    <li key={key}>
      <button
        type="button"
        className="entry spread scope-entry"
        aria-haspopup="dialog"
        onClick={() => setOpenScope(target)}
      >
        <span>{name}</span>
        <span className="muted">{value}</span>
      </button>
    </li>
  )
  return (
    <>
      <ul>
        {entry('all', `${count(found.length, 'customer')} of ${integratorName}`, 'Change all', 'all')}
        {shown.map((customer) => entry(customer.scope, customer.name, summary(customer.scope), customer))}
      </ul>
      {openScope && (
        <Modal
          title={openScope === 'all' ? `All ${count(found.length, 'customer')}` : openScope.name}
          onClose={() => setOpenScope(null)}
        >
          <div className="modal-body">
            {roles.map((role) => (
              <Checkbox
                key={role}
                label={columnLabel(role)}
                {...boxOf(role, openScope === 'all' ? found : [openScope], props)}
              />
            ))}
          </div>
          <div className="row modal-actions">
            <button type="button" className="button primary" onClick={() => setOpenScope(null)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}
