import { useCallback, useRef, useState } from 'react'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../../ui/dialog/note-dialog.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { byDevice } from './alarm.ts'
import { type Acknowledgements, ALARMS_PER_CALL, type Refusal } from './alarm-commands.ts'
import type { AlarmNotes } from './alarm-notes.ts'

export interface OpenDialog {
  kind: 'acknowledge' | 'note'
  alarms: readonly AlarmOfCustomer[]
  refusals?: readonly Refusal[]
  /** Why nothing could be sent. */
  failure?: string
  /** The text of a note that could not be added. */
  text?: string
}

type Send = Acknowledgements<AlarmOfCustomer>['send']

interface AlarmDialogsProps {
  dialog: OpenDialog
  onSend: Send
  onNote: AlarmNotes<AlarmOfCustomer>['send']
  /** Opens the dialog again for alarms that a command did not reach. */
  onReopen: (dialog: OpenDialog) => void
  onClose: () => void
  onDone: (alarms: readonly AlarmOfCustomer[]) => void
}

interface Refused extends Refusal {
  deviceName: string
  /** Distinguishes devices with the same name. */
  projectName: string | null
  alarms: AlarmOfCustomer[]
}

export function AlarmDialogs(props: AlarmDialogsProps) {
  return props.dialog.kind === 'note' ? <AlarmNote {...props} /> : <AcknowledgeDialog {...props} />
}

interface AcknowledgeAtOnceOptions {
  onSend: Send
  onOpen: (dialog: OpenDialog) => void
  /** Says what has happened, where it covers nothing: messages of many alarms would cover the next ticks. */
  onSay: (text: string) => void
  onDone: (alarms: readonly AlarmOfCustomer[]) => void
}

/** Returns a function that acknowledges one alarm without a question. A dialog opens only if this fails. */
export function useAcknowledgeAtOnce(options: AcknowledgeAtOnceOptions): (alarm: AlarmOfCustomer) => void {
  const latestOptions = useRef(options)
  latestOptions.current = options
  return useCallback((alarm) => void acknowledgeAtOnce(alarm, latestOptions.current), [])
}

async function acknowledgeAtOnce(
  alarm: AlarmOfCustomer,
  { onSend, onOpen, onSay, onDone }: AcknowledgeAtOnceOptions
): Promise<void> {
  const dialog = { kind: 'acknowledge', alarms: [alarm] } as const
  try {
    const { refusals, isLost } = await onSend([alarm])
    if (refusals.length > 0) return onOpen({ ...dialog, refusals })
    onDone([alarm])
    if (isLost) toasts.info(sentText(1, isLost))
    else onSay(sentText(1, isLost))
  } catch (error) {
    onOpen({ ...dialog, failure: failureText(error) })
  }
}

function sentText(alarmCount: number, isLost: boolean): string {
  return isLost
    ? 'The answer was lost. The list shows within a minute whether the device confirms.'
    : `${count(alarmCount, 'alarm')} sent for acknowledgement. The device confirms in a moment.`
}

function refusedOf(refusals: readonly Refusal[], alarms: readonly AlarmOfCustomer[]): Refused[] {
  return refusals.flatMap((refusal) => {
    const deviceAlarms = alarms.filter(({ deviceId }) => deviceId === refusal.deviceId)
    const [first] = deviceAlarms
    if (!first) return []
    const { deviceName = refusal.deviceId, projectName = null } = first.device ?? {}
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

/** Asks before acknowledging several alarms, and says why alarms could not be acknowledged. */
function AcknowledgeDialog({ dialog, onSend, onClose, onDone }: AlarmDialogsProps) {
  const [unsentAlarms, setUnsentAlarms] = useState(dialog.alarms)
  const [failure, setFailure] = useState(dialog.failure)
  const [refused, setRefused] = useState(() => refusedOf(dialog.refusals ?? [], dialog.alarms))
  const [run, setRun] = useState<{ sentCount: number; stop: () => void } | null>(null)
  const isPartlyDone = unsentAlarms.length < dialog.alarms.length
  const devices = byDevice(unsentAlarms).length
  const [first] = unsentAlarms

  async function send() {
    setFailure(undefined)
    const stopController = new AbortController()
    // More alarms take several calls.
    const showsProgress = unsentAlarms.length > ALARMS_PER_CALL
    if (showsProgress) setRun({ sentCount: 0, stop: () => stopController.abort() })
    const { refusals, unsent, isLost } = await onSend(unsentAlarms, {
      signal: stopController.signal,
      onProgress: (sentCount) => setRun((current) => current && { ...current, sentCount })
    }).finally(() => setRun(null))
    const newlyRefused = refusedOf(refusals, unsentAlarms)
    const remaining = new Set([...newlyRefused.flatMap(({ alarms }) => alarms), ...unsent])
    const sentAlarms = unsentAlarms.filter((alarm) => !remaining.has(alarm))
    onDone(sentAlarms)
    if (remaining.size === 0) {
      onClose()
      toasts.info(sentText(sentAlarms.length, isLost))
      return
    }
    setRefused(newlyRefused)
    setUnsentAlarms([...remaining])
  }

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

const failureText = (error: unknown) => `${refusalText(error)} Nothing was acknowledged.`

/** Closes at once, because the note shows in the alarm's details. It opens again with the text if a device refuses it. */
function AlarmNote({ dialog, onNote, onReopen, onClose }: AlarmDialogsProps) {
  const { alarms, refusals = [], failure, text = '' } = dialog

  async function add(note: string) {
    try {
      const { refusals: newRefusals, isLost } = await onNote(alarms, note)
      const refusedAlarms = refusedOf(newRefusals, alarms).flatMap((refused) => refused.alarms)
      if (refusedAlarms.length > 0)
        return onReopen({ kind: 'note', alarms: refusedAlarms, refusals: newRefusals, text: note })
      if (isLost) toasts.info('The answer was lost. The alarm shows the note once the device has it.')
      else toasts.ok('Note added.')
    } catch (error) {
      onReopen({ kind: 'note', alarms, failure: refusalText(error), text: note })
    }
  }

  return (
    <NoteDialog
      title={
        alarms.length === 1
          ? `Note on the alarm of ${alarms[0]?.sourceName}`
          : `Note on ${alarms.length} alarms`
      }
      draft={text}
      saveLabel={text ? 'Try again' : 'Add note'}
      failureText={refusalText}
      onClose={onClose}
      onSave={async (note) => {
        void add(note)
        onClose()
      }}
    >
      {failure && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <Refusals refused={refusedOf(refusals, alarms)} />
    </NoteDialog>
  )
}
