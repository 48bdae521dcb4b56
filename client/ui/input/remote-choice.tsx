import { useEffect, useState } from 'react'
import { useRested } from '../../lib/browser.ts'
import { Combobox, type Option } from './combobox.tsx'

const DEBOUNCE_MS = 100

interface RemoteChoiceProps {
  label: string
  placeholder: string
  options: readonly Option[]
  busy: boolean
  chosen: Option | null
  onSearch: (text: string) => void
  onChoose: (option: Option | null) => void
  /** Called on focus, so that the caller can load the options. */
  onCome?: () => void
}

/** A choice between options that the server finds by the typed text. */
export function RemoteChoice({ busy, onSearch, onChoose, onCome, ...choice }: RemoteChoiceProps) {
  const [text, setText] = useState('')
  const keyword = useRested(text, DEBOUNCE_MS)
  useEffect(() => onSearch(keyword), [keyword, onSearch])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the control inside takes the focus
    <div className="remote-choice" onFocus={onCome}>
      <Combobox
        {...choice}
        isSearching={text.trim() !== '' && (busy || text !== keyword)}
        emptyText={busy ? 'Searching…' : 'Nothing matches.'}
        onSearch={setText}
        onChoose={onChoose}
        onClear={() => onChoose(null)}
      />
    </div>
  )
}
