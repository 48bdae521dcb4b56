import { useEffect, useState } from 'react'
import { Combobox, type Option } from './combobox.tsx'

const DEBOUNCE_MS = 250

interface RemoteChoiceProps {
  label: string
  placeholder: string
  options: readonly Option[]
  busy: boolean
  chosen: Option | null
  onSearch: (text: string) => void
  onChoose: (option: Option | null) => void
  /** Called on focus, before options are needed. */
  onCome?: () => void
}

/** A choice among options that the server searches. */
export function RemoteChoice({
  label,
  placeholder,
  options,
  busy,
  chosen,
  onSearch,
  onChoose,
  onCome
}: RemoteChoiceProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus comes to what stands in it
    <div className="remote-choice" onFocus={onCome}>
      <Combobox
        label={label}
        placeholder={placeholder}
        options={options}
        chosen={chosen}
        emptyText={busy ? 'Searching…' : 'Nothing matches.'}
        onSearch={setText}
        onChoose={onChoose}
        onClear={() => onChoose(null)}
      />
    </div>
  )
}
