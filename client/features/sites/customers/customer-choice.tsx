import { useState } from 'react'
import { Combobox, type Option } from '../../../ui/input/combobox.tsx'
import { RemoteChoice } from '../../../ui/input/remote-choice.tsx'
import { useCustomers } from './api.ts'

interface CustomerChoiceProps {
  organizationId: string | null
  /** The customers to choose from; null for all customers of the organization. */
  among?: readonly Option[] | null
  chosen: Option | null
  placeholder?: string
  onChoose: (customer: Option | null) => void
}

export function CustomerChoice(props: CustomerChoiceProps) {
  const { organizationId, among = null, chosen, placeholder = 'All customers', onChoose } = props
  const [keyword, setKeyword] = useState('')
  const [needCustomers, setNeedCustomers] = useState(false)
  const customers = useCustomers(needCustomers ? organizationId : null, keyword)
  const cards = customers.data?.flatMap(({ items }) => items) ?? []
  if (among)
    return (
      <Combobox
        label="Customer"
        placeholder={placeholder}
        options={among}
        chosen={chosen}
        emptyText="Nothing matches."
        onChoose={onChoose}
        onClear={() => onChoose(null)}
      />
    )
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
