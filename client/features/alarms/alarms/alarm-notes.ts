import { useCallback, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { isOutcomeUnknown } from '../../../lib/http/api-error.ts'
import { useSession } from '../../../lib/session/session.ts'
import { addNote, type Refusal } from './alarm-commands.ts'

type Note = Alarm['notes'][number]

/** `sent`: the device has it, but no reading has found it yet. `unknown`: the answer was lost. */
type NoteState = 'sending' | 'sent' | 'unknown'

export interface ShownNote extends Note {
  /** Undefined for a note that a reading has found. */
  state?: NoteState
}

interface OwnNote {
  id: number
  uuid: string
  note: Note
  /** The number of notes with this text that the alarm had before. */
  equalBefore: number
  state: NoteState
}

interface NoteResult {
  refusals: Refusal[]
  /** Whether the answer was lost: the devices may have the note. */
  isLost: boolean
}

export interface AlarmNotes<A extends Alarm> {
  /** The notes of an alarm, including those that the person has just written. */
  notesOf: (alarm: Alarm) => ShownNote[]
  /** Shows a note at once, and takes it back if a device refuses it. Throws if nothing was sent. */
  send: (alarms: readonly A[], text: string) => Promise<NoteResult>
}

let lastId = 0

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

  async function send(alarms: readonly A[], text: string): Promise<NoteResult> {
    const note = { text, user: user.fullName, time: new Date(nowMs()).toISOString() }
    const added = alarms.map((alarm): OwnNote => {
      lastId += 1
      return { id: lastId, uuid: alarm.uuid, note, equalBefore: equalCount(alarm, text), state: 'sending' }
    })
    const ids = new Set(added.map(({ id }) => id))
    const change = (changed: (note: OwnNote) => OwnNote[]) =>
      setOwnNotes((before) => before.flatMap((own) => (ids.has(own.id) ? changed(own) : own)))
    setOwnNotes((before) => [...before, ...added])
    try {
      const refusals = await addNote(alarms, customerIdOf, text)
      const refusingIds = new Set(refusals.map(({ deviceId }) => deviceId))
      const refused = new Set(
        alarms.filter(({ deviceId }) => refusingIds.has(deviceId)).map(({ uuid }) => uuid)
      )
      change((own) => (refused.has(own.uuid) ? [] : [{ ...own, state: 'sent' }]))
      return { refusals, isLost: false }
    } catch (error) {
      const isUnknown = isOutcomeUnknown(error)
      change((own) => (isUnknown ? [{ ...own, state: 'unknown' }] : []))
      if (!isUnknown) throw error
      return { refusals: [], isLost: true }
    } finally {
      reload()
    }
  }

  return { notesOf, send }
}

function equalCount({ notes }: Alarm, text: string): number {
  return notes.filter((note) => note.text === text).length
}
