import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Minimum time between two searches while a person types. */
const PAUSE_MS = 50

interface SearchFieldProps {
  label: string
  /** If missing, the label. */
  placeholder?: string | undefined
  value: string
  onSearch: (keyword: string) => void
  /** Whether to report every key, for a list that is filtered in the browser. */
  everyKey?: boolean
}

/** Reports the first key at once, and what is typed meanwhile after a short pause. Escape clears the field. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder = label, value, onSearch, everyKey = false } = props
  const [text, setText] = useState(value)
  const [isPausing, setIsPausing] = useState(false)
  // Reported keywords, the latest last. A slow screen may still return an earlier one, which must not replace newer text.
  const reported = useRef([value])

  useEffect(() => {
    const index = reported.current.indexOf(value)
    if (index >= 0) {
      reported.current.splice(0, index)
      return
    }
    reported.current = [value]
    setText(value)
  }, [value])

  // Never changes the text: an effect may search for an earlier text after the person has typed on.
  function search(keyword: string) {
    reported.current.push(keyword)
    setIsPausing(true)
    onSearch(keyword)
  }

  const searchTyped = useEffectEvent(search)
  useEffect(() => {
    if (!everyKey && !isPausing && text !== reported.current.at(-1)) searchTyped(text)
  }, [everyKey, text, isPausing])
  useEffect(() => {
    if (!isPausing) return
    const timer = setTimeout(() => setIsPausing(false), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isPausing])

  return (
    <label className="field search-field">
      <span className="sr-only">{label}</span>
      <Search />
      <input
        type="search"
        placeholder={placeholder}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value)
          if (everyKey) search(target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text)
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          setText('')
          search('')
        }}
      />
    </label>
  )
}
