import { useState } from 'react'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { description, lengthOf } from '#shared/validation.ts'
import { addNote, type DeviceName, type DeviceResult } from '../../api/alarms.ts'
import { failureOf } from '../../api/api-error.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { TextArea } from '../../components/field.tsx'
import { Modal } from '../../components/modal.tsx'
import { type Alarm, byDevice } from '../../lib/alarms.ts'
import { count } from '../../lib/format.ts'
import { toasts } from '../../lib/toasts.ts'

export type OpenDialog = { kind: 'acknowledge' | 'note'; alarms: Alarm[] }

interface AlarmDialogsProps {
  customerId: string
  dialog: OpenDialog
  nameOf: (alarm: Alarm) => DeviceName | null
  onSend: (alarms: readonly Alarm[]) => Promise<DeviceResult[]>
  onClose: () => void
  /** These were sent. */
  onDone: (alarms: readonly Alarm[]) => void
}

interface Refused {
  deviceName: string
  alarms: Alarm[]
  why: string
}

export function AlarmDialogs(props: AlarmDialogsProps) {
  return props.dialog.kind === 'note' ? <NoteDialog {...props} /> : <AcknowledgeDialog {...props} />
}

/** What each device that refused was asked. */
function refusedOf(
  results: readonly DeviceResult[],
  alarms: readonly Alarm[],
  nameOf: AlarmDialogsProps['nameOf']
) {
  return results.flatMap(({ deviceId, refusal }): Refused[] => {
    const own = alarms.filter((alarm) => alarm.deviceId === deviceId)
    const [first] = own
    if (refusal === null || !first) return []
    return [{ deviceName: nameOf(first)?.deviceName ?? deviceId, alarms: own, why: refusal }]
  })
}

function Refusals({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null
  return (
    <ul className="plain-list" aria-label="Devices that refused">
      {refused.map(({ deviceName, alarms, why }) => (
        <li key={deviceName}>
          <strong>{deviceName}</strong> ({count(alarms.length, 'alarm')}):{' '}
          <span className="field-error">{why}</span>
        </li>
      ))}
    </ul>
  )
}

function AcknowledgeDialog({ dialog, nameOf, onSend, onClose, onDone }: AlarmDialogsProps) {
  const [left, setLeft] = useState(dialog.alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  const devices = byDevice(left).length
  const [first] = left

  async function send() {
    const refusals = refusedOf(await onSend(left), left, nameOf)
    const kept = refusals.flatMap(({ alarms }) => alarms)
    const done = left.filter((alarm) => !kept.includes(alarm))
    onDone(done)
    if (refusals.length === 0) {
      onClose()
      toasts.info(`${count(done.length, 'alarm')} sent for acknowledgement. The device confirms in a moment.`)
      return
    }
    setRefused(refusals)
    setLeft(kept)
  }

  return (
    <ConfirmDialog
      title={
        left.length === 1
          ? `Acknowledge the alarm of ${first?.sourceName}?`
          : `Acknowledge ${left.length} alarms?`
      }
      confirmLabel={
        refused.length > 0
          ? `Try ${count(left.length, 'alarm')} again`
          : left.length === 1
            ? 'Acknowledge'
            : `Acknowledge ${left.length} alarms`
      }
      failureText={(error) => `${failureOf(error).text} Nothing was acknowledged.`}
      onConfirm={send}
      onCancel={onClose}
    >
      {refused.length > 0 ? (
        <>
          <p role="status">
            {count(dialog.alarms.length - left.length, 'alarm')} sent. {count(refused.length, 'device')}{' '}
            refused:
          </p>
          <Refusals refused={refused} />
        </>
      ) : (
        <p>
          {devices === 1 ? 'Its device is' : `${devices} devices are`} told that somebody has seen{' '}
          {left.length === 1 ? 'it' : 'them'}. The cause is not changed by that.
        </p>
      )}
    </ConfirmDialog>
  )
}

function NoteDialog({ customerId, dialog: { alarms }, nameOf, onClose, onDone }: AlarmDialogsProps) {
  const [text, setText] = useState('')
  const [left, setLeft] = useState(alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const problem = description(text)
  const ready = text.trim() !== '' && !problem && !busy

  async function save() {
    if (!ready) return
    setBusy(true)
    setFailure(null)
    try {
      const results = await addNote(customerId, byDevice(left), text.trim())
      const refusals = refusedOf(results, left, nameOf)
      const kept = refusals.flatMap((one) => one.alarms)
      onDone([])
      if (refusals.length === 0) {
        onClose()
        toasts.ok('Note added.')
        return
      }
      setRefused(refusals)
      setLeft(kept)
    } catch (error) {
      setFailure(failureOf(error).text)
    }
    setBusy(false)
  }

  return (
    <Modal
      title={
        left.length === 1 ? `Note on the alarm of ${left[0]?.sourceName}` : `Note on ${left.length} alarms`
      }
      onClose={() => busy || onClose()}
    >
      <div className="modal-body">
        <TextArea
          label="Note"
          value={text}
          onChange={setText}
          autoFocus
          error={problem}
          help={`${lengthOf(text)} of ${DESCRIPTION_MAX_CHARACTERS} characters`}
        />
        <Refusals refused={refused} />
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" onClick={() => busy || onClose()}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!ready}
          aria-busy={busy}
          onClick={() => void save()}
        >
          {refused.length > 0 ? 'Try again' : 'Add note'}
        </button>
      </div>
    </Modal>
  )
}
