import { useCallback, useState } from 'react'
import { useActors } from '../../api/audit-log.ts'
import type { Option } from '../../components/combobox.tsx'
import { RemoteChoice } from '../../components/remote-choice.tsx'

interface ActorChoiceProps {
  organizationId: string | null
  chosen: Option | null
  onChoose: (option: Option | null) => void
}

/** A person of the organization; service accounts are chosen at what they did. */
export function ActorChoice({ organizationId, chosen, onChoose }: ActorChoiceProps) {
  const [keyword, setKeyword] = useState('')
  const [wanted, setWanted] = useState(false)
  const found = useActors(wanted ? organizationId : null, keyword)
  const search = useCallback((text: string) => setKeyword(text), [])
  return (
    <RemoteChoice
      label="Who"
      placeholder="Anybody"
      options={(found.data?.items ?? []).map(({ id, fullName, email }) => ({
        id,
        name: fullName || email || id
      }))}
      busy={found.busy}
      chosen={chosen}
      onSearch={search}
      onChoose={onChoose}
      onCome={() => setWanted(true)}
    />
  )
}
