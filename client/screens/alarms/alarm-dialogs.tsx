import { useState } from 'react'
import { addNote, type DeviceResult } from '../../api/alarm-commands.ts'
import { failureOf } from '../../api/api-error.ts'
import type { DeviceName } from '../../api/device-names.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { NoteDialog } from '../../components/note-dialog.tsx'
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
  deviceId: string
  deviceName: string
  /** Devices of several projects may have one name. */
  projectName: string | null
  alarms: Alarm[]
  why: string
}

export function AlarmDialogs(props: AlarmDialogsProps) {
  return props.dialog.kind === 'note' ? <AlarmNote {...props} /> : <AcknowledgeDialog {...props} />
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
    const { deviceName = deviceId, projectName = null } = nameOf(first) ?? {}
    return [{ deviceId, deviceName, projectName, alarms: own, why: refusal }]
  })
}

function Refusals({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null
  return (
    <ul className="plain-list" aria-label="Devices that refused">
      {refused.map(({ deviceId, deviceName, projectName, alarms, why }) => (
        <li key={deviceId}>
          <strong>{deviceName}</strong>
          {projectName && `, ${projectName}`} ({count(alarms.length, 'alarm')}):{' '}
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

function AlarmNote({ customerId, dialog: { alarms }, nameOf, onClose, onDone }: AlarmDialogsProps) {
  const [left, setLeft] = useState(alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  return (
    <NoteDialog
      title={
        left.length === 1 ? `Note on the alarm of ${left[0]?.sourceName}` : `Note on ${left.length} alarms`
      }
      saveLabel={refused.length > 0 ? 'Try again' : 'Add note'}
      failureText={(error) => failureOf(error).text}
      onClose={onClose}
      onSave={async (notes) => {
        const results = await addNote(customerId, byDevice(left), notes)
        const refusals = refusedOf(results, left, nameOf)
        onDone([])
        setRefused(refusals)
        if (refusals.length > 0) return setLeft(refusals.flatMap((one) => one.alarms))
        onClose()
        toasts.ok('Note added.')
      }}
    >
      <Refusals refused={refused} />
    </NoteDialog>
  )
}
