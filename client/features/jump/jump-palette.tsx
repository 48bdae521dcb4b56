import './jump.css'
import '../data/points/style.css'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { unsearchableCharacters } from '#shared/devices.ts'
import { count } from '../../lib/format.ts'
import { useSession } from '../../lib/session/session.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { LoadFailed } from '../../ui/state/load-failed.tsx'
import type { LiveValue } from '../device-details/api.ts'
import { CommandDialog } from '../device-details/command-dialogs.tsx'
import { JumpResults, optionId, type Place } from './jump-results.tsx'
import type { FoundPoint, Group, Target, TargetAction } from './jump-targets.ts'
import { noteRecent } from './recent-targets.ts'
import { readingName, useSearchedCustomer } from './searches.ts'
import { type Found, useJumpTargets } from './use-jump-targets.ts'

interface JumpPaletteProps {
  onClose: () => void
}

interface PointToWrite extends FoundPoint {
  customerId: string
  live: LiveValue | undefined
}

/** Finds everything that this person may open, and writes values. */
export function JumpPalette({ onClose }: JumpPaletteProps) {
  const [pointToWrite, setPointToWrite] = useState<PointToWrite | null>(null)
  const [text, setText] = useState('')
  const searched = useSearchedCustomer()
  if (pointToWrite === null)
    return (
      <Modal title="Jump to" kind="screen" onClose={onClose}>
        {/* The key resets the choice for another customer. */}
        <Palette
          key={searched.customer?.id ?? ''}
          searched={searched}
          text={text}
          onClose={onClose}
          onText={setText}
          onWrite={setPointToWrite}
        />
      </Modal>
    )
  const { customerId, point, device, live } = pointToWrite
  return (
    <CommandDialog
      kind="write"
      deviceIds={{ customerId, deviceId: device.id }}
      deviceName={device.deviceName}
      point={point}
      live={live}
      onClose={onClose}
    />
  )
}

/** Maximum length of a keyword that the gateway accepts. */
const KEYWORD_MAX_CHARACTERS = 200
const FIRST: Place = { row: 0, cell: 0 }
const LABEL = 'Customer, project, device, point, alarm or page'

/** Groups whose recent targets are stored with their details, which distinguish equal names. */
const DETAILED: readonly Group[] = ['Devices', 'Points', 'Devices of other customers']

const focus = (input: HTMLInputElement | null) => input?.focus()

interface PaletteProps extends JumpPaletteProps {
  searched: ReturnType<typeof useSearchedCustomer>
  text: string
  onText: (text: string) => void
  onWrite: (pointToWrite: PointToWrite) => void
}

/** A combobox that searches while the person types; Enter opens the chosen target. */
function Palette({ searched: { customer, search }, text, onText, onClose, onWrite }: PaletteProps) {
  const navigate = useNavigate()
  const { user } = useSession()
  const [choice, setChoice] = useState<{ id: string; cell: number } | null>(null)
  const [enterPressed, setEnterPressed] = useState(false)
  const results = useJumpTargets(text, customer)
  const { targets, busy, readings } = results
  const position = placeOf(targets, choice)
  const currentTarget = targets[position.row]
  const listId = useId()

  function choose(target: Target, action: TargetAction | null) {
    if (action?.name === 'Search in') {
      search(action.search)
      type('')
    } else if (action?.name === 'Write') {
      const { write } = action
      onWrite({ ...write, customerId: customer?.id ?? '', live: readings.get(readingName(write)) })
    } else {
      if (action === null && DETAILED.includes(target.group))
        noteRecent(user.id, target.to, target.name, target.detail)
      onClose()
      navigate(action?.to ?? target.to)
    }
  }

  const chooseCurrent = () =>
    currentTarget && choose(currentTarget, currentTarget.actions?.[position.cell - 1] ?? null)

  /** Enter during a search opens the first result when the search ends. */
  const followEnter = useEffectEvent(() => {
    setEnterPressed(false)
    chooseCurrent()
  })
  useEffect(() => {
    if (enterPressed && !busy) followEnter()
  }, [enterPressed, busy])

  function type(value: string) {
    onText(value)
    setChoice(null)
    setEnterPressed(false)
  }

  function move(row: number, cell = 0) {
    const target = targets.at(row % targets.length)
    if (target) setChoice({ id: target.id, cell })
  }

  function operate(event: KeyboardEvent<HTMLInputElement>) {
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const atEnd = selectionStart === value.length && selectionEnd === value.length
    if (event.key === 'ArrowDown') move(position.row + 1)
    else if (event.key === 'ArrowUp') move(position.row - 1)
    else if (event.key === 'ArrowRight' && atEnd && currentTarget?.actions?.[position.cell])
      move(position.row, position.cell + 1)
    else if (event.key === 'ArrowLeft' && position.cell > 0) move(position.row, position.cell - 1)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (busy && choice === null) setEnterPressed(true)
      else chooseCurrent()
    } else if (event.key === 'Backspace' && text === '' && customer) search(null)
    else return
    event.preventDefault()
  }

  return (
    <div className="jump-palette">
      <div className="field">
        <Search />
        <input
          ref={focus}
          role="combobox"
          aria-label={LABEL}
          aria-expanded={targets.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={currentTarget ? optionId(listId, position) : undefined}
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
      <JumpResults id={listId} targets={targets} position={position} readings={readings} onChoose={choose} />
      <JumpStatus text={text} results={results} />
    </div>
  )
}

/** The position of the chosen target, or the first position. */
function placeOf(targets: readonly Target[], choice: { id: string; cell: number } | null): Place {
  const row = targets.findIndex(({ id }) => id === choice?.id)
  return row < 0 || choice === null ? FIRST : { row, cell: choice.cell }
}

function JumpStatus({ text, results }: { text: string; results: Found }) {
  const { targets, busy, unread, failed, withoutIntegrator, retry } = results
  const unsearchable = unsearchableCharacters(text)
  const actions = new Set(targets.flatMap(({ actions = [] }) => actions.map(({ name }) => name)))
  return (
    <div className="row hint jump-status">
      <p role="status">
        {busy && 'Searching…'}
        {!busy && unread > 0 && `${count(unread, 'customer')} still to be read… `}
        {!busy && !failed && unread === 0 && targets.length === 0 && 'Nothing found.'}
        {!busy && targets.length > 0 && <span className="sr-only">{targets.length} found</span>}
        {unsearchable.length > 0 && ` Devices cannot be found by these characters: ${unsearchable.join(' ')}`}
        {withoutIntegrator && ' Choose an integrator to find its customers and devices.'}
      </p>
      {failed && <LoadFailed onRetry={retry}>Some of it could not be searched.</LoadFailed>}
      <p className="push jump-keys" aria-hidden="true">
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
