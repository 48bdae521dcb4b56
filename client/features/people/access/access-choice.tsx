import { useRef } from 'react'
import type { Role } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { ChoiceList, type ListedChoice } from '../../../ui/input/choice-list.tsx'
import { Checkbox } from '../../../ui/input/field.tsx'
import { type Draft, type Mode, modeAt, modeOf, rolesAt, withRole, withRolesAt } from './access-draft.ts'
import { roleLabel } from './roles.tsx'

export interface AccessChoiceProps {
  legend: string
  scope: string
  draft: Draft
  grantable: readonly Role[]
  /** Adds the choice of having no role at this scope. If missing, a role is required. */
  none?: { label: string; help: string }
  /** Why the level cannot be changed; null if it can. */
  locked?: string | null
  error?: string | null
  onChange: (draft: Draft) => void
}

const LABELS: Record<Exclude<Mode, 'none'>, string> = {
  admin: 'Admin',
  standard: 'Standard',
  custom: 'Custom',
  noaccess: 'No access'
}

const HELP = {
  organization: {
    admin: 'Manages users, service accounts, projects and devices of every customer.',
    standard: 'Has access to every customer. Choose a role.',
    custom: 'Has roles at some customers and no access to the others.',
    noaccess: 'Stays in the list of users, but has no access.'
  },
  customer: {
    admin: 'Manages the users of this customer and all of its data.',
    standard: 'Has access to this customer. Choose a role.',
    custom: 'Gives no access by itself. The roles are assigned separately.',
    noaccess: 'Gives no access to this customer. Roles for all customers still apply.'
  }
} as const

export const ROLE_HELP: Partial<Record<Role, string>> = {
  partner_user: 'views everything, exports data, downloads backups',
  customer_user: 'views everything',
  niagara_remote: 'views, and connects to devices',
  nds_operator: 'views, manages alarms, writes live values'
}

export function AccessChoice(props: AccessChoiceProps) {
  const { legend, scope, draft, grantable, none, locked, error, onChange } = props
  const scopeKind = parseScope(scope)?.customerId ? 'customer' : 'organization'
  const mode = modeAt(draft, scope)
  const standardRoles = grantable.filter((role) => modeOf(role) === 'standard')
  // Keep the last draft of each level, to restore it when the person returns to the level.
  const lastDrafts = useRef<Partial<Record<Mode, Draft>>>({})

  function choose(next: Mode) {
    lastDrafts.current[mode] = draft
    const lastDraft = lastDrafts.current[next]
    if (lastDraft) return onChange(lastDraft)
    const rolesOfMode = grantable.filter((role) => modeOf(role) === next)
    onChange(withRolesAt(draft, scope, next === 'none' ? [] : rolesOfMode.slice(0, 1)))
  }

  const modes = (['admin', 'standard', 'custom', 'noaccess'] as const).filter(
    (offered) => offered === mode || grantable.some((role) => modeOf(role) === offered)
  )
  const reason = (value: Mode) => (value !== mode && locked ? locked : null)
  const choices: ListedChoice<Mode>[] = modes.map((value) => ({
    value,
    label: LABELS[value],
    help: HELP[scopeKind][value],
    disabledReason: reason(value),
    more: value === 'standard' && (
      <StandardRoles draft={draft} scope={scope} roles={standardRoles} onChange={onChange} />
    )
  }))
  if (none) choices.unshift({ value: 'none', ...none, disabledReason: reason('none') })
  return (
    <ChoiceList
      legend={legend}
      choices={choices}
      chosen={mode === 'none' && !none ? null : mode}
      onChoose={choose}
      error={error ?? null}
    />
  )
}

interface StandardRolesProps {
  draft: Draft
  scope: string
  roles: readonly Role[]
  onChange: (draft: Draft) => void
}

function StandardRoles({ draft, scope, roles, onChange }: StandardRolesProps) {
  const heldRoles = rolesAt(draft, scope)
  return (
    <>
      {roles.map((role) => {
        const checked = heldRoles.includes(role)
        return (
          <Checkbox
            key={role}
            label={
              <>
                {roleLabel(role)} <span className="muted">{ROLE_HELP[role]}</span>
              </>
            }
            checked={checked}
            disabledReason={
              checked && heldRoles.length === 1 ? 'Standard access needs at least one role.' : null
            }
            onChange={(on) => onChange(withRole(draft, role, scope, on))}
          />
        )
      })}
    </>
  )
}
