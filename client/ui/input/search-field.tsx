import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const DEBOUNCE_MS = 300

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (keyword: string) => void
  /** 0 for lists that are searched in the browser. */
  debounceMs?: number
}

/** Reports the keyword when typing pauses. Escape clears. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onSearch, debounceMs = DEBOUNCE_MS } = props
  const [text, setText] = useState(value)
  const said = useRef(value)
  const typed = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (value === said.current) return
    said.current = value
    typed.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function say(keyword: string) {
    clearTimeout(timer.current)
    said.current = keyword
    onSearch(keyword)
  }

  const sayRest = useEffectEvent(() => {
    if (typed.current !== said.current) say(typed.current)
  })

  function type(keyword: string) {
    setText(keyword)
    typed.current = keyword
    clearTimeout(timer.current)
    if (debounceMs === 0) say(keyword)
    else timer.current = setTimeout(sayRest, debounceMs)
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
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') say(text)
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault()
            setText('')
            typed.current = ''
            say('')
          }
        }}
      />
    </label>
  )
}
