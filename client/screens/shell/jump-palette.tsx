import '../../style/jump.css'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { unsearchableCharacters } from '#shared/devices.ts'
import { Modal } from '../../components/modal.tsx'
import type { Target } from '../../lib/jump-targets.ts'
import { type Found, useJumpTargets } from './use-jump-targets.ts'
import { useSearchedCustomer } from './use-searched-customer.ts'

interface JumpPaletteProps {
  onClose: () => void
}

/** A combobox whose list is found while one types; Enter goes to what is chosen in it. */
export function JumpPalette({ onClose }: JumpPaletteProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const { customer, search } = useSearchedCustomer()
  const found = useJumpTargets(text, customer)
  const { targets } = found
  const at = Math.min(active, Math.max(targets.length - 1, 0))
  const current = targets[at]
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function choose(target: Target) {
    if (target.group === 'Search in') {
      search({ id: target.id, name: target.name, path: target.to })
      setText('')
      setActive(0)
      return
    }
    onClose()
    navigate(target.to)
  }

  function operate(event: KeyboardEvent) {
    const last = targets.length - 1
    if (event.key === 'ArrowDown') setActive(at >= last ? 0 : at + 1)
    else if (event.key === 'ArrowUp') setActive(at <= 0 ? Math.max(last, 0) : at - 1)
    else if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) choose(current)
    else if (event.key === 'Backspace' && text === '' && customer) search(null)
    else return
    event.preventDefault()
  }

  return (
    <Modal title="Jump to" onClose={onClose}>
      <div className="field jump-field">
        <Search />
        <input
          role="combobox"
          aria-label="Customer, project, device or page"
          aria-expanded={targets.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          placeholder="Customer, project, device or page"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(0)
          }}
          onKeyDown={operate}
        />
      </div>
      {customer && (
        <p className="chip jump-scope">
          <span>Projects and devices of {customer.name}</span>
          <button type="button" aria-label={`Do not search in ${customer.name}`} onClick={() => search(null)}>
            <X />
          </button>
        </p>
      )}
      <div role="listbox" id={`${id}-list`} aria-label="Found" ref={list} className="jump-list" tabIndex={-1}>
        {targets.map((target, index) => (
          <Fragment key={`${target.group} ${target.id}`}>
            {targets[index - 1]?.group !== target.group && (
              <div role="presentation" className="menu-group">
                {target.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys */}
            <div
              role="option"
              id={`${id}-${index}`}
              data-index={index}
              tabIndex={-1}
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(target)}
            >
              <span>{target.name}</span>
              <small>
                {target.detail}
                <span className="sr-only">, {target.group}</span>
              </small>
            </div>
          </Fragment>
        ))}
      </div>
      <JumpStatus text={text} found={found} />
    </Modal>
  )
}

function JumpStatus({ text, found: { targets, busy, failed, retry } }: { text: string; found: Found }) {
  const unsearchable = unsearchableCharacters(text)
  return (
    <div className="jump-status">
      <p role="status">
        {busy && 'Searching…'}
        {!busy && !failed && targets.length === 0 && 'Nothing of this name.'}
        {!busy && targets.length > 0 && <span className="sr-only">{targets.length} found</span>}
        {unsearchable.length > 0 && ` Search can't use these characters: ${unsearchable.join(' ')}`}
      </p>
      {failed && (
        <p role="alert">
          Some of it could not be searched.{' '}
          <button type="button" className="link-button" onClick={retry}>
            Retry
          </button>
        </p>
      )}
    </div>
  )
}
