import { useEffect, useState } from 'react'
import { Combobox, type Option } from './combobox.tsx'

const DEBOUNCE_MS = 250

interface RemoteChoiceProps {
  label: string
  placeholder: string
  /** What matches the text that was asked for last. */
  options: readonly Option[]
  busy: boolean
  chosen: Option | null
  onSearch: (text: string) => void
  onChoose: (option: Option | null) => void
}

/** A choice among more than can be listed: what is typed is searched elsewhere. */
export function RemoteChoice({
  label,
  placeholder,
  options,
  busy,
  chosen,
  onSearch,
  onChoose
}: RemoteChoiceProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return (
    <div className="remote-choice">
      <Combobox
        label={label}
        placeholder={placeholder}
        options={options}
        chosen={chosen}
        emptyText={busy ? 'Searching…' : 'Nothing matches.'}
        onSearch={setText}
        onChoose={onChoose}
      />
      {chosen && (
        <button type="button" className="link-button" onClick={() => onChoose(null)}>
          Clear {label.toLowerCase()}
        </button>
      )}
    </div>
  )
}
