// The states that a live stream sends: those of a customer, and of the customers of an organization. Decides about no access:
// the stream confirms the rights before it asks for them.
import { hash } from 'node:crypto'
import type { AlarmsEvent } from '#shared/answers/events.ts'
import { problems } from '../../errors.ts'
import type { Caller } from '../../types.ts'
import { isRefusal } from '../../upstreams/transport/failures.ts'
import type { LiveList, LiveLists } from '../alarms/live-lists.ts'
import type { CustomerLists } from '../customer-lists.ts'
import type { AlarmState, Reader } from '../readings/reader.ts'
import type { Changes } from './changes.ts'
import type { State } from './stream.ts'

/** Where the states come from. */
export interface SubjectSources {
  reader: Reader
  customerLists: CustomerLists
  liveLists: LiveLists
  inventoryChanges: Changes
  countChanges: Changes
}

interface Query {
  customerId?: string
  organizationId?: string
}

export interface Subjects {
  /** Reads the customers of the organization again if the known ones are too old. Throws if the caller may not see them. */
  refresh(): Promise<void>
  /** The present states that may have changed since a reader took them. */
  present(): Iterable<State>
  close(): void
}

/** @param onChange called when a state may have changed */
export function createSubjects(
  { countChanges, customerLists, inventoryChanges, liveLists, reader }: SubjectSources,
  caller: Caller,
  { customerId, organizationId }: Query,
  onChange: () => void
): Subjects {
  const closing = new AbortController()
  let list: LiveList | undefined
  /** What may have changed of the list, so that one change does not look at a thousand customers for each stream. */
  let isListChanged = false
  let changedAlarms = new Set<string>()

  function noteListChange(id: string): void {
    if (!list?.ids.has(id)) return
    isListChanged = true
    onChange()
  }
  function noteAlarms(id?: string): void {
    if (id === undefined) changedAlarms = new Set(list?.alarmIds)
    else changedAlarms.add(id)
    onChange()
  }
  const stopListening = [
    inventoryChanges.onChange((id) => {
      if (id === customerId) onChange()
      noteListChange(id)
    }),
    countChanges.onChange(noteListChange)
  ]
  const stopCustomer =
    customerId === undefined ? undefined : reader.watchCustomer(customerId, caller, onChange)
  const watchedList =
    organizationId === undefined ? undefined : reader.watchCustomers(organizationId, caller, noteAlarms)

  function* present(): Generator<State> {
    if (customerId !== undefined) {
      const tag = inventoryChanges.tagOf([customerId])
      yield {
        subject: `inventory ${customerId}`,
        tag,
        event: { event: 'inventory', data: { customerId, tag } }
      }
      yield* alarmsOf(customerId)
    }
    if (organizationId === undefined || list === undefined) return
    if (isListChanged) {
      const tag = tagOf([list.tag, inventoryChanges.tagOf(list.ids), countChanges.tagOf(list.ids)])
      yield { subject: 'counts', tag, event: { event: 'counts', data: { organizationId, tag } } }
      isListChanged = false
    }
    // What a reader does not take remains.
    for (const id of changedAlarms) {
      if (id !== customerId) yield* alarmsOf(id)
      changedAlarms.delete(id)
    }
  }

  function* alarmsOf(id: string): Generator<State> {
    const data = alarmsEvent(id, reader.alarmsOf(id, caller))
    if (data.tag === null && data.delayedSince === undefined) return
    yield {
      subject: `alarms ${id}`,
      tag: [data.tag, data.delayedSince].join(' '),
      event: { event: 'alarms', data }
    }
  }

  return {
    async refresh() {
      if (organizationId === undefined) return
      try {
        const cards = await customerLists.of(organizationId, caller, closing.signal)
        const current = liveLists(cards, caller.user.roleAssignments)
        if (current === list) return
        list = current
        isListChanged = true
        changedAlarms = new Set(list.alarmIds)
        watchedList?.update(list.alarmIds)
      } catch (error) {
        if (isRefusal(error)) throw error
      }
    },
    present,
    close() {
      closing.abort(problems.clientGone())
      for (const stop of stopListening) stop()
      stopCustomer?.()
      watchedList?.stop()
    }
  }
}

function alarmsEvent(customerId: string, { reading, readAt, delayedSince }: AlarmState): AlarmsEvent {
  return {
    customerId,
    count: reading?.count ?? null,
    newestAt: reading?.newestAt ?? null,
    tag: reading?.tag ?? null,
    readAt: readAt === undefined ? null : new Date(readAt).toISOString(),
    ...(delayedSince === undefined ? {} : { delayedSince: new Date(delayedSince).toISOString() })
  }
}

const tagOf = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16)
