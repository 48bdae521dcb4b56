import Search from 'lucide-react/icons/search'
import { useEffect, useRef, useState } from 'react'

const DEBOUNCE_MS = 300

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (keyword: string) => void
  /** Zero for lists that are searched in place. */
  debounceMs?: number
}

/** Says the keyword once typing rests; Escape clears. */
export function SearchField({ label, value, onSearch, debounceMs = DEBOUNCE_MS }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const said = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (value === said.current) return
    said.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function say(keyword: string, afterMs: number) {
    setText(keyword)
    clearTimeout(timer.current)
    const now = () => {
      said.current = keyword
      onSearch(keyword)
    }
    if (afterMs === 0) now()
    else timer.current = setTimeout(now, afterMs)
  }

  return (
    <label className="field search-field">
      <span className="sr-only">{label}</span>
      <Search />
      <input
        type="search"
        placeholder={label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => say(event.target.value, debounceMs)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') say(text, 0)
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault()
            say('', 0)
          }
        }}
      />
    </label>
  )
}
