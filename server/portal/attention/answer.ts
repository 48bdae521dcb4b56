// The counts of a list of customers as JSON. Serializes only customers whose readings have changed, because clients poll
// every few seconds and most counts stay the same.
import { hash } from 'node:crypto'
import type { CustomerCard } from '#shared/answers/customers.ts'
import { ATTENTION, ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import { type Assignment, holdingAt, may } from '#shared/permissions.ts'
import type { Readings } from '../readings/customer-readings.ts'
import type { CustomerKinds } from '../readings/next-customer.ts'
import type { AlarmState } from '../readings/reader.ts'
import { countsOf, withLast } from './counts.ts'

export type AttentionAnswer = ReturnType<typeof createAnswer>

interface Row extends CustomerKinds {
  card: CustomerCard
  readings: Readings | undefined
  alarms: AlarmState | undefined
  /** The customer as JSON. Empty until it is first serialized. */
  json: string
  /** Counts that are missing, failed, or may still grow. */
  incomplete: readonly AttentionKind[]
}

/** @param assignments the roles that decide which counts the caller may see */
export function createAnswer(cards: readonly CustomerCard[], assignments: readonly Assignment[]) {
  const heldAt = holdingAt(assignments)
  const rows = cards.map((card): Row => {
    const roles = heldAt(card.scope)
    const kinds = ATTENTION_KINDS.filter((kind) => may(roles, ATTENTION[kind].action, card.scope))
    return {
      card,
      customerId: card.id,
      kinds,
      readings: undefined,
      alarms: undefined,
      json: '',
      incomplete: []
    }
  })
  let answer: { tag: string; body: Buffer } | null = null

  return {
    customers: rows as readonly CustomerKinds[],
    /** Returns an `AttentionList` as JSON, with a tag that is equal for equal counts. */
    update(
      readingsOf: (customerId: string) => Readings | undefined,
      alarmsOf: (customerId: string) => AlarmState
    ): { tag: string; body: Buffer } {
      for (const row of rows) {
        const readings = readingsOf(row.customerId)
        const alarms = alarmsOf(row.customerId)
        if (row.json !== '' && readings === row.readings && areEqual(alarms, row.alarms)) continue
        write(row, readings, alarms)
        answer = null
      }
      answer ??= answerOf(rows)
      return answer
    }
  }
}

function answerOf(rows: readonly Row[]) {
  const partial = ATTENTION_KINDS.filter((kind) => rows.some(({ incomplete }) => incomplete.includes(kind)))
  const items = rows.map(({ json }) => json).join(',')
  const body = Buffer.from(`{"items":[${items}],"partial":${JSON.stringify(partial)}}`)
  return { tag: hash('sha256', body, 'base64url'), body }
}

const areEqual = (alarms: AlarmState, others: AlarmState | undefined): boolean =>
  alarms.delayedSince === others?.delayedSince && alarms.isRefused === others?.isRefused

function write(row: Row, readings: Readings | undefined, alarms: AlarmState): void {
  const { counts, partial } = countsOf(readings, row.kinds, alarms.delayedSince !== undefined)
  const { alarms: lastAlarms, ...last } = readings?.last ?? {}
  const usableLast = alarms.isRefused || lastAlarms === undefined ? last : { ...last, alarms: lastAlarms }
  Object.assign(row, { readings, alarms })
  row.json = JSON.stringify({ ...row.card, counts: withLast(counts, usableLast), partial })
  row.incomplete = row.kinds.filter((kind) => {
    const count = counts[kind]
    return partial.includes(kind) || !count || count.unread !== undefined
  })
}
