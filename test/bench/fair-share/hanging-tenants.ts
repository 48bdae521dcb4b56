// An upstream hangs for eight people while the counts of another person are read.
import { setTimeout as wait } from 'node:timers/promises'
import type { AttentionList } from '#shared/answers/portal.ts'
import { isComplete } from '../attention.ts'
import { table } from '../figures.ts'
import { middle, type Others, othersOf, othersTable, type Rounds, takeRounds } from '../frame.ts'
import type { Call } from '../programs/load.ts'
import { FIRST_WITH_OWN_ROLES } from '../programs/person.ts'
import { get } from '../scene.ts'
import { type Case, CUSTOMERS, OTHERS_GOAL, RATE, ROUNDS_MIN, type Setup, withGateway } from './case.ts'

const TENANTS = 8
const READING_SECONDS = 25
const POLL_MS = 250
const ATTENTION = '/api/portal/v1/organizations/7/attention'

interface Reading extends Others {
  /** Customers whose counts are complete after READING_SECONDS. */
  complete: number
}

const HANG_KINDS = ['quiet', 'hangs for eight people'] as const

export const hangingTenants: Case = { name: 'hanging tenants', share: 4, measure }

async function measure(setup: Setup, seconds: number): Promise<string> {
  const { scene, load } = setup
  const people = Array.from({ length: TENANTS }, (_, index) => String(FIRST_WITH_OWN_ROLES + 1 + index))
  const tenantCalls = scene.callsOf(() => ATTENTION, await scene.signIn(people))
  const [otherCall] = scene.callsOf(() => ATTENTION)
  if (otherCall === undefined) throw new Error('nobody signed in')
  const take = async (kind: (typeof HANG_KINDS)[number]): Promise<Reading> => {
    await scene.inventory.ask('hang', { people: kind === 'quiet' ? [] : people })
    return withGateway(setup, async ({ origin }) => {
      if (kind !== 'quiet') await Promise.all(tenantCalls.map((call) => get(origin, call)))
      const startedAt = Date.now()
      const readings = pollCounts(origin, otherCall, startedAt)
      const others = othersOf(await load.paced(origin, RATE, READING_SECONDS))
      return { ...others, complete: await readings }
    })
  }
  const rounds = await takeRounds(HANG_KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const title = `an upstream hangs for ${TENANTS} people: others' proxied calls, ${RATE}/s`
  return `${othersTable(title, OTHERS_GOAL, HANG_KINDS, rounds)}\n\n${readTable(rounds)}`
}

/** Polls the counts of a person, as the start page does. Returns the number of customers that are complete at the end. */
async function pollCounts(origin: string, call: Call, startedAt: number): Promise<number> {
  let complete = 0
  while (Date.now() - startedAt < READING_SECONDS * 1000 && complete < CUSTOMERS) {
    const { items } = JSON.parse(Buffer.from((await get(origin, call)).body).toString()) as AttentionList
    complete = items.filter((item) => isComplete(item, startedAt)).length
    await wait(POLL_MS)
  }
  return complete
}

function readTable(rounds: Rounds<(typeof HANG_KINDS)[number], Reading>): string {
  const rows = HANG_KINDS.map((kind) => [
    kind,
    middle(rounds, kind, ({ complete }) => complete),
    rounds.map((round) => round[kind].complete).join(' ')
  ])
  return table(
    [`customers of another person, of ${CUSTOMERS}`, `complete in ${READING_SECONDS} s`, 'rounds'],
    rows
  )
}
