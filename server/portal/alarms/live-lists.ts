// The customers of an organization as callers of equal visibility see them, with those whose alarms they may see.
import { hash } from 'node:crypto'
import type { CustomerCard } from '#shared/answers/customers.ts'
import { type Assignment, holdingAt, may } from '#shared/permissions.ts'

/** Maximum number of customers whose alarms are read for a list, the first ones by name. They take turns for eleven minutes. */
const ALARM_CUSTOMERS_MAX = 1_000

export interface LiveList {
  ids: ReadonlySet<string>
  /** Changes with the customers, and with their counts of projects and devices. */
  tag: string
  /** The customers whose alarms may be seen. */
  alarmCards: readonly CustomerCard[]
  alarmIds: readonly string[]
}

export type LiveLists = ReturnType<typeof createLiveLists>

/** Returns a function that returns one object for all callers who share a list, because there may be thousands of them. */
export function createLiveLists() {
  const known = new WeakMap<readonly CustomerCard[], LiveList>()

  /** @param cards a list of portal/customer-lists.ts @param assignments the roles of a caller who shares this list */
  return (cards: readonly CustomerCard[], assignments: readonly Assignment[]): LiveList => {
    const list = known.get(cards) ?? liveListOf(cards, assignments)
    known.set(cards, list)
    return list
  }
}

function liveListOf(cards: readonly CustomerCard[], assignments: readonly Assignment[]): LiveList {
  const heldAt = holdingAt(assignments)
  const alarmCards = cards
    .filter(({ scope }) => may(heldAt(scope), 'alarms:query', scope))
    .slice(0, ALARM_CUSTOMERS_MAX)
  return {
    ids: new Set(cards.map(({ id }) => id)),
    tag: hash('sha256', JSON.stringify(cards), 'base64url'),
    alarmCards,
    alarmIds: alarmCards.map(({ id }) => id)
  }
}
