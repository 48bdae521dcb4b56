import { useRef } from 'react'
import { ChoiceList } from '../../ui/input/choice-list.tsx'
import { ROLE_HELP } from '../access/access-choice.tsx'
import { type Draft, type Granting, grantableRoles } from '../access/access-draft.ts'
import { ScopePicker } from '../access/scope-picker.tsx'
import type { NamedCustomer } from '../customers/api.ts'
import {
  type AccountChoice,
  accountAccessRefusal,
  accountChoice,
  withChoice,
  withMark,
  withoutMark
} from './account-access.ts'
import type { AccountsCustomer } from './use-customer.ts'

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
