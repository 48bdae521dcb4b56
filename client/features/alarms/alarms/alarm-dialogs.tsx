import { useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { count } from '../../../lib/format.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../../ui/dialog/note-dialog.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { DeviceName } from '../../sites/devices/api.ts'
import { byDevice } from './alarm.ts'
import { addNote, type Refusal } from './alarm-commands.ts'

export type OpenDialog = { kind: 'acknowledge' | 'note'; alarms: Alarm[] }

interface AlarmDialogsProps {
  customerId: string
  dialog: OpenDialog
  nameOf: (alarm: Alarm) => DeviceName | null
  /** Resolves to the refusals, or to null if the answer was lost. */
  onSend: (alarms: readonly Alarm[]) => Promise<Refusal[] | null>
  onClose: () => void
  onDone: (alarms: readonly Alarm[]) => void
}

interface Refused extends Refusal {
  deviceName: string
  /** Distinguishes devices with the same name. */
  projectName: string | null
  alarms: Alarm[]
}

export function AlarmDialogs(props: AlarmDialogsProps) {
  return props.dialog.kind === 'note' ? <AlarmNote {...props} /> : <AcknowledgeDialog {...props} />
}

function refusedOf(
  refusals: readonly Refusal[],
  alarms: readonly Alarm[],
  nameOf: AlarmDialogsProps['nameOf']
) {
  return refusals.flatMap((refusal): Refused[] => {
    const deviceAlarms = alarms.filter(({ deviceId }) => deviceId === refusal.deviceId)
    const [first] = deviceAlarms
    if (!first) return []
    const { deviceName = refusal.deviceId, projectName = null } = nameOf(first) ?? {}
    return [{ ...refusal, deviceName, projectName, alarms: deviceAlarms }]
  })
}

function Refusals({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null
  return (
    <ul className="lines plain-list" aria-label="Devices that refused">
      {refused.map(({ deviceId, deviceName, projectName, alarms, reason }) => (
        <li key={deviceId}>
          <strong>{deviceName}</strong>
          {projectName && `, ${projectName}`} ({count(alarms.length, 'alarm')}):{' '}
          <span className="field-error">{reason}</span>
        </li>
      ))}
    </ul>
  )
}

/** Acknowledges a single alarm at once, and opens only if this fails. Asks before acknowledging several alarms. */
function AcknowledgeDialog({ dialog, nameOf, onSend, onClose, onDone }: AlarmDialogsProps) {
  const [isOpen, setOpen] = useState(dialog.alarms.length > 1)
  const [failure, setFailure] = useState<string | null>(null)
  const [unsentAlarms, setUnsentAlarms] = useState(dialog.alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  const devices = byDevice(unsentAlarms).length
  const [first] = unsentAlarms

  async function send() {
    setFailure(null)
    const results = await onSend(unsentAlarms)
    const refusals = refusedOf(results ?? [], unsentAlarms, nameOf)
    const refusedAlarms = refusals.flatMap(({ alarms }) => alarms)
    const sentAlarms = unsentAlarms.filter((alarm) => !refusedAlarms.includes(alarm))
    onDone(sentAlarms)
    if (refusals.length === 0) {
      onClose()
      const sentText = `${count(sentAlarms.length, 'alarm')} sent for acknowledgement. The device confirms in a moment.`
      toasts.info(results ? sentText : LOST)
      return
    }
    setRefused(refusals)
    setUnsentAlarms(refusedAlarms)
  }

  const sendAtOnce = useEffectEvent(async () => {
    if (isOpen) return
    await send().catch((error) => setFailure(failureText(error)))
    setOpen(true)
  })
  useEffect(() => void sendAtOnce(), [])
  if (!isOpen) return null

  return (
    <ConfirmDialog
      title={
        unsentAlarms.length === 1
          ? `Acknowledge the alarm of ${first?.sourceName}?`
          : `Acknowledge ${unsentAlarms.length} alarms?`
      }
      confirmLabel={
        refused.length > 0
          ? `Try ${count(unsentAlarms.length, 'alarm')} again`
          : unsentAlarms.length === 1
            ? 'Acknowledge'
            : `Acknowledge ${unsentAlarms.length} alarms`
      }
      failureText={failureText}
      onConfirm={send}
      onCancel={onClose}
    >
      {refused.length > 0 ? (
        <>
          <p role="status">
            {count(dialog.alarms.length - unsentAlarms.length, 'alarm')} sent.{' '}
            {count(refused.length, 'device')} refused:
          </p>
          <Refusals refused={refused} />
        </>
      ) : (
        <p>
          {devices === 1 ? 'The device records' : `${devices} devices record`} that somebody has seen{' '}
          {unsentAlarms.length === 1 ? 'the alarm' : 'the alarms'}. This does not change the cause.
        </p>
      )}
      {failure && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </ConfirmDialog>
  )
}

const LOST = 'The answer was lost. The list shows within a minute whether the device confirms.'
const failureText = (error: unknown) => `${refusalText(error)} Nothing was acknowledged.`

function AlarmNote({ customerId, dialog: { alarms }, nameOf, onClose, onDone }: AlarmDialogsProps) {
  const [unsentAlarms, setUnsentAlarms] = useState(alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  return (
    <NoteDialog
      title={
        unsentAlarms.length === 1
          ? `Note on the alarm of ${unsentAlarms[0]?.sourceName}`
          : `Note on ${unsentAlarms.length} alarms`
      }
      saveLabel={refused.length > 0 ? 'Try again' : 'Add note'}
      failureText={refusalText}
      onClose={onClose}
      onSave={async (notes) => {
        const refusals = refusedOf(
          await addNote(customerId, byDevice(unsentAlarms), notes),
          unsentAlarms,
          nameOf
        )
        onDone([])
        setRefused(refusals)
        if (refusals.length > 0) return setUnsentAlarms(refusals.flatMap((one) => one.alarms))
        onClose()
        toasts.ok('Note added.')
      }}
    >
      <Refusals refused={refused} />
    </NoteDialog>
  )
}
