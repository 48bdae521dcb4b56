import { useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { count } from '../../lib/format.ts'
import { refusalText } from '../../lib/http/api-error.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../ui/dialog/note-dialog.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import type { DeviceName } from '../devices/api.ts'
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
    const own = alarms.filter(({ deviceId }) => deviceId === refusal.deviceId)
    const [first] = own
    if (!first) return []
    const { deviceName = refusal.deviceId, projectName = null } = nameOf(first) ?? {}
    return [{ ...refusal, deviceName, projectName, alarms: own }]
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

/** Acknowledges a single alarm at once and opens only on failure. Asks before acknowledging several. */
function AcknowledgeDialog({ dialog, nameOf, onSend, onClose, onDone }: AlarmDialogsProps) {
  const [asks, setAsks] = useState(dialog.alarms.length > 1)
  const [failure, setFailure] = useState<string | null>(null)
  const [left, setLeft] = useState(dialog.alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  const devices = byDevice(left).length
  const [first] = left

  async function send() {
    setFailure(null)
    const results = await onSend(left)
    const refusals = refusedOf(results ?? [], left, nameOf)
    const kept = refusals.flatMap(({ alarms }) => alarms)
    const done = left.filter((alarm) => !kept.includes(alarm))
    onDone(done)
    if (refusals.length === 0) {
      onClose()
      const sent = `${count(done.length, 'alarm')} sent for acknowledgement. The device confirms in a moment.`
      toasts.info(results ? sent : LOST)
      return
    }
    setRefused(refusals)
    setLeft(kept)
  }

  const sendAtOnce = useEffectEvent(async () => {
    if (asks) return
    await send().catch((error) => setFailure(failureText(error)))
    setAsks(true)
  })
  useEffect(() => void sendAtOnce(), [])
  if (!asks) return null

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
      failureText={failureText}
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
          {devices === 1 ? 'The device records' : `${devices} devices record`} that somebody has seen{' '}
          {left.length === 1 ? 'it' : 'them'}. This does not change the cause.
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
  const [left, setLeft] = useState(alarms)
  const [refused, setRefused] = useState<Refused[]>([])
  return (
    <NoteDialog
      title={
        left.length === 1 ? `Note on the alarm of ${left[0]?.sourceName}` : `Note on ${left.length} alarms`
      }
      saveLabel={refused.length > 0 ? 'Try again' : 'Add note'}
      failureText={refusalText}
      onClose={onClose}
      onSave={async (notes) => {
        const refusals = refusedOf(await addNote(customerId, byDevice(left), notes), left, nameOf)
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
