import { useRef } from 'react'
import type { Role } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { ChoiceList, type ListedChoice } from '../../ui/input/choice-list.tsx'
import { Checkbox } from '../../ui/input/field.tsx'
import { type Draft, type Mode, modeAt, modeOf, rolesAt, withRole, withRolesAt } from './access-draft.ts'
import { roleLabel } from './roles.tsx'

interface AccessChoiceProps {
  legend: string
  scope: string
  draft: Draft
  grantable: readonly Role[]
  /** Offers no role at this scope. Without it, a role is required. */
  none?: { label: string; help: string }
  /** Why the level cannot be changed. */
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
    custom: 'Different roles for different customers, none for the others.',
    noaccess: 'Stays in the list of users without any access.'
  },
  customer: {
    admin: 'Manages the users of this customer and all of its data.',
    standard: 'Has access to this customer. Choose a role.',
    custom: 'Allows nothing by itself: the roles are assigned elsewhere.',
    noaccess: 'No access of its own. Roles for all customers still apply.'
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
  const place = parseScope(scope)?.customerId ? 'customer' : 'organization'
  const mode = modeAt(draft, scope)
  const standard = grantable.filter((role) => modeOf(role) === 'standard')
  // Remember the roles of each level.
  const left = useRef<Partial<Record<Mode, Draft>>>({})

  function choose(next: Mode) {
    left.current[mode] = draft
    const known = left.current[next]
    if (known) return onChange(known)
    const single = grantable.filter((role) => modeOf(role) === next)
    onChange(withRolesAt(draft, scope, next === 'none' ? [] : single.slice(0, 1)))
  }

  const offered = (['admin', 'standard', 'custom', 'noaccess'] as const).filter(
    (one) => one === mode || grantable.some((role) => modeOf(role) === one)
  )
  const reason = (value: Mode) => (value !== mode && locked ? locked : null)
  const choices: ListedChoice<Mode>[] = offered.map((value) => ({
    value,
    label: LABELS[value],
    help: HELP[place][value],
    disabledReason: reason(value),
    more: value === 'standard' && <StandardRoles {...{ draft, scope, roles: standard, onChange }} />
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
  const held = rolesAt(draft, scope)
  return (
    <>
      {roles.map((role) => {
        const checked = held.includes(role)
        return (
          <Checkbox
            key={role}
            label={
              <>
                {roleLabel(role)} <span className="muted">{ROLE_HELP[role]}</span>
              </>
            }
            checked={checked}
            disabledReason={checked && held.length === 1 ? 'Standard access needs one of these.' : null}
            onChange={(on) => onChange(withRole(draft, role, scope, on))}
          />
        )
      })}
    </>
  )
}
