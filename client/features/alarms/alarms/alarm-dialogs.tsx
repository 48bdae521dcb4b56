import { useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../../ui/dialog/note-dialog.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { DeviceName } from '../../sites/devices/api.ts'
import { byDevice } from './alarm.ts'
import { type Acknowledgements, ALARMS_PER_CALL, addNote, type Refusal } from './alarm-commands.ts'

export interface OpenDialog<A extends Alarm = Alarm> {
  kind: 'acknowledge' | 'note'
  alarms: A[]
}

interface AlarmDialogsProps<A extends Alarm> {
  dialog: OpenDialog<A>
  nameOf: (alarm: A) => DeviceName | null
  customerIdOf: (alarm: A) => string
  onSend: Acknowledgements<A>['send']
  onClose: () => void
  onDone: (alarms: readonly Alarm[]) => void
}

interface Refused<A extends Alarm> extends Refusal {
  deviceName: string
  /** Distinguishes devices with the same name. */
  projectName: string | null
  alarms: A[]
}

export function AlarmDialogs<A extends Alarm>(props: AlarmDialogsProps<A>) {
  return props.dialog.kind === 'note' ? <AlarmNote {...props} /> : <AcknowledgeDialog {...props} />
}

function refusedOf<A extends Alarm>(
  refusals: readonly Refusal[],
  alarms: readonly A[],
  nameOf: AlarmDialogsProps<A>['nameOf']
): Refused<A>[] {
  return refusals.flatMap((refusal) => {
    const deviceAlarms = alarms.filter(({ deviceId }) => deviceId === refusal.deviceId)
    const [first] = deviceAlarms
    if (!first) return []
    const { deviceName = refusal.deviceId, projectName = null } = nameOf(first) ?? {}
    return [{ ...refusal, deviceName, projectName, alarms: deviceAlarms }]
  })
}

function Refusals({ refused }: { refused: readonly Refused<Alarm>[] }) {
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
function AcknowledgeDialog<A extends Alarm>(props: AlarmDialogsProps<A>) {
  const { dialog, nameOf, onSend, onClose, onDone } = props
  const [isOpen, setOpen] = useState(dialog.alarms.length > 1)
  const [failure, setFailure] = useState<string | null>(null)
  const [unsentAlarms, setUnsentAlarms] = useState(dialog.alarms)
  const [refused, setRefused] = useState<Refused<A>[]>([])
  const [run, setRun] = useState<{ sentCount: number; stop: () => void } | null>(null)
  const isPartlyDone = unsentAlarms.length < dialog.alarms.length
  const devices = byDevice(unsentAlarms).length
  const [first] = unsentAlarms

  async function send() {
    setFailure(null)
    const stopController = new AbortController()
    // More alarms take several calls.
    const showsProgress = unsentAlarms.length > ALARMS_PER_CALL
    if (showsProgress) setRun({ sentCount: 0, stop: () => stopController.abort() })
    const { refusals, unsent, isLost } = await onSend(unsentAlarms, {
      signal: stopController.signal,
      onProgress: (sentCount) => setRun((current) => current && { ...current, sentCount })
    }).finally(() => setRun(null))
    const newlyRefused = refusedOf(refusals, unsentAlarms, nameOf)
    const remaining = new Set([...newlyRefused.flatMap(({ alarms }) => alarms), ...unsent])
    const sentAlarms = unsentAlarms.filter((alarm) => !remaining.has(alarm))
    onDone(sentAlarms)
    if (remaining.size === 0) {
      onClose()
      const sentText = `${count(sentAlarms.length, 'alarm')} sent for acknowledgement. The device confirms in a moment.`
      toasts.info(isLost ? LOST : sentText)
      return
    }
    setRefused(newlyRefused)
    setUnsentAlarms([...remaining])
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
        isPartlyDone || refused.length > 0
          ? `Try ${count(unsentAlarms.length, 'alarm')} again`
          : unsentAlarms.length === 1
            ? 'Acknowledge'
            : `Acknowledge ${unsentAlarms.length} alarms`
      }
      failureText={failureText}
      onConfirm={send}
      onCancel={onClose}
    >
      {run && (
        <div className="row spread">
          <progress
            aria-label="Acknowledging alarms"
            max={unsentAlarms.length}
            value={run.sentCount}
            className="grow"
          />
          <span role="status">
            {formatNumber(run.sentCount)} of {formatNumber(unsentAlarms.length)} sent
          </span>
          <button type="button" className="button" onClick={run.stop}>
            Stop
          </button>
        </div>
      )}
      {isPartlyDone || refused.length > 0 ? (
        <>
          <p role="status">
            {count(dialog.alarms.length - unsentAlarms.length, 'alarm')} sent.{' '}
            {refused.length > 0
              ? `${count(refused.length, 'device')} refused:`
              : `${count(unsentAlarms.length, 'alarm')} not sent yet.`}
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

function AlarmNote<A extends Alarm>(props: AlarmDialogsProps<A>) {
  const { customerIdOf, nameOf, onClose, onDone } = props
  const { alarms } = props.dialog
  const [unsentAlarms, setUnsentAlarms] = useState(alarms)
  const [refused, setRefused] = useState<Refused<A>[]>([])
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
        const refusals = refusedOf(await addNote(unsentAlarms, customerIdOf, notes), unsentAlarms, nameOf)
        onDone([])
        setRefused(refusals)
        if (refusals.length > 0) return setUnsentAlarms(refusals.flatMap((refusal) => refusal.alarms))
        onClose()
        toasts.ok('Note added.')
      }}
    >
      <Refusals refused={refused} />
    </NoteDialog>
  )
}
