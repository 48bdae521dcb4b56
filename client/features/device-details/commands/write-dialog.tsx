import { useState } from 'react'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { SelectField, TextField } from '../../../ui/input/field.tsx'
import { isTaken, type Point, readWritten, valueText, withUnits } from '../../points/point.ts'
import { PointStatus } from '../../points/point-value.tsx'
import { type DevicePlace, type LiveValue, writeValue } from '../api.ts'
import { CommandOutcome } from './command-outcome.tsx'
import { lastReading, useCommand } from './use-command.ts'

interface WriteDialogProps {
  place: DevicePlace
  deviceName: string
  point: Point
  live: LiveValue | undefined
  onClose: () => void
}

/** Writes a value and says whether the device took it. */
export function WriteDialog({ place, deviceName, point, live, onClose }: WriteDialogProps) {
  const [text, setText] = useState('')
  const { state, run } = useCommand(place, point.cloudId)
  const reading = lastReading(state) ?? live
  const now = {
    text: reading && reading.value !== null ? valueText(point, reading.value) : point.out.value || '–',
    flags: reading?.flags ?? point.out.flags
  }
  const units = point.kind === 'Numeric' ? point.units : ''
  const read = readWritten(point, text)
  const wanted = 'value' in read ? read.value : null
  const busy = state.step === 'sending' || state.step === 'reading'
  const done = state.step === 'taken'
  const refused = state.step === 'refused' && state.final
  const ready = wanted !== null && !busy && !done && !refused

  function write() {
    if (!ready || wanted === null) return
    void run(
      (signal) => writeValue(place, point.cloudId, wanted, signal),
      (reading) => isTaken(point, wanted, reading.value)
    )
  }

  const named = wanted === null ? null : withUnits(valueText(point, wanted), units)
  return (
    <Modal title={`Write ${point.displayName}`} onClose={onClose} onEnter={write}>
      <div className="modal-body">
        <div className="modal-text write-now">
          <span>
            Now <strong>{withUnits(now.text, units)}</strong>
          </span>
          <PointStatus flags={now.flags} />
        </div>
        <WriteField
          point={point}
          text={text}
          problem={'problem' in read ? read.problem : null}
          onChange={setText}
        />
        {named !== null && !done && (
          <p className="write-sentence" role="status">
            Set <em>{point.displayName}</em> from {withUnits(now.text, units)} to <strong>{named}</strong> on{' '}
            {deviceName}
            {'rounded' in read && ' (rounded as the point shows it)'}
          </p>
        )}
        <CommandOutcome
          state={state}
          taken={(last) => `Confirmed: the device reads ${withUnits(valueText(point, last.value), units)}.`}
          notTaken={(last) =>
            last
              ? `Not confirmed: the device still reads ${withUnits(valueText(point, last.value), units)}.`
              : 'Not confirmed: the device could not be read.'
          }
          onRetry={write}
        />
      </div>
      <div className="modal-actions">
        <button type="button" className="button" onClick={onClose}>
          {done || refused ? 'Close' : 'Cancel'}
        </button>
        {!done && !refused && (
          <button
            type="button"
            className="button primary"
            aria-disabled={!ready}
            aria-busy={busy}
            onClick={write}
          >
            {state.step === 'ready' ? 'Write' : busy ? 'Writing…' : 'Write again'}
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
  if (kind === 'Boolean')
    return (
      <SelectField
        {...shared}
        placeholder="Choose a value"
        data-autofocus
        options={[
          { value: 'true', label: trueText },
          { value: 'false', label: falseText }
        ]}
      />
    )
  if (kind === 'Enum')
    return (
      <SelectField
        {...shared}
        placeholder="Choose a value"
        data-autofocus
        options={texts.map(({ ordinal, text: name }) => ({ value: String(ordinal), label: name }))}
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
