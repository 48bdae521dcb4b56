import { Modal } from '../../../ui/dialog/modal.tsx'
import { type Point, valueText, withUnits } from '../../points/point.ts'
import { clearValue, type DevicePlace } from '../api.ts'
import { CommandOutcome } from './command-outcome.tsx'
import { useCommand } from './use-command.ts'

interface ClearDialogProps {
  place: DevicePlace
  deviceName: string
  point: Point
  onClose: () => void
}

/** Takes back what was written, so that the device decides again. */
export function ClearDialog({ place, deviceName, point, onClose }: ClearDialogProps) {
  const { state, run } = useCommand(place, point.cloudId)
  const busy = state.step === 'sending' || state.step === 'reading'
  const done = state.step === 'taken'
  const clear = () => {
    if (busy || done) return
    void run(
      (signal) => clearValue(place, point.cloudId, signal),
      ({ flags }) => !flags.includes('overridden')
    )
  }
  const units = point.kind === 'Numeric' ? point.units : ''
  return (
    <Modal
      title={`Clear the override of ${point.displayName}?`}
      role="alertdialog"
      onClose={onClose}
      onEnter={clear}
    >
      <div className="modal-body">
        <p className="modal-text">
          <span>
            <strong>{point.displayName}</strong> on <strong>{deviceName}</strong> returns to the value that
            the device decides on.
          </span>
        </p>
        <CommandOutcome
          state={state}
          taken={(last) =>
            `Confirmed: no longer overridden, the device reads ${withUnits(valueText(point, last.value), units)}.`
          }
          notTaken={(last) =>
            last
              ? 'Not confirmed: the point is still overridden.'
              : 'Not confirmed: the device could not be read.'
          }
          onRetry={clear}
        />
      </div>
      <div className="modal-actions">
        <button type="button" className="button" onClick={onClose}>
          {done ? 'Close' : 'Keep override'}
        </button>
        {!done && (
          <button
            type="button"
            className="button primary"
            aria-disabled={busy}
            aria-busy={busy}
            onClick={clear}
          >
            {busy ? 'Clearing…' : 'Clear override'}
          </button>
        )}
      </div>
    </Modal>
  )
}
