import './style.css'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { useState } from 'react'
import { count } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { Combobox } from '../../../ui/input/combobox.tsx'
import { type Draft, modeAt, rolesAt } from './access-draft.ts'
import { ACTION_GROUPS, type ActionAccess, effectiveAccess, sharedReason } from './effective-access.ts'
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

/** All actions in groups. The reason that most of them share shows once, above them. */
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
  const reasonOf = ({ by }: ActionAccess) =>
    by
      .map(
        ({ role, scope, inherited }) =>
          `${roleLabel(role)}, ${inherited ? 'inherited from' : 'assigned at'} ${nameOf(scope)}`
      )
      .join('; ')
  const shared = sharedReason([...access.values()].map(reasonOf))
  const [Frame, Head] = phone ? (['details', 'summary'] as const) : (['section', 'div'] as const)
  return (
    <Frame className="access-preview card" aria-labelledby="access-preview-heading">
      <Head className="row card-head">
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
        {shared !== null && <p className="muted access-reason">Allowed by {shared}</p>}
        {ACTION_GROUPS.map(({ name, actions }) => {
          const rows = actions.map(([action, text]) => ({ text, ...(access.get(action) as ActionAccess) }))
          return (
            <section key={name} className="access-group" aria-label={name}>
              <h3 className="line spread">
                {name}
                <span className="muted unbroken">
                  {rows.filter((row) => row.allowed).length} of {rows.length}
                </span>
              </h3>
              <ul>
                {rows.map((row) => (
                  <ActionRow
                    key={row.action}
                    name={row.text}
                    allowed={row.allowed}
                    wasAllowed={allowedBefore.get(row.action) === true}
                    reason={reasonOf(row) === shared ? '' : reasonOf(row)}
                  />
                ))}
              </ul>
            </section>
          )
        })}
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
  allowed: boolean
  wasAllowed: boolean
  /** Empty if the reason shows above all actions. */
  reason: string
}

function ActionRow({ name, allowed, wasAllowed, reason }: ActionRowProps) {
  return (
    <li data-allowed={allowed} data-changed={allowed !== wasAllowed || undefined}>
      {allowed ? <Check /> : <Minus />}
      <span>
        {name}
        <span className="sr-only">, {allowed ? 'allowed' : 'not allowed'}</span>
      </span>
      {allowed !== wasAllowed && (
        <span className={`badge ${allowed ? 'ok' : 'warn'}`}>{allowed ? 'new' : 'lost'}</span>
      )}
      {reason && (
        <small className="muted clip" title={reason}>
          {reason}
        </small>
      )}
    </li>
  )
}
