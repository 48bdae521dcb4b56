// Dialogs that send a command to a point and report the result.
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useState } from 'react'
import { booleanOf, chartValue } from '#shared/history/point-type.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { SelectField, TextField } from '../../ui/input/field.tsx'
import { isTaken, type Point, readWritten, shownText, valueText, withUnits } from '../data/points/point.ts'
import { PointStatus } from '../data/points/point-value.tsx'
import { type DeviceIds, type LiveValue, sendCommand } from './api.ts'
import { type CommandState, useCommand } from './use-command.ts'

export type CommandKind = 'write' | 'clear'

interface CommandDialogProps {
  deviceIds: DeviceIds
  deviceName: string
  point: Point
  /** The last live value, if any. */
  live: LiveValue | undefined
  onClose: () => void
}

/** What takes a write back: the value that the point had, or clearing the override that the write made. */
interface Undo {
  kind: CommandKind
  /** The previous value, as a person types it. */
  text: string
  /** The value that the device has now. */
  last: LiveValue
}

export function CommandDialog({ kind, ...props }: CommandDialogProps & { kind: CommandKind }) {
  const [undo, setUndo] = useState<Undo | null>(null)
  if (undo?.kind === 'clear') return <ClearDialog {...props} live={undo.last} />
  if (undo) return <WriteDialog key="undo" {...props} live={undo.last} typed={undo.text} />
  return kind === 'write' ? <WriteDialog {...props} onUndo={setUndo} /> : <ClearDialog {...props} />
}

/** Null if the point's value was not known before the write. */
function undoOf(point: Point, before: LiveValue | undefined, last: LiveValue): Undo | null {
  if (before === undefined || before.error !== null || before.value === null) return null
  const isOverridden = before.flags.includes('overridden')
  return { kind: isOverridden ? 'write' : 'clear', text: typedText(point, before.value), last }
}

function typedText(point: Point, value: unknown): string {
  if (point.kind === 'Boolean') return String(booleanOf(point, value) ?? '')
  if (point.kind === 'Enum') return String(chartValue(point, value))
  return String(value)
}

const unitsOf = ({ kind, units }: Point) => (kind === 'Numeric' ? units : '')
const readText = (point: Point, { value }: LiveValue) => withUnits(valueText(point, value), unitsOf(point))

interface WriteDialogProps extends CommandDialogProps {
  typed?: string
  onUndo?: (undo: Undo) => void
}

function WriteDialog({ deviceIds, deviceName, point, live, typed = '', onUndo, onClose }: WriteDialogProps) {
  const [text, setText] = useState(typed)
  /** The value before the first write of this dialog. */
  const [before, setBefore] = useState<LiveValue>()
  const { state, run } = useCommand(deviceIds, point.cloudId)
  const lastValue = ('last' in state ? state.last : null) ?? live
  const units = unitsOf(point)
  const currentText = shownText(point, lastValue)
  const parsed = readWritten(point, text)
  const newValue = 'value' in parsed ? parsed.value : null
  const undo = state.step === 'taken' ? undoOf(point, before, state.last) : null
  return (
    <CommandModal
      title={`Write ${point.displayName}`}
      state={state}
      sendLabel="Write"
      ready={newValue !== null}
      taken={(last) => `the device reads ${readText(point, last)}.`}
      notTaken={(last) => `the device still reads ${readText(point, last)}.`}
      onSend={() => {
        if (newValue === null) return
        setBefore((first) => first ?? lastValue)
        void run(
          (signal) => sendCommand(deviceIds, 'write', { cloudId: point.cloudId, value: newValue }, signal),
          ({ value }) => isTaken(point, newValue, value)
        )
      }}
      onClose={onClose}
      undo={
        undo && onUndo && before && { label: `Undo (${readText(point, before)})`, onUndo: () => onUndo(undo) }
      }
    >
      <div className="row write-now">
        <span>
          Now <strong>{currentText}</strong>
        </span>
        <PointStatus flags={lastValue?.flags ?? point.out.flags} />
      </div>
      <WriteField
        point={point}
        text={text}
        problem={'problem' in parsed ? parsed.problem : null}
        onChange={setText}
      />
      {newValue !== null && state.step !== 'taken' && (
        <p className="outcome info" role="status">
          <span>
            Set <em>{point.displayName}</em> from {currentText} to{' '}
            <strong>{withUnits(valueText(point, newValue), units)}</strong> on {deviceName}
            {'rounded' in parsed && ' (rounded to the precision of the point)'}
          </span>
        </p>
      )}
    </CommandModal>
  )
}

