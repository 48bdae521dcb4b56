import './style.css'
import { type CSSProperties, useState } from 'react'
import type { Role } from '#shared/permissions.ts'
import { count } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { Checkbox, TickBox } from '../../ui/input/field.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Pager, pageOf } from '../../ui/list/pager.tsx'
import { type Draft, modeOf, rolesAt, withRole } from './access-draft.ts'
import { roleLabel } from './roles.tsx'

interface PickedScope {
  scope: string
  name: string
}

function columnLabel(role: Role): string {
  if (modeOf(role) === 'admin') return 'Admin'
  return role === 'customer_user' || role === 'partner_user' ? 'User' : roleLabel(role)
}

/** The checkbox of a role for one or several customers. */
function boxOf(
  role: Role,
  at: readonly PickedScope[],
  { draft, onChange }: Pick<ScopesProps, 'draft' | 'onChange'>
) {
  const held = at.filter(({ scope }) => rolesAt(draft, scope).includes(role)).length
  const all = held === at.length
  const [first] = at
  const only = at.length === 1 && first
  // Another role at the customer may exclude this role.
  const excluding = only
    ? rolesAt(draft, only.scope).find((one) => one !== role && modeOf(one) !== 'standard')
    : undefined
  return {
    checked: all,
    partly: held > 0 && !all,
    disabledReason: excluding ? `${columnLabel(excluding)} excludes other roles` : null,
    onChange: () => onChange(at.reduce<Draft>((next, { scope }) => withRole(next, role, scope, !all), draft))
  }
}

interface ScopePickerProps {
  label: string
  integratorName: string
  places: readonly PickedScope[]
  roles: readonly Role[]
  draft: Draft
  onChange: (draft: Draft) => void
  error?: string | null
}

const PAGE_SIZE = 25

export function ScopePicker(props: ScopePickerProps) {
  const { label, places, draft, roles, error } = props
  const [keyword, setKeyword] = useState('')
  const [onlyHeld, setOnlyHeld] = useState(false)
  const [asked, setAsked] = useState(0)
  const layout = useLayout()
  const wanted = keyword.trim().toLowerCase()
  const isHeld = ({ scope }: PickedScope) => rolesAt(draft, scope).some((role) => roles.includes(role))
  const found = places.filter(
    (place) => place.name.toLowerCase().includes(wanted) && (!onlyHeld || isHeld(place))
  )
  const { items: shown, page } = pageOf(found, String(asked + 1), PAGE_SIZE)
  const List = layout === 'mobile' ? ScopeList : ScopeTable
  return (
    <section className="card" aria-label={label}>
      <div className="row spread toolbar">
        <SearchField
          label="Search customers"
          value={keyword}
          debounceMs={0}
          onSearch={(text) => {
            setKeyword(text)
            setAsked(0)
          }}
        />
        <Checkbox kind="switch" label="Only with access" checked={onlyHeld} onChange={setOnlyHeld} />
      </div>
      {shown.length > 0 ? (
        <List {...props} found={found} shown={shown} />
      ) : (
        <p className="muted card-body">
          {places.length === 0 ? 'There are no customers yet.' : 'No customer matches.'}
        </p>
      )}
      {page.totalPages > 1 && (
        <div className="row card-foot">
          <Pager label="Pages of customers" page={page} onPage={setAsked} />
        </div>
      )}
      <p role="status" className="sr-only">
        {count(places.filter(isHeld).length, 'customer')} with access
      </p>
      {error && (
        <p className="field-error card-body" role="alert">
          {error}
        </p>
      )}
    </section>
  )
}

/** The customers that match the keyword, and those of the page. */
interface ScopesProps extends Omit<ScopePickerProps, 'places' | 'error'> {
  found: readonly PickedScope[]
  shown: readonly PickedScope[]
}

function ScopeTable(props: ScopesProps) {
  const { label, integratorName, roles, found, shown } = props
  const cells = (name: string, at: readonly PickedScope[]) =>
    roles.map((role) => (
      <td key={role} className="column-role">
        <TickBox name={`${columnLabel(role)} for ${name}`} {...boxOf(role, at, props)} />
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
          {shown.map((place) => (
            <tr key={place.scope} className="scope-place">
              <th scope="row">{place.name}</th>
              {cells(place.name, [place])}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** On a phone each customer opens a sheet with its boxes. */
function ScopeList(props: ScopesProps) {
  const { integratorName, roles, draft, found, shown } = props
  const [open, setOpen] = useState<PickedScope | 'all' | null>(null)
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
        onClick={() => setOpen(target)}
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
        {shown.map((place) => entry(place.scope, place.name, summary(place.scope), place))}
      </ul>
      {open && (
        <Modal
          title={open === 'all' ? `All ${count(found.length, 'customer')}` : open.name}
          onClose={() => setOpen(null)}
        >
          <div className="modal-body">
            {roles.map((role) => (
              <Checkbox
                key={role}
                label={columnLabel(role)}
                {...boxOf(role, open === 'all' ? found : [open], props)}
              />
            ))}
          </div>
          <div className="row modal-actions">
            <button type="button" className="button primary" onClick={() => setOpen(null)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}
