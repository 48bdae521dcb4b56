import './forms.css'
import Check from 'lucide-react/icons/check'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { usePlacement } from './use-popup.ts'

export interface Option {
  id: string
  name: string
}

interface ComboboxProps {
  label: string
  placeholder: string
  options: readonly Option[]
  chosen: Option | null
  emptyText: string
  /** Names the choice in full if the field shows a short name. */
  title?: string | undefined
  error?: string | null
  onChoose: (option: Option) => void
  /** Undefined if a choice is required. */
  onClear?: () => void
  /** Searches outside this component, for example on the server. The options are then not filtered here. */
  onSearch?: (text: string) => void
  /** Whether the options are still those of an earlier text, so that Enter chooses none of them. */
  isSearching?: boolean
}

/** The keys follow the ARIA Authoring Practices. */
function useCombobox({ options, chosen, onChoose, onSearch, isSearching = false }: ComboboxProps) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState<string | null>(null)
  const [activeIndex, setActiveIndex] = useState(0)
  const keyword = (text ?? '').trim().toLowerCase()
  const matches = onSearch ? options : options.filter((option) => option.name.toLowerCase().includes(keyword))
  const activeOption = open && !isSearching ? matches[activeIndex] : undefined

  function show() {
    if (open) return
    const index = options.findIndex((option) => option.id === chosen?.id)
    setText(null)
    setActiveIndex(Math.max(index, 0))
    setOpen(true)
  }

  function close() {
    if (text !== null) onSearch?.('')
    setOpen(false)
    setText(null)
  }

  function choose(option: Option) {
    close()
    onChoose(option)
  }

  function type(newText: string) {
    setText(newText)
    onSearch?.(newText)
    setActiveIndex(0)
    setOpen(true)
  }

  function operate(event: KeyboardEvent) {
    const lastIndex = matches.length - 1
    if (event.key === 'ArrowDown') {
      if (open) setActiveIndex(activeIndex >= lastIndex ? 0 : activeIndex + 1)
      else show()
    } else if (event.key === 'ArrowUp') {
      if (open) setActiveIndex(activeIndex <= 0 ? Math.max(lastIndex, 0) : activeIndex - 1)
      else show()
    } else if (event.key === 'Enter' && activeOption) choose(activeOption)
    else if (event.key === 'Escape' && open) close()
    else return
    event.preventDefault()
  }

  return { open, text, activeIndex, matches, activeOption, show, close, choose, type, operate }
}

export function Combobox(props: ComboboxProps) {
  const { label, placeholder, chosen, emptyText, title, error, onClear } = props
  const { open, text, activeIndex, matches, activeOption, show, close, choose, type, operate } =
    useCombobox(props)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  usePlacement(open, input, popup, 'fill')
  useLayoutEffect(() => {
    if (open) popup.current?.showPopover()
    else popup.current?.hidePopover()
  }, [open])
  useEffect(() => {
    if (open)
      list.current?.querySelector(`[data-index="${activeIndex}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [open, activeIndex])

  return (
    <div className="anchor combobox">
      <label htmlFor={`${id}-input`}>{label}</label>
      <div className="field">
        <input
          ref={input}
          id={`${id}-input`}
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          aria-activedescendant={activeOption ? `${id}-${activeIndex}` : undefined}
          autoComplete="off"
          title={title}
          spellCheck={false}
          placeholder={open && chosen ? chosen.name : placeholder}
          value={text ?? (open ? '' : (chosen?.name ?? ''))}
          onClick={show}
          onChange={(event) => type(event.target.value)}
          onKeyDown={operate}
          onBlur={close}
        />
        {chosen && onClear ? (
          <IconButton
            name={`Clear ${label.toLowerCase()}`}
            Icon={X}
            className="quiet field-button"
            onPress={() => {
              onClear()
              input.current?.focus()
            }}
          />
        ) : (
          <ChevronsUpDown />
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className="field-error" role="status">
          {error}
        </p>
      )}
      <div ref={popup} className="combobox-list" popover="manual" hidden={!open}>
        <div role="listbox" id={`${id}-list`} aria-label={label} ref={list} tabIndex={-1}>
          {matches.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
            <div
              key={option.id}
              role="option"
              id={`${id}-${index}`}
              data-index={index}
              tabIndex={-1}
              aria-selected={option.id === chosen?.id}
              data-active={option === activeOption || undefined}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <span>{option.name}</span>
              {option.id === chosen?.id && <Check />}
            </div>
          ))}
        </div>
        {matches.length === 0 && <p role="status">{emptyText}</p>}
      </div>
    </div>
  )
}
