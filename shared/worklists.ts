// The lists behind the counts of the start page, over all customers.
import { ATTENTION, type AttentionKind } from './attention.ts'
import { ENDED_DAYS } from './devices.ts'
import { EXPIRY_WARNING_DAYS } from './limits.ts'
import type { Action } from './permissions.ts'

/** Maximum number of rows per customer, of services that have ended and of those that end each: more than a person looks through. */
export const WORKLIST_ROWS_MAX = 500
/** Services that end later are in no list. */
export const WORKLIST_DAYS_MAX = 90
/** Filters by days until the end of a service. */
export const WORKLIST_DAYS = [ENDED_DAYS, EXPIRY_WARNING_DAYS, WORKLIST_DAYS_MAX] as const

interface Worklist {
  /** The counts whose devices it lists. */
  kinds: readonly AttentionKind[]
  /** The actions that a person needs at a customer to see its rows. */
  actions: readonly Action[]
  /** The order of a list that nobody has sorted: the most urgent first. */
  order: { sort: string; order: 'asc' | 'desc' }
}

const actionsFor = (kind: AttentionKind) => [ATTENTION[kind].action, 'devices:view'] as const

export const WORKLISTS = {
  services: {
    kinds: ['servicesEnded', 'servicesEnding'],
    actions: actionsFor('servicesEnded'),
    order: { sort: 'endDate', order: 'asc' }
  },
  plans: {
    kinds: ['plansExceeded', 'plansWarning'],
    actions: actionsFor('plansExceeded'),
    order: { sort: 'percent', order: 'desc' }
  },
  backups: {
    kinds: ['withoutBackup'],
    actions: actionsFor('withoutBackup'),
    order: { sort: 'lastBackup', order: 'asc' }
  }
} as const satisfies Record<string, Worklist>

export type WorklistName = keyof typeof WORKLISTS
export const WORKLIST_NAMES = Object.keys(WORKLISTS) as WorklistName[]
