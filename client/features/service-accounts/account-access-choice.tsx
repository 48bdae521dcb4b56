import { useRef } from 'react'
import type { Action, Assignment, Role } from '#shared/permissions.ts'
import { ChoiceList } from '../../ui/input/choice-list.tsx'
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
import { type NamedCustomer, useAllCustomers } from '../customers/api.ts'
import { useOrganization } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { AccountsCustomer } from './accounts-frame.tsx'

type AccountChoice = 'customer_user' | 'nds_operator' | 'custom'

/** Null while nothing is chosen. */
export function accountChoice(draft: Draft, scope: string): AccountChoice | null {
  if (draft.length === 0) return null
  const here = rolesAt(draft, scope)
  if (draft.length === 1 && (here[0] === 'customer_user' || here[0] === 'nds_operator')) return here[0]
  return 'custom'
}

/** A role alone, or the mark of custom access beside what is chosen customer by customer. */
export function withChoice(choice: AccountChoice, scope: string, last: Draft): Assignment[] {
  if (choice !== 'custom') return withRolesAt([], scope, [choice])
  return withMark(last.length > 0 ? last : [], scope)
}

function withoutMark(draft: Draft): Assignment[] {
  return draft.filter(({ role }) => role !== 'custom')
}

export function withMark(draft: Draft, scope: string): Assignment[] {
  return [{ role: 'custom' as Role, scope }, ...withoutMark(draft)]
}

/** Why such access cannot be saved; null when it can. */
export function accountAccessRefusal(draft: Draft): string | null {
  if (draft.length === 0) return 'Choose the access'
  return draft.some(({ role }) => modeOf(role) !== 'custom')
    ? null
    : 'Custom access needs a role at one customer at least'
}

interface AccountAccessChoiceProps {
  customer: AccountsCustomer
  integratorName: string
  customers: readonly NamedCustomer[]
  granting: Granting
  draft: Draft
  onChange: (draft: Draft) => void
  /** Whether what is missing is to be said already. */
  asked: boolean
}

/** User, NDS operator, or roles customer by customer. */
export function AccountAccessChoice(props: AccountAccessChoiceProps) {
  const { customer, integratorName, customers, granting, draft, onChange, asked } = props
  const lastCustom = useRef<Draft>([])
  const chosen = accountChoice(draft, customer.scope)
  const grantable = grantableRoles(granting, customer.scope)
  const refusal = asked ? accountAccessRefusal(draft) : null
  const roles = grantable.filter((role) => role !== 'custom')
  const offered: { value: AccountChoice; label: string; help: string }[] = [
    {
      value: 'customer_user',
      label: 'User',
      help: sentence(`${ROLE_HELP.customer_user} of ${customer.name}`)
    },
    {
      value: 'nds_operator',
      label: 'NDS operator',
      help: sentence(`${ROLE_HELP.nds_operator} of ${customer.name}`)
    },
    { value: 'custom', label: 'Custom', help: 'Several roles, or roles at several customers.' }
  ]
  return (
    <>
      <ChoiceList
        legend="Access"
        choices={offered.filter(({ value }) => grantable.includes(value))}
        chosen={chosen}
        error={chosen === null ? refusal : null}
        onChoose={(choice) => {
          if (chosen === 'custom') lastCustom.current = draft
          onChange(
            withChoice(choice, customer.scope, lastCustom.current.length > 0 ? lastCustom.current : draft)
          )
        }}
      />
      {chosen === 'custom' && (
        <ScopePicker
          label="Access by customer"
          integratorName={integratorName}
          places={[customer, ...customers.filter(({ id }) => id !== customer.id)]}
          roles={roles}
          draft={withoutMark(draft)}
          onChange={(next) => onChange(withMark(next, customer.scope))}
          error={refusal && `${refusal}.`}
        />
      )}
    </>
  )
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** What giving roles to a service account needs: who gives, which roles there are, and what scopes are called. */
export function useAccountGranting(customer: AccountsCustomer, action: Action) {
  const { user, can } = useSession()
  const numbers = useRoleNumbers()
  const integratorId = can('customers:view', customer.integratorScope) ? customer.integratorId : null
  const integrator = useOrganization(integratorId)
  const customers = useAllCustomers(integratorId)
  const integratorName = integrator.data?.orgName ?? 'the integrator'
  const known = customers.data ?? [customer]
  const granting: Granting = {
    granter: user.roleAssignments,
    level: 'SERVICE_ACCOUNT',
    action,
    // Until the roles are known the choices keep their place; nothing can be sent before.
    known: (role) => numbers.data?.has(role) ?? true
  }
  return {
    numbers,
    customers: known.filter(({ scope }) => can(action, scope)),
    integratorName,
    granting,
    nameOf: scopeNames(customer.integratorScope, known)
  }
}
