import './jump.css'
import '../../features/points/style.css'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { unsearchableCharacters } from '#shared/devices.ts'
import { useProjects } from '../../features/customers/api.ts'
import type { LiveValue } from '../../features/device-details/api.ts'
import { WriteDialog } from '../../features/device-details/command-dialogs.tsx'
import { useSession } from '../../features/session/session.ts'
import { count } from '../../lib/format.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { JumpResults, optionId, type Place } from './jump-results.tsx'
import type { FoundPoint, Group, Target, TargetAction } from './jump-targets.ts'
import { noteRecent } from './recent-targets.ts'
import { readingName, useReadings, useSearchedCustomer } from './searches.ts'
import { type Found, useJumpTargets } from './use-jump-targets.ts'

interface JumpPaletteProps {
  onClose: () => void
}

interface Writing extends FoundPoint {
  customerId: string
  live: LiveValue | undefined
}

/** One box that finds whatever this person may open; a value is written from here too. */
export function JumpPalette({ onClose }: JumpPaletteProps) {
  const [writing, setWriting] = useState<Writing | null>(null)
  const [text, setText] = useState('')
  const searched = useSearchedCustomer()
  if (writing === null)
    return (
      <Modal title="Jump to" kind="screen" onClose={onClose}>
        {/* Of another customer, nothing that was found before is meant. */}
        <Palette
          key={searched.customer?.id ?? ''}
          {...{ searched, text, onClose }}
          onText={setText}
          onWrite={setWriting}
        />
      </Modal>
    )
  const { customerId, point, device, live } = writing
  return (
    <WriteDialog
      place={{ customerId, deviceId: device.id }}
      deviceName={device.deviceName}
      point={point}
      live={live}
      onClose={onClose}
    />
  )
}

/** The gateway takes no longer one. */
const KEYWORD_MAX_CHARACTERS = 200
const FIRST: Place = { row: 0, cell: 0 }
const LABEL = 'Customer, project, device, point, alarm or page'

/** Groups whose details tell one from others of its name, also later. */
const TOLD: readonly Group[] = ['Devices', 'Points', 'Devices of other customers']

interface PaletteProps extends JumpPaletteProps {
  searched: ReturnType<typeof useSearchedCustomer>
  text: string
  onText: (text: string) => void
  onWrite: (writing: Writing) => void
}

/** A combobox whose list is found while one types; Enter goes to what is chosen in it. */
function Palette({ searched: { customer, search }, text, onText, onClose, onWrite }: PaletteProps) {
  const navigate = useNavigate()
  const session = useSession()
  const [chosen, setChosen] = useState<{ id: string; cell: number } | null>(null)
  const [entered, setEntered] = useState(false)
  const found = useJumpTargets(text, customer)
  const { targets, busy } = found
  const scope = useProjects(customer?.id ?? null).data?.customer.scope
  const points = targets.flatMap((target) => target.found ?? [])
  const mayRead = scope !== undefined && session.can('live:read', scope)
  const readings = useReadings(mayRead ? (customer?.id ?? null) : null, points)
  const at = placeOf(targets, chosen)
  const current = targets[at.row]
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  function choose(target: Target, action: TargetAction | null) {
    if (action?.name === 'Search in') {
      search(action.search)
      type('')
    } else if (action?.name === 'Write') {
      const live = readings.get(readingName(action.write))
      onWrite({ ...action.write, customerId: customer?.id ?? '', live })
    } else {
      if (action === null && TOLD.includes(target.group))
        noteRecent(session.user.id, target.to, target.name, target.detail)
      onClose()
      navigate(action?.to ?? target.to)
    }
  }

  function chooseCurrent() {
    if (current) choose(current, at.cell === 0 ? null : (current.actions?.[at.cell - 1] ?? null))
  }

  /** What was typed last is not found yet: it is what Enter is about. */
  const followEnter = useEffectEvent(() => {
    setEntered(false)
    chooseCurrent()
  })
  useEffect(() => {
    if (entered && !busy) followEnter()
  }, [entered, busy])

  function type(value: string) {
    onText(value)
    setChosen(null)
    setEntered(false)
  }

  function move(row: number, cell = 0) {
    const target = targets[(row + targets.length) % targets.length]
    if (target) setChosen({ id: target.id, cell })
  }

  function operate(event: KeyboardEvent<HTMLInputElement>) {
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const atEnd = selectionStart === value.length && selectionEnd === value.length
    const cells = (current?.actions?.length ?? 0) + 1
    if (event.key === 'ArrowDown') move(at.row + 1)
    else if (event.key === 'ArrowUp') move(at.row - 1)
    else if (event.key === 'ArrowRight' && atEnd && at.cell + 1 < cells) move(at.row, at.cell + 1)
    else if (event.key === 'ArrowLeft' && at.cell > 0) move(at.row, at.cell - 1)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (busy && chosen === null) setEntered(true)
      else chooseCurrent()
    } else if (event.key === 'Backspace' && text === '' && customer) search(null)
    else return
    event.preventDefault()
  }

  return (
    <div className="jump-palette">
      <div className="field jump-field">
        <Search />
        <input
          ref={input}
          role="combobox"
          aria-label={LABEL}
          aria-expanded={targets.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current ? optionId(`${id}-list`, at) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={KEYWORD_MAX_CHARACTERS}
          data-autofocus
          placeholder={LABEL}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={operate}
        />
      </div>
      {customer && (
        <p className="chip jump-scope">
          <span>First in {customer.name}</span>
          <button type="button" aria-label={`Do not search in ${customer.name}`} onClick={() => search(null)}>
            <X />
          </button>
        </p>
      )}
      <JumpResults id={`${id}-list`} targets={targets} at={at} readings={readings} onChoose={choose} />
      <JumpStatus text={text} found={found} />
    </div>
  )
}

/** Where the chosen target is now, else the first one. */
function placeOf(targets: readonly Target[], chosen: { id: string; cell: number } | null): Place {
  const row = targets.findIndex(({ id }) => id === chosen?.id)
  return row < 0 || chosen === null ? FIRST : { row, cell: chosen.cell }
}

function JumpStatus({ text, found }: { text: string; found: Found }) {
  const { targets, busy, unread, failed, withoutIntegrator, retry } = found
  const unsearchable = unsearchableCharacters(text)
  const actions = new Set(targets.flatMap(({ actions = [] }) => actions.map(({ name }) => name)))
  return (
    <div className="row jump-status">
      <p role="status">
        {busy && 'Searching…'}
        {!busy && unread > 0 && `${count(unread, 'customer')} still to be read… `}
        {!busy && !failed && unread === 0 && targets.length === 0 && 'Nothing found.'}
        {!busy && targets.length > 0 && <span className="sr-only">{targets.length} found</span>}
        {unsearchable.length > 0 && ` Devices cannot be found by these characters: ${unsearchable.join(' ')}`}
        {withoutIntegrator && ' Choose an integrator to find its customers and devices.'}
      </p>
      {failed && (
        <p role="alert">
          Some of it could not be searched.{' '}
          <button type="button" className="link-button" onClick={retry}>
            Retry
          </button>
        </p>
      )}
      <p className="jump-keys" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open
        {actions.size > 0 && (
          <>
            {' '}
            <kbd>→</kbd> {[...actions].join(', ').toLowerCase()}
          </>
        )}
      </p>
    </div>
  )
}
