// One person lists the alarms of all customers by a text, 32 calls at once, each with another keyword, so that none is answered
// from memory.
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { OrganizationAlarms } from '#shared/answers/portal.ts'
import { median, table } from '../figures.ts'
import { type Others, othersOf, othersTable, takeRounds } from '../frame.ts'
import type { Call } from '../programs/load.ts'
import { FIRST_WITH_OWN_ROLES } from '../programs/person.ts'
import { get } from '../scene.ts'
import {
  type Case,
  CUSTOMERS,
  DEVICES,
  OTHERS_GOAL,
  RATE,
  ROUNDS_MIN,
  type Setup,
  withGateway
} from './case.ts'

const MANY_CUSTOMERS = 1_000
const CALLS_AT_ONCE = 32
const SECONDS = 10
const POLL_MS = 500
const READ_WITHIN_MS = 180_000
const SORTS = ['sourceName', 'customer', 'priority', 'timestamp', 'alarmClass', 'sourceState', 'band']
const FIRST_GOAL_MS = 300
const NEXT_GOAL_MS = 10

const KINDS = ['quiet', '32 lists at once'] as const
type Kind = (typeof KINDS)[number]

interface Figures extends Others {
  lists: number
  refused: number
  /** Milliseconds of the first and of the next call of each order. */
  first: number[]
  next: number[]
  alarms: number
}

export const alarmLists: Case = { name: 'alarm lists', share: 3, measure }

async function measure(setup: Setup, seconds: number): Promise<string> {
  const { scene, load } = setup
  await scene.inventory.ask('prepareCustomers', { devices: DEVICES, customers: MANY_CUSTOMERS })
  const cookies = await scene.signIn([String(FIRST_WITH_OWN_ROLES + 200)])
  const listOf = (query: string) =>
    scene.callsOf(() => `/api/portal/v1/organizations/7/alarms?${query}`, cookies)[0] as Call
  const take = (kind: Kind) =>
    withGateway(setup, async ({ origin }): Promise<Figures> => {
      const alarms = kind === 'quiet' ? 0 : await readAll(origin, listOf('size=1'))
      const orders = kind === 'quiet' ? { first: [], next: [] } : await timeOrders(origin, listOf)
      const aborter = new AbortController()
      const counts = { lists: 0, refused: 0 }
      const listers = Array.from({ length: kind === 'quiet' ? 0 : CALLS_AT_ONCE }, (_, number) =>
        keepListing(origin, listOf, number, counts, aborter.signal)
      )
      const others = othersOf(await load.paced(origin, RATE, SECONDS))
      aborter.abort()
      await Promise.all(listers)
      return { ...others, ...counts, ...orders, alarms }
    })
  const rounds = await takeRounds(KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  await scene.inventory.ask('prepareCustomers', { devices: DEVICES, customers: CUSTOMERS })
  const attacks = rounds.map((round) => round['32 lists at once'])
  const rows = SORTS.map((sort, index) => [
    sort,
    median(attacks.map(({ first }) => first[index] ?? 0)).toFixed(0),
    median(attacks.map(({ next }) => next[index] ?? 0)).toFixed(1)
  ])
  const alarms = median(attacks.map((attack) => attack.alarms))
  const orders = table(
    [
      `order of ${alarms} alarms`,
      `first call ms (goal ${FIRST_GOAL_MS})`,
      `next call ms (goal ${NEXT_GOAL_MS})`
    ],
    rows
  )
  const sum = (of: (figures: Figures) => number) => attacks.reduce((total, attack) => total + of(attack), 0)
  const title = `alarms of ${MANY_CUSTOMERS} customers by a text: others' proxied calls, ${RATE}/s`
  return `${othersTable(title, OTHERS_GOAL, KINDS, rounds)}\n\n${orders}
Lists in ${rounds.length} attacks of ${SECONDS} s: ${sum(({ lists }) => lists)}, and ${sum(({ refused }) => refused)} refused.`
}

/** Waits until the alarms of all customers have been read. Returns their number in the list. */
async function readAll(origin: string, call: Call): Promise<number> {
  const deadline = performance.now() + READ_WITHIN_MS
  for (;;) {
    const { partial, page } = await listed(origin, call)
    if (partial.length === 0) return page.totalElements
    if (performance.now() > deadline) throw new Error(`${partial.length} customers have not been read`)
    await wait(POLL_MS)
  }
}

async function listed(origin: string, call: Call): Promise<OrganizationAlarms> {
  return JSON.parse(Buffer.from((await get(origin, call)).body).toString())
}

async function timeOrders(origin: string, listOf: (query: string) => Call) {
  const times = { first: [] as number[], next: [] as number[] }
  for (const sort of SORTS) {
    const call = listOf(`sort=${sort}&order=desc`)
    times.first.push((await get(origin, call)).ms)
    times.next.push((await get(origin, call)).ms)
  }
  return times
}

async function keepListing(
  origin: string,
  listOf: (query: string) => Call,
  number: number,
  counts: Pick<Figures, 'lists' | 'refused'>,
  signal: AbortSignal
): Promise<void> {
  for (let call = 0; !signal.aborted; call += 1) {
    const { path, headers } = listOf(`sort=sourceName&keyword=temp+${number}${call}&order=asc`)
    const { statusCode, body } = await request(origin + path, { headers })
    await body.dump()
    if (statusCode === 200) counts.lists += 1
    else counts.refused += 1
  }
}
