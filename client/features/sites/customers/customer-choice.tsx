import { useState } from 'react'
import type { Option } from '../../../ui/input/combobox.tsx'
import { RemoteChoice } from '../../../ui/input/remote-choice.tsx'
import { useCustomers } from './api.ts'

interface CustomerChoiceProps {
  organizationId: string | null
  chosen: Option | null
  placeholder?: string
  onChoose: (customer: Option | null) => void
}

export function CustomerChoice(props: CustomerChoiceProps) {
  const { organizationId, chosen, placeholder = 'All customers', onChoose } = props
  const [keyword, setKeyword] = useState('')
  const [needCustomers, setNeedCustomers] = useState(false)
  const customers = useCustomers(needCustomers ? organizationId : null, keyword)
  const cards = customers.data?.flatMap(({ items }) => items) ?? []
  return (
    <RemoteChoice
      label="Customer"
      placeholder={placeholder}
      options={cards.map(({ id, orgName }) => ({ id, name: orgName }))}
      busy={customers.isFetching}
      chosen={chosen}
      onSearch={setKeyword}
      onChoose={onChoose}
      onCome={() => setNeedCustomers(true)}
    />
  )
}
