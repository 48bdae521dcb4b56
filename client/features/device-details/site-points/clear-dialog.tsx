import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useEffectEvent, useState } from 'react'
import { count } from '../../../lib/format.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { valueText, withUnits } from '../../data/points/point.ts'
import { sendCommand } from '../api.ts'
import { type CommandState, useCommand } from '../use-command.ts'
import type { SiteRow } from './site-points.ts'

interface ClearDialogProps {
  customerId: string
  rows: readonly SiteRow[]
  onClose: () => void
}

/** Clears the overrides of several points at once, and says of each whether its device has done it. */
export function ClearOverridesDialog({ customerId, rows, onClose }: ClearDialogProps) {
  const [isSent, setIsSent] = useState(false)
  /** By the key of a row: whether its override is cleared. */
  const [ended, setEnded] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isBusy = isSent && ended.size < rows.length
  const cleared = [...ended.values()].filter(Boolean).length
  const overrides = count(rows.length, 'override')
  const close = () => isBusy || onClose()
  const send = () => !isSent && setIsSent(true)
  return (
    <Modal title={`Clear ${overrides}?`} role="alertdialog" onClose={close} onEnter={send}>
      <div className="modal-body">
        <p className="modal-text">Each point returns to the value that its device sets.</p>
        <ul className="plain-list lines clear-list">
          {rows.map((row) => (
            <ClearedPoint
              key={row.key}
              customerId={customerId}
              row={row}
              isSent={isSent}
              onEnd={(isCleared) => setEnded((others) => new Map([...others, [row.key, isCleared]]))}
            />
          ))}
        </ul>
        <p role="status" className="sr-only">
          {isSent && !isBusy && `${cleared} of ${rows.length} cleared`}
        </p>
      </div>
      <div className="row modal-actions">
        <button type="button" className="button" aria-disabled={isBusy} onClick={close}>
          {isSent ? 'Close' : 'Cancel'}
        </button>
        {(!isSent || isBusy) && (
          <button
            type="button"
            className="button primary"
            data-autofocus
            aria-disabled={isBusy}
            aria-busy={isBusy}
            onClick={send}
          >
            Clear {overrides}
          </button>
        )}
      </div>
    </Modal>
  )
}

interface ClearedPointProps {
  customerId: string
  row: SiteRow
  isSent: boolean
  onEnd: (isCleared: boolean) => void
}

function ClearedPoint({ customerId, row, isSent, onEnd }: ClearedPointProps) {
  const { point, device } = row
  const deviceIds = { customerId, deviceId: device.id }
  const { state, run } = useCommand(deviceIds, point.cloudId)
  const clear = () =>
    void run(
      (signal) => sendCommand(deviceIds, 'clear', { cloudId: point.cloudId }, signal),
      ({ flags }) => !flags.includes('overridden')
    )
  const begin = useEffectEvent(clear)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isSent) begin()
  }, [isSent])
  useEffect(() => {
    if (['taken', 'not-taken', 'refused'].includes(state.step)) end(state.step === 'taken')
  }, [state.step])
  return (
    <li>
      <strong>{point.displayName}</strong> on <strong>{device.deviceName}</strong>
      <Outcome row={row} state={state} onRetry={clear} />
    </li>
  )
}

function Outcome({ row, state, onRetry }: { row: SiteRow; state: CommandState; onRetry: () => void }) {
  if (state.step === 'ready') return null
  if (state.step === 'sending') return <p className="outcome">Sending to the device…</p>
  if (state.step === 'reading') return <p className="outcome">Reading back the value…</p>
  if (state.step === 'taken') {
    const { point } = row
    const text = withUnits(valueText(point, state.last.value), point.kind === 'Numeric' ? point.units : '')
    return (
      <p className="outcome ok">
        <CircleCheck />
        <span>Cleared, the device reads {text}.</span>
      </p>
    )
  }
  const retry = (
    <button type="button" className="link-button" onClick={onRetry}>
      Retry
    </button>
  )
  if (state.step === 'refused')
    return (
      <p className="outcome danger" role="alert">
        <CircleAlert />
        <span>
          {state.reason} {!state.final && retry}
        </span>
      </p>
    )
  return (
    <p className="outcome warn">
      <CircleAlert />
      <span>
        {state.last ? 'Still overridden.' : 'The device could not be read.'}{' '}
        {state.lost && 'The answer was lost. The device may still do it. '}
        {retry}
      </span>
    </p>
  )
}
