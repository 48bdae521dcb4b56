// A person with 10,000 sessions lists them eight times at once.
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { othersOf, othersTable, takeRounds } from '../frame.ts'
import type { Call } from '../programs/load.ts'
import { FIRST_WITH_OWN_ROLES } from '../programs/person.ts'
import { type Case, OTHERS_GOAL, RATE, ROUNDS_MIN, type Setup, withGateway } from './case.ts'

const SESSIONS = 10_000
const LISTS_AT_ONCE = 8
/** Pause after a refused list: refused calls without a pause would only measure how fast a server refuses calls. */
const REFUSED_PAUSE_MS = 100
/** Half of the minute for which calls are counted. */
const LIST_SECONDS = 30

interface Lists {
  answered: number
  refused: number
  /** Calls that failed or were answered 503. */
  failed: number
  /** The number of sessions in a list. */
  listed: number
}

const LIST_KINDS = ['quiet', 'eight lists at once'] as const

export const hoardedSessions: Case = { name: 'hoarded sessions', share: 2, measure }

async function measure(setup: Setup, seconds: number): Promise<string> {
  const { scene, load } = setup
  const person = String(FIRST_WITH_OWN_ROLES)
  const [call] = scene.callsOf(() => '/auth/sessions', await scene.signIn([person]))
  if (call === undefined) throw new Error('nobody signed in')
  await scene.hoard(person, SESSIONS)
  const lists: Lists = { answered: 0, refused: 0, failed: 0, listed: 0 }
  const take = (kind: (typeof LIST_KINDS)[number]) =>
    withGateway(setup, async ({ origin }) => {
      const aborter = new AbortController()
      const count = kind === 'quiet' ? 0 : LISTS_AT_ONCE
      const listers = Array.from({ length: count }, () => keepListing(origin, call, lists, aborter.signal))
      const answers = await load.paced(origin, RATE, LIST_SECONDS)
      aborter.abort()
      await Promise.all(listers)
      return othersOf(answers)
    })
  const rounds = await takeRounds(LIST_KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const title = `${SESSIONS} sessions of one person: others' proxied calls, ${RATE}/s`
  const { answered, refused, failed, listed } = lists
  return `${othersTable(title, OTHERS_GOAL, LIST_KINDS, rounds)}
Lists in ${rounds.length} attacks of ${LIST_SECONDS} s: ${answered} of up to ${listed} sessions, ${refused} refused with 429, ${failed} failed.`
}

async function keepListing(origin: string, call: Call, lists: Lists, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status, text } = await request(origin + call.path, { headers: call.headers }).then(
      async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }),
      () => ({ status: 0, text: '' })
    )
    if (status === 200) {
      lists.answered += 1
      lists.listed = Math.max(lists.listed, JSON.parse(text).sessions.length)
      continue
    }
    if (status === 429) lists.refused += 1
    else lists.failed += 1
    await wait(REFUSED_PAUSE_MS)
  }
}
