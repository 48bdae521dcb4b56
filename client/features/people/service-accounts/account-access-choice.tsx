import { useRef } from 'react'
import type { Action, Assignment, Role } from '#shared/permissions.ts'
import { organizationScope, parseScope } from '#shared/scopes.ts'
import { capitalized } from '../../../lib/format.ts'
import { useOrganizationById } from '../../../lib/session/api.ts'
import { useSession } from '../../../lib/session/session.ts'
import { ChoiceList } from '../../../ui/input/choice-list.tsx'
import { useAllCustomers } from '../../sites/customers/api.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { ROLE_HELP } from '../access/access-choice.tsx'
import {
  type Draft,
  type Granting,
  grantableRoles,
  modeOf,
  rolesAt,
  withRolesAt
} from '../access/access-draft.ts'
import { useRoleNumbers } from '../access/api.ts'
import { scopeNames } from '../access/roles.tsx'
import { ScopePicker } from '../access/scope-picker.tsx'

type AccountChoice = 'customer_user' | 'nds_operator' | 'custom'

export function accountChoice(draft: Draft, scope: string): AccountChoice | null {
  if (draft.length === 0) return null
  const [role] = rolesAt(draft, scope)
  return draft.length === 1 && (role === 'customer_user' || role === 'nds_operator') ? role : 'custom'
}

/** The draft after a choice: the chosen role, or custom access with `roles`. */
export function withChoice(choice: AccountChoice, scope: string, roles: Draft): Assignment[] {
  return choice === 'custom' ? withMark(roles, scope) : withRolesAt([], scope, [choice])
}

function withoutMark(draft: Draft): Assignment[] {
  return draft.filter(({ role }) => role !== 'custom')
}

export function withMark(draft: Draft, scope: string): Assignment[] {
  return [{ role: 'custom', scope }, ...withoutMark(draft)]
}

/** Why the access cannot be saved; null if it can. */
export function accountAccessRefusal(draft: Draft): string | null {
  if (draft.length === 0) return 'Choose the access'
  return draft.some(({ role }) => modeOf(role) !== 'custom')
    ? null
    : 'Custom access needs a role at one customer at least'
}

interface AccountAccessChoiceProps {
  access: AccountGranting
  draft: Draft
  onChange: (draft: Draft) => void
}

/** Chooses the access of an account: user, NDS operator, or roles by customer. */
export function AccountAccessChoice({ access, draft, onChange }: AccountAccessChoiceProps) {
  const { here, integratorName, others, granting } = access
  const lastCustom = useRef<Draft>([])
  const chosen = accountChoice(draft, here.scope)
  const grantable = grantableRoles(granting, here.scope)
  const helpOf = (role: Role) => `${capitalized(ROLE_HELP[role] ?? '')} of ${here.name}.`
  const choices: { value: AccountChoice; label: string; help: string }[] = [
    { value: 'customer_user', label: 'User', help: helpOf('customer_user') },
    { value: 'nds_operator', label: 'NDS operator', help: helpOf('nds_operator') },
    { value: 'custom', label: 'Custom', help: 'Several roles, or roles at several customers.' }
  ]
  return (
    <>
      <ChoiceList
        legend="Access"
        choices={choices.filter(({ value }) => grantable.includes(value))}
        chosen={chosen}
        onChoose={(choice) => {
          if (chosen === 'custom') lastCustom.current = draft
          const roles = lastCustom.current.length > 0 ? lastCustom.current : draft
          onChange(withChoice(choice, here.scope, roles))
        }}
      />
      {chosen === 'custom' && (
        <ScopePicker
          label="Access by customer"
          integratorName={integratorName}
          customers={[here, ...others]}
          roles={grantable.filter((role) => role !== 'custom')}
          draft={withoutMark(draft)}
          onChange={(next) => onChange(withMark(next, here.scope))}
        />
      )}
    </>
  )
}

export type AccountGranting = ReturnType<typeof useAccountGranting>

export function useAccountGranting(action: Action) {
  const { user, can } = useSession()
  const { customerId, orgName = '', list } = useCustomer()
  const here = { id: customerId, name: orgName, scope: list?.customer.scope ?? '' }
  const numbers = useRoleNumbers()
  const organizationId = parseScope(here.scope)?.organizationId ?? ''
  const integratorScope = organizationScope(organizationId)
  const integratorId = can('customers:view', integratorScope) ? organizationId : null
  const integrator = useOrganizationById(integratorId)
  const allCustomers = useAllCustomers(integratorId).data ?? [here]
  const others = allCustomers.filter(({ id, scope }) => id !== customerId && can(action, scope))
  const granting: Granting = {
    granter: user.roleAssignments,
    level: 'SERVICE_ACCOUNT',
    action,
    numbers: numbers.data
  }
  return {
    here,
    numbers,
    others,
    integratorName: integrator.data?.orgName ?? 'the integrator',
    granting,
    nameOf: scopeNames(integratorScope, allCustomers)
  }
}
