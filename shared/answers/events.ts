// Schemas of the events of a live stream. Each event contains the complete present state of its subject, never a difference.
import Type, { type Static } from 'typebox'
import { countOrNull, named, oneOf, optional, text, textOrNull, time, timeOrNull } from './parts.ts'

export const AlarmsEvent = named('AlarmsEvent', {
  customerId: text(),
  count: Type.Unsafe<number | null>({
    ...countOrNull(),
    description: 'Number of alarms that need action; null until they have been read.'
  }),
  newestAt: timeOrNull('When the newest of these alarms was raised; null if there is none.'),
  tag: textOrNull('Changes with the number or one of the newest 100 alarms; null until they have been read.'),
  readAt: timeOrNull('When they were read; null until they have been read.'),
  delayedSince: optional(
    time('Since when the alarms could not be read as often as they should; absent if they can.')
  )
})
/** The alarms of a customer that need action. */
export type AlarmsEvent = Static<typeof AlarmsEvent>

export const CountsEvent = named('CountsEvent', {
  organizationId: text(),
  tag: text(
    "Changes with the organization's customers, their counts of projects and devices, or what needs attention."
  )
})
/** The customers of an organization, or their counts, have changed. */
export type CountsEvent = Static<typeof CountsEvent>

export const InventoryEvent = named('InventoryEvent', {
  customerId: text(),
  tag: text('Changes with the projects or devices of the customer.')
})
/** The projects or devices of a customer have changed. */
export type InventoryEvent = Static<typeof InventoryEvent>

export const RolesEvent = named('RolesEvent', { tag: text("Changes with the caller's roles.") })
/** The caller's roles. */
export type RolesEvent = Static<typeof RolesEvent>

/** Why a stream ends. */
const END_REASONS = ['session', 'roles', 'rotation', 'stopping', 'unavailable'] as const

export const EndEvent = named('EndEvent', {
  reason: oneOf(
    END_REASONS,
    '`session`: the session or token has ended; `roles`: the roles have changed, connect again; `rotation`: the stream has reached its longest time, connect again; `stopping`: this replica stops, connect again after `retry`; `unavailable`: rights cannot be checked at the moment, connect again after `retry`.'
  )
})
/** The last event of a stream. A stream that ends without it was cut off. */
export type EndEvent = Static<typeof EndEvent>
export type EndReason = EndEvent['reason']

const event = <N extends string, D extends Type.TSchema>(name: N, data: D) =>
  Type.Object({ event: Type.Literal(name), data })

export const LiveEvent = Type.Union(
  [
    event('alarms', AlarmsEvent),
    event('counts', CountsEvent),
    event('inventory', InventoryEvent),
    event('roles', RolesEvent),
    event('end', EndEvent)
  ],
  { $id: 'LiveEvent', description: 'The name of an event, and its `data` as JSON.' }
)
/** An event by its name. */
export type LiveEvent = Static<typeof LiveEvent>
