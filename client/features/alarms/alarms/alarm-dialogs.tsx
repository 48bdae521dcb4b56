import { useCallback, useLayoutEffect, useRef, useState } from 'react'
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

/** Shows which alarms a command did not reach. `retry` sends it to them again. */
type ShowFailure = (dialog: OpenDialog, retry: () => void) => void

interface AlarmDialogsProps {
  dialog: OpenDialog
  onSend: Send
  onNote: AlarmNotes<AlarmOfCustomer>['send']
  onFailed: ShowFailure
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

/** The open dialog of a board. A failed command opens one, or shows a message. */
export function useAlarmDialog() {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const isFree = useRef(false)
  useLayoutEffect(() => {
    isFree.current = dialog === null
    return () => {
      isFree.current = false
    }
  }, [dialog])
  // An answer may come late. Another dialog must stay, and a board that the person has left shows none.
  const showFailure: ShowFailure = (failed, retry) => {
    if (isFree.current) setDialog(failed)
    else toasts.failed(failedText(failed), { label: 'Retry', onAct: retry })
  }
  return { dialog, setDialog, showFailure }
}

interface AcknowledgeAtOnceOptions {
  onSend: Send
  onFailed: ShowFailure
  /** Says what has happened, where it covers nothing: messages of many alarms would cover the next ticks. */
  onSay: (text: string) => void
  onDone: (alarms: readonly AlarmOfCustomer[]) => void
}

/** Returns a function that acknowledges one alarm without a question. */
export function useAcknowledgeAtOnce(options: AcknowledgeAtOnceOptions): (alarm: AlarmOfCustomer) => void {
  const latestOptions = useRef(options)
  latestOptions.current = options
  return useCallback((alarm) => void acknowledgeAtOnce(alarm, latestOptions.current), [])
}

async function acknowledgeAtOnce(alarm: AlarmOfCustomer, options: AcknowledgeAtOnceOptions): Promise<void> {
  const { onSend, onFailed, onSay, onDone } = options
  const dialog = { kind: 'acknowledge', alarms: [alarm] } as const
  const retry = () => void acknowledgeAtOnce(alarm, { ...options, onSay: toasts.info })
  try {
    const { refusals, isLost } = await onSend([alarm])
    if (refusals.length > 0) return onFailed({ ...dialog, refusals }, retry)
    onDone([alarm])
    if (isLost) toasts.info(sentText(1, isLost))
    else onSay(sentText(1, isLost))
  } catch (error) {
    onFailed({ ...dialog, failure: failureText(error) }, retry)
  }
}

function sentText(alarmCount: number, isLost: boolean): string {
  return isLost
    ? 'The answer was lost. The list shows within a minute whether the device confirms.'
    : `${count(alarmCount, 'alarm')} sent for acknowledgement. The device confirms in a moment.`
}

/** “the alarm of AHU fan” or “3 alarms”. */
function subjectOf(alarms: readonly AlarmOfCustomer[]): string {
  return alarms.length === 1 ? `the alarm of ${alarms[0]?.sourceName}` : count(alarms.length, 'alarm')
}

function failedText({ kind, alarms, refusals = [], failure }: OpenDialog): string {
  const what = kind === 'note' ? 'Failed to add the note on' : 'Failed to acknowledge'
  const reasons = refusedOf(refusals, alarms).map(({ deviceName, reason }) => `${deviceName}: ${reason}`)
  return `${what} ${subjectOf(alarms)}. ${failure ?? reasons.join(' · ')}`
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

const LEFT_WHILE_SENT = {
  question: 'Leave while alarms are being sent?',
  text: 'You would not see which devices refuse. Alarms that are not sent yet are not acknowledged.'
}

/** Asks before acknowledging several alarms, and says why alarms could not be acknowledged. */
function AcknowledgeDialog({ dialog, onSend, onClose, onDone }: AlarmDialogsProps) {
  const [unsentAlarms, setUnsentAlarms] = useState(dialog.alarms)
  const [failure, setFailure] = useState(dialog.failure)
  const [refused, setRefused] = useState(() => refusedOf(dialog.refusals ?? [], dialog.alarms))
  const [run, setRun] = useState<{ sentCount: number; stop: () => void } | null>(null)
  const isPartlyDone = unsentAlarms.length < dialog.alarms.length
  const devices = byDevice(unsentAlarms).length
  // More alarms take several calls.
  const showsProgress = run !== null && unsentAlarms.length > ALARMS_PER_CALL

  async function send() {
    setFailure(undefined)
    const stopController = new AbortController()
    setRun({ sentCount: 0, stop: () => stopController.abort() })
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
      title={`Acknowledge ${subjectOf(unsentAlarms)}?`}
      confirmLabel={
        isPartlyDone || refused.length > 0
          ? `Try ${count(unsentAlarms.length, 'alarm')} again`
          : unsentAlarms.length === 1
            ? 'Acknowledge'
            : `Acknowledge ${count(unsentAlarms.length, 'alarm')}`
      }
      failureText={failureText}
      whileSending={{ ...LEFT_WHILE_SENT, discard: () => run?.stop() }}
      onConfirm={send}
      onCancel={onClose}
    >
      {showsProgress && (
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

type NoteOptions = Pick<AlarmDialogsProps, 'onNote' | 'onFailed'>

async function sendNote(alarms: readonly AlarmOfCustomer[], text: string, options: NoteOptions) {
  const { onNote, onFailed } = options
  const report = (failed: Pick<OpenDialog, 'alarms' | 'refusals' | 'failure'>) =>
    onFailed({ kind: 'note', text, ...failed }, () => void sendNote(failed.alarms, text, options))
  try {
    const { refusals, isLost } = await onNote(alarms, text)
    const refusedAlarms = refusedOf(refusals, alarms).flatMap((refused) => refused.alarms)
    if (isLost) toasts.info('The answer was lost. The alarm shows the note once the device has it.')
    if (refusedAlarms.length > 0) return report({ alarms: refusedAlarms, refusals })
    if (!isLost) toasts.ok('Note added.')
  } catch (error) {
    report({ alarms, failure: refusalText(error) })
  }
}

/** Closes at once, because the note shows in the alarm's details. It opens again with the text if a device refuses it. */
function AlarmNote({ dialog, onNote, onFailed, onClose }: AlarmDialogsProps) {
  const { alarms, refusals = [], failure, text = '' } = dialog

  return (
    <NoteDialog
      title={`Note on ${subjectOf(alarms)}`}
      draft={text}
      saveLabel={text ? 'Try again' : 'Add note'}
      failureText={refusalText}
      onClose={onClose}
      onSave={async (note) => {
        void sendNote(alarms, note, { onNote, onFailed })
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
