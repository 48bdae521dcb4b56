import { FilterMenu } from '../../components/filter-menu.tsx'
import { type ListQuery, listOf } from '../../session/use-list-query.ts'
import { type ACCOUNT_DEFAULTS, ACCOUNT_ROLES, SECRET_CHOICES } from './account-view.ts'

type AccountFiltersProps = Pick<ListQuery<typeof ACCOUNT_DEFAULTS>, 'values' | 'change'>

export function AccountFilters({ values, change }: AccountFiltersProps) {
  return (
    <>
      <FilterMenu
        label="Secret"
        choices={SECRET_CHOICES}
        chosen={listOf(values.secret)}
        onChange={(chosen) => change({ secret: chosen.join(',') })}
      />
      <FilterMenu
        label="Role"
        choices={ACCOUNT_ROLES.map(({ role, label }) => ({ value: role, label }))}
        chosen={listOf(values.role)}
        onChange={(chosen) => change({ role: chosen.join(',') })}
      />
    </>
  )
}
