import '../../../../ui/list/list.css'
import type { RefObject } from 'react'
import { useNavigate } from 'react-router-dom'
import { may } from '#shared/permissions.ts'
import { covers, parseScope } from '#shared/scopes.ts'
import { paths } from '../../../../lib/paths.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { Combobox } from '../../../../ui/input/combobox.tsx'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { Notice } from '../../../../ui/state/notice.tsx'
import { customMissing, type Draft, modeAt, rolesAt } from '../../access/access-draft.ts'
import { AccessEditor } from '../../access/access-editor.tsx'
import { isReal, RoleBadges, roleLabel, UnknownRoles } from '../../access/roles.tsx'
import { type PersonAccess, PersonAccessLayout, usePersonEdit } from './person-access.tsx'

interface UserAccessProps {
  access: PersonAccess
  editing: boolean
  form: RefObject<HTMLElement | null>
  onDone: () => void
}

export function UserAccess({ access, editing, form, onDone }: UserAccessProps) {
  const { person, integrator, customers, nameOf, granting, lockAt } = access
  const { scope } = integrator
  const edit = usePersonEdit(access, (next) => customMissing(next, scope), onDone)
  const { wanted } = edit
  const missing = customMissing(wanted, scope)
  const hasLevel = granting.level === 'PARTNER' && person.organizationId !== null
  const legend = `Access to all customers of ${integrator.name}`
  const allCustomers = { scope, name: `All customers of ${integrator.name}` }
  const goBack = () => {
    edit.reset()
    onDone()
  }
  return (
    <PersonAccessLayout
      access={access}
      edit={edit}
      within={(other) => covers(scope, other)}
      onBack={editing ? goBack : undefined}
      preview={
        person.userType === 'INTERNAL'
          ? { customers: [{ scope: '/', name: 'The whole portal' }] }
          : { first: person.userType === 'CUSTOMER' ? null : allCustomers, customers }
      }
    >
      {person.userType === 'INTERNAL' && (
        <Notice tone="info">Global admins are appointed outside of the portal.</Notice>
      )}
      {person.organizationId === null && person.userType !== 'INTERNAL' && (
        <Notice tone="info">
          This user belongs to no organization yet. Invite them by e-mail to give them access.
        </Notice>
      )}
      <UnknownRoles roles={person.unknownRoles} of="user" />
      <div className={editing ? 'stack' : 'access-cards'}>
        {hasLevel && editing && (
          <AccessEditor
            legend={legend}
            scope={scope}
            draft={wanted}
            granting={granting}
            {...(modeAt(edit.current, scope) === 'none'
              ? { none: { label: 'None', help: 'No role for all customers.' } }
              : {})}
            locked={lockAt(scope)}
            onChange={edit.change}
            integratorName={integrator.name}
            customers={customers}
            customError={missing && `${missing}.`}
            levels={form}
          />
        )}
        {hasLevel && !editing && (
          <section className="card stack access-card" aria-label="Access level" ref={form} tabIndex={-1}>
            <h2>{legend}</h2>
            <RoleBadges
              assignments={wanted.filter((assignment) => assignment.scope === scope)}
              unknown={person.unknownRoles}
              shown={Number.POSITIVE_INFINITY}
              nameOf={nameOf}
            />
          </section>
        )}
        {!(editing && modeAt(wanted, scope) === 'custom') && (
          <CustomerAccess access={access} wanted={wanted} />
        )}
      </div>
    </PersonAccessLayout>
  )
}

function CustomerAccess({ access, wanted }: { access: PersonAccess; wanted: Draft }) {
  const { person, integrator, customers, nameOf, mayChange } = access
  const { user: me } = useSession()
  const navigate = useNavigate()
  const rolesForAll = wanted.filter(
    (assignment) => assignment.scope === integrator.scope && isReal(assignment)
  )
  const scopes = [...new Set(wanted.map(({ scope }) => scope))].filter(
    (scope) => parseScope(scope)?.customerId
  )
  const mayManage = (scope: string) => mayChange && may(me.roleAssignments, 'users:modify-roles', scope)
  const addressOf = (scope: string) => paths.userAccess(person.id, parseScope(scope)?.customerId ?? '')
  const otherCustomers = customers.filter(({ scope }) => !scopes.includes(scope) && mayManage(scope))
  return (
    <section className="card stack access-card" aria-labelledby="by-customer-heading">
      <div className="row spread by-customer-head">
        <h2 id="by-customer-heading">Access by customer</h2>
        {otherCustomers.length > 0 && (
          <Combobox
            label="Manage access to another customer"
            placeholder="Choose a customer"
            options={otherCustomers}
            chosen={null}
            emptyText="No customer has this name."
            onChoose={({ id }) => navigate(paths.userAccess(person.id, id))}
          />
        )}
      </div>
      <table className="plain-table">
        <caption className="sr-only">Access by customer</caption>
        <thead>
          <tr>
            <th scope="col">Customer</th>
            <th scope="col">Roles</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {rolesForAll.length > 0 && (
            <tr>
              <th scope="row">Every customer</th>
              <td>{rolesForAll.map(({ role }) => roleLabel(role)).join(', ')}</td>
              <td>Inherited from all customers</td>
            </tr>
          )}
          {scopes.map((scope) => (
            <tr key={scope}>
              <th scope="row">
                {mayManage(scope) ? (
                  <PrefetchLink to={addressOf(scope)}>{nameOf(scope)}</PrefetchLink>
                ) : (
                  nameOf(scope)
                )}
              </th>
              <td>{rolesAt(wanted, scope).map(roleLabel).join(', ')}</td>
              <td>
                <span className="badge plain">Assigned</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rolesForAll.length === 0 && scopes.length === 0 && <p className="muted">No access to any customer.</p>}
    </section>
  )
}
