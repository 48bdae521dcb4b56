import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const DEBOUNCE_MS = 300

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (keyword: string) => void
  /** 0 for a list that is filtered in the browser. */
  debounceMs?: number
}

/** Reports the keyword when typing pauses. Escape clears the field. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onSearch, debounceMs = DEBOUNCE_MS } = props
  const [text, setText] = useState(value)
  const reportedText = useRef(value)

  useEffect(() => {
    if (value === reportedText.current) return
    reportedText.current = value
    setText(value)
  }, [value])

  function report(keyword: string) {
    reportedText.current = keyword
    setText(keyword)
    onSearch(keyword)
  }

  const reportRested = useEffectEvent(() => {
    if (text !== reportedText.current) report(text)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the pause again
  useEffect(() => {
    const timer = setTimeout(() => reportRested(), debounceMs)
    return () => clearTimeout(timer)
  }, [text, debounceMs])

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
        onChange={({ target }) => (debounceMs === 0 ? report(target.value) : setText(target.value))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') report(text)
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          report('')
        }}
      />
    </label>
  )
}
