import { useCallback, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { useSession } from '../../../lib/session/session.ts'
import { addNote, type CommandResult, refusedOf } from './alarm-commands.ts'

type Note = Alarm['notes'][number]

/** `sent`: the device has it, but no reading has found it yet. `unknown`: the answer was lost. */
type NoteState = 'sending' | 'sent' | 'unknown'

export interface ShownNote extends Note {
  /** Undefined for a note that a reading has found. */
  state?: NoteState
}

interface OwnNote {
  uuid: string
  note: Note
  /** The number of notes with this text that the alarm had before. */
  equalBefore: number
  state: NoteState
}

interface NewNote<A extends Alarm> {
  alarms: readonly A[]
  note: Note
}

export interface AlarmNotes<A extends Alarm> {
  /** The notes of an alarm, including those that the person has just written. */
  notesOf: (alarm: Alarm) => ShownNote[]
  /** Shows a note at once, and takes it back if a device refuses it. Throws if nothing was sent. */
  send: (alarms: readonly A[], text: string) => Promise<CommandResult>
}

export function useAlarmNotes<A extends Alarm>(
  customerIdOf: (alarm: A) => string,
  reload: () => void
): AlarmNotes<A> {
  const { nowMs, user } = useSession()
  const [ownNotes, setOwnNotes] = useState<readonly OwnNote[]>([])

  const notesOf = useCallback(
    (alarm: Alarm): ShownNote[] => {
      const waiting = ownNotes.filter(
        ({ uuid, note, equalBefore }) => uuid === alarm.uuid && equalCount(alarm, note.text) <= equalBefore
      )
      return [...alarm.notes, ...waiting.map(({ note, state }) => ({ ...note, state }))]
    },
    [ownNotes]
  )

  const { mutateAsync } = useMutation({
    mutationFn: ({ alarms, note }: NewNote<A>) => addNote(alarms, customerIdOf, note.text),
    onMutate({ alarms, note }) {
      const added = alarms.map((alarm): OwnNote => {
        const equalBefore = equalCount(alarm, note.text)
        return { uuid: alarm.uuid, note, equalBefore, state: 'sending' }
      })
      setOwnNotes((before) => [...before, ...added])
      return () => setOwnNotes((before) => before.filter((own) => own.note !== note))
    },
    onSuccess({ refusals, isLost }, { alarms, note }) {
      const refused = new Set(refusedOf(alarms, refusals).map(({ uuid }) => uuid))
      const state = isLost ? 'unknown' : 'sent'
      setOwnNotes((before) =>
        before
          .filter((own) => own.note !== note || !refused.has(own.uuid))
          .map((own) => (own.note === note ? { ...own, state } : own))
      )
    },
    onSettled: reload
  })

  function send(alarms: readonly A[], text: string): Promise<CommandResult> {
    const note = { text, user: user.fullName, time: new Date(nowMs()).toISOString() }
    return mutateAsync({ alarms, note })
  }

  return { notesOf, send }
}

function equalCount({ notes }: Alarm, text: string): number {
  return notes.filter((note) => note.text === text).length
}