/** Clears an override, so that the device sets the value again. */
function ClearDialog({ deviceIds, deviceName, point, onClose }: CommandDialogProps) {
  const { state, run } = useCommand(deviceIds, point.cloudId)
  return (
    <CommandModal
      title={`Clear the override of ${point.displayName}?`}
      role="alertdialog"
      state={state}
      sendLabel="Clear override"
      ready
      taken={(last) => `no longer overridden, the device reads ${readText(point, last)}.`}
      notTaken={() => 'the point is still overridden.'}
      onSend={() =>
        void run(
          (signal) => sendCommand(deviceIds, 'clear', { cloudId: point.cloudId }, signal),
          ({ flags }) => !flags.includes('overridden')
        )
      }
      onClose={onClose}
    >
      <p className="modal-text">
        <span>
          <strong>{point.displayName}</strong> on <strong>{deviceName}</strong> returns to the value that the
          device sets.
        </span>
      </p>
    </CommandModal>
  )
}

interface CommandModalProps {
  title: string
  role?: 'alertdialog'
  state: CommandState
  sendLabel: string
  ready: boolean
  /** The rest of the sentences "Confirmed: …" and "Not confirmed: …". */
  taken: (last: LiveValue) => string
  notTaken: (last: LiveValue) => string
  onSend: () => void
  onClose: () => void
  /** Opens the dialog that takes the command back. */
  undo?: { label: string; onUndo: () => void } | null | undefined
  children: ReactNode
}

function CommandModal(props: CommandModalProps) {
  const { title, role, state, sendLabel, ready, taken, notTaken, onSend, onClose, undo, children } = props
  const busy = state.step === 'sending' || state.step === 'reading'
  const isFinished = state.step === 'taken' || (state.step === 'refused' && state.final)
  const maySend = ready && !busy && !isFinished
  const send = () => maySend && onSend()
  return (
    <Modal title={title} role={role} onClose={onClose} onEnter={send}>
      <div className="modal-body">
        {children}
        {state.step === 'refused' && (
          <p className="outcome danger" role="alert">
            <CircleAlert />
            {state.reason}
          </p>
        )}
        <div role="status">
          {state.step === 'sending' && <p className="outcome">Sending to the device…</p>}
          {state.step === 'reading' && (
            <p className="outcome">
              {state.lost ? 'The answer was lost.' : 'Sent.'} Reading back the value for up to 10 seconds…
            </p>
          )}
          {state.step === 'taken' && (
            <p className="outcome ok">
              <CircleCheck />
              Confirmed: {taken(state.last)}
            </p>
          )}
          {state.step === 'not-taken' && (
            <p className="outcome warn">
              <CircleAlert />
              <span>
                Not confirmed: {state.last ? notTaken(state.last) : 'the device could not be read.'}{' '}
                {state.lost && 'The answer was lost. The device may still do it. '}
                <button type="button" className="link-button" onClick={send}>
                  Retry
                </button>
              </span>
            </p>
          )}
        </div>
      </div>
      <div className="row modal-actions">
        {undo && (
          <button type="button" className="button" onClick={undo.onUndo}>
            {undo.label}
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          {isFinished ? 'Close' : 'Cancel'}
        </button>
        {!isFinished && (
          <button
            type="button"
            className="button primary"
            aria-disabled={!maySend}
            aria-busy={busy}
            onClick={send}
          >
            {sendLabel}
          </button>
        )}
      </div>
    </Modal>
  )
}

interface WriteFieldProps {
  point: Point
  text: string
  problem: string | null
  onChange: (text: string) => void
}

function WriteField({ point, text, problem, onChange }: WriteFieldProps) {
  const { kind, low, high, units, texts, trueText, falseText } = point
  const shared = { label: 'New value', value: text, onChange }
  if (kind === 'Boolean' || kind === 'Enum')
    return (
      <SelectField
        {...shared}
        placeholder="Choose a value"
        data-autofocus
        options={
          kind === 'Enum'
            ? texts.map(({ ordinal, text: name }) => ({ value: String(ordinal), label: name }))
            : [
                { value: 'true', label: trueText },
                { value: 'false', label: falseText }
              ]
        }
      />
    )
  const range = low !== null && high !== null ? `${low} to ${withUnits(String(high), units)}` : units
  return (
    <TextField
      {...shared}
      error={text === '' ? null : problem}
      help={range || undefined}
      inputMode={kind === 'Numeric' ? 'decimal' : undefined}
      autoComplete="off"
      autoFocus
    />
  )
}
