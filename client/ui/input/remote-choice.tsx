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
  /** Somebody has come to it: options are wanted from now on. */
  onCome?: () => void
}

/** A choice among more than can be listed: what is typed is searched elsewhere. */
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
