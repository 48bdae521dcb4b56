// Dialogs that send a command to a point and report the result.
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useState } from 'react'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { SelectField, TextField } from '../../../ui/input/field.tsx'
import { isTaken, type Point, readWritten, valueText, withUnits } from '../points/point.ts'
import { PointStatus } from '../points/point-value.tsx'
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

export function CommandDialog({ kind, ...props }: CommandDialogProps & { kind: CommandKind }) {
  return kind === 'write' ? <WriteDialog {...props} /> : <ClearDialog {...props} />
}

const unitsOf = ({ kind, units }: Point) => (kind === 'Numeric' ? units : '')
const readText = (point: Point, { value }: LiveValue) => withUnits(valueText(point, value), unitsOf(point))

function WriteDialog({ deviceIds, deviceName, point, live, onClose }: CommandDialogProps) {
  const [text, setText] = useState('')
  const { state, run } = useCommand(deviceIds, point.cloudId)
  const lastValue = ('last' in state ? state.last : null) ?? live
  const units = unitsOf(point)
  const currentText = withUnits(
    lastValue && lastValue.value !== null ? valueText(point, lastValue.value) : point.out.value || '–',
    units
  )
  const parsed = readWritten(point, text)
  const newValue = 'value' in parsed ? parsed.value : null
  return (
    <CommandModal
      title={`Write ${point.displayName}`}
      state={state}
      sendLabel="Write"
      ready={newValue !== null}
      taken={(last) => `the device reads ${readText(point, last)}.`}
      notTaken={(last) => `the device still reads ${readText(point, last)}.`}
      onSend={() =>
        newValue !== null &&
        void run(
          (signal) => sendCommand(deviceIds, 'write', { cloudId: point.cloudId, value: newValue }, signal),
          ({ value }) => isTaken(point, newValue, value)
        )
      }
      onClose={onClose}
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
  children: ReactNode
}

function CommandModal(props: CommandModalProps) {
  const { title, role, state, sendLabel, ready, taken, notTaken, onSend, onClose, children } = props
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
