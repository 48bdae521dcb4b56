import { useCallback, useState } from 'react'
import { useCustomers } from '../api/customers.ts'
import type { Option } from '../components/combobox.tsx'
import { RemoteChoice } from '../components/remote-choice.tsx'

interface CustomerChoiceProps {
  organizationId: string | null
  chosen: Option | null
  onChoose: (customer: Option | null) => void
}

/** A customer of the organization; looked up once somebody comes. */
export function CustomerChoice({ organizationId, chosen, onChoose }: CustomerChoiceProps) {
  const [keyword, setKeyword] = useState('')
  const [wanted, setWanted] = useState(false)
  const found = useCustomers(wanted ? organizationId : null, keyword)
  const search = useCallback((text: string) => setKeyword(text), [])
  const cards = found.data?.flatMap(({ items }) => items) ?? []
  return (
    <RemoteChoice
      label="Customer"
      placeholder="All customers"
      options={cards.map(({ id, orgName }) => ({ id, name: orgName }))}
      busy={found.busy}
      chosen={chosen}
      onSearch={search}
      onChoose={onChoose}
      onCome={() => setWanted(true)}
    />
  )
}
