import './style.css'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { useState } from 'react'
import { count } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { Combobox } from '../../../ui/input/combobox.tsx'
import { type Draft, modeAt, rolesAt } from './access-draft.ts'
import { ACTION_GROUPS, type ActionAccess, effectiveAccess } from './effective-access.ts'
import { roleLabel, type ScopeNames } from './roles.tsx'

interface NamedScope {
  scope: string
  name: string
}

interface AccessPreviewProps {
  /** The scope shown first. If its access is custom, customers with roles come before it. */
  first?: NamedScope | null
  customers: readonly NamedScope[]
  after: Draft
  /** The saved assignments while `after` is edited. */
  before?: Draft
  nameOf: ScopeNames
}

/** A table of all actions, with the roles that allow each action. */
export function AccessPreview({ first, customers, after, before = after, nameOf }: AccessPreviewProps) {
  const phone = useLayout() === 'mobile'
  const [chosen, setChosen] = useState<string | null>(null)
  const scopes = inOrder(first ? [first] : [], customers, after)
  const shownScope = scopes.find(({ scope }) => scope === chosen) ?? scopes[0]
  if (!shownScope) return null
  const access = new Map(
    effectiveAccess(after, shownScope.scope).map((actionAccess) => [actionAccess.action, actionAccess])
  )
  const allowedBefore = new Map(
    effectiveAccess(before, shownScope.scope).map((actionAccess) => [
      actionAccess.action,
      actionAccess.allowed
    ])
  )
  const allowed = [...access.values()].filter((actionAccess) => actionAccess.allowed).length
  const changed = [...access.values()].filter(
    (actionAccess) => actionAccess.allowed !== allowedBefore.get(actionAccess.action)
  ).length
  const [Frame, Head] = phone ? (['details', 'summary'] as const) : (['section', 'div'] as const)
  return (
    <Frame className="access-preview card" aria-labelledby="access-preview-heading">
      <Head className="row spread card-head">
        <h2 id="access-preview-heading">Effective access</h2>
        <span className="muted" role="status">
          {allowed} of {count(access.size, 'action')} allowed
          {changed > 0 && `, ${changed} changed`}
        </span>
      </Head>
      {scopes.length > 1 && (
        <div className="row access-preview-tools">
          <Combobox
            label="At"
            placeholder="Choose a scope"
            options={scopes.map(({ scope, name }) => ({ id: scope, name }))}
            chosen={{ id: shownScope.scope, name: shownScope.name }}
            emptyText="No scope has this name."
            onChoose={({ id }) => setChosen(id)}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="access-preview-region" tabIndex={0} aria-label={`Actions at ${shownScope.name}`}>
        <table className="plain-table">
          <caption className="sr-only">Effective access at {shownScope.name}</caption>
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col">Access</th>
              <th scope="col">Because of</th>
            </tr>
          </thead>
          {ACTION_GROUPS.map(({ name, actions }) => (
            <tbody key={name}>
              <tr className="access-group">
                <th scope="rowgroup" colSpan={3}>
                  {name}
                </th>
              </tr>
              {actions.map(([action, text]) => (
                <ActionRow
                  key={action}
                  name={text}
                  access={access.get(action) as ActionAccess}
                  wasAllowed={allowedBefore.get(action) === true}
                  nameOf={nameOf}
                />
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </Frame>
  )
}

/** Sorts customers with roles before customers without roles. */
function inOrder(first: NamedScope[], customers: readonly NamedScope[], draft: Draft): NamedScope[] {
  const withRoles = customers.filter(({ scope }) => rolesAt(draft, scope).length > 0)
  const withoutRoles = customers.filter((customer) => !withRoles.includes(customer))
  const isCustom = first.some(({ scope }) => modeAt(draft, scope) === 'custom')
  return isCustom ? [...withRoles, ...first, ...withoutRoles] : [...first, ...withRoles, ...withoutRoles]
}

interface ActionRowProps {
  name: string
  access: ActionAccess
  wasAllowed: boolean
  nameOf: ScopeNames
}

function ActionRow({ name, access: { allowed, by }, wasAllowed, nameOf }: ActionRowProps) {
  return (
    <tr data-changed={allowed !== wasAllowed || undefined}>
      <th scope="row">{name}</th>
      <td data-allowed={allowed}>
        {allowed ? <Check /> : <Minus />}
        <span>{allowed ? 'Allowed' : 'Not allowed'}</span>
        {allowed !== wasAllowed && (
          <span className={`badge ${allowed ? 'ok' : 'warn'}`}>{allowed ? 'new' : 'lost'}</span>
        )}
      </td>
      <td>
        {by.length === 0 && <span className="muted">No role allows it here</span>}
        {by.map(({ role, scope, inherited }) => (
          <p key={`${role} ${scope}`}>
            {roleLabel(role)}, {inherited ? 'inherited from' : 'assigned at'} {nameOf(scope)}
          </p>
        ))}
      </td>
    </tr>
  )
}
