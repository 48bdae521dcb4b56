// A service opens six streams with the token of each of 75 users, and a person with 50 sessions six with each. Then others open
// theirs.
import { setTimeout as wait } from 'node:timers/promises'
import { startFakeAuthority } from '#test/support/fake-authority.ts'
import { CLIENT } from '#test/support/fake-tokens.ts'
import { table } from '../figures.ts'
import { middle, type Others, othersOf, othersTable, takeRounds } from '../frame.ts'
import { startProgram } from '../program.ts'
import type { Call } from '../programs/load.ts'
import { FIRST_WITH_OWN_ROLES } from '../programs/person.ts'
import { type Case, DEVICES, OTHERS_GOAL, RATE, ROUNDS_MIN, type Setup, withGateway } from './case.ts'

const STREAMS = 1_000
const STREAMS_OF_PERSON_MAX = STREAMS / 10
const STREAMS_OF_SERVICE_MAX = STREAMS / 4
const PER_CALLER = 6
const USERS_OF_SERVICE = 75
const SESSIONS_OF_PERSON = 50
const OTHER_PEOPLE = 100
const SECONDS = 10
const EVENTS = `/api/portal/v1/events?customerId=c-${DEVICES}x1`

const KINDS = ['quiet', 'hoarded'] as const
type Kind = (typeof KINDS)[number]

interface Figures extends Others {
  service: number
  person: number
  otherPeople: number
}

export const hoardedStreams: Case = { name: 'hoarded streams', share: 2, measure }

async function measure(setup: Setup, seconds: number): Promise<string> {
  const { bench, scene, load } = setup
  const authority = await startFakeAuthority(bench)
  const streams = startProgram(bench, 'programs/streams.ts')
  const settings = {
    OIDC_ISSUER: authority.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_AUDIENCE: authority.audience,
    LIVE_STREAMS: `${STREAMS}`
  }
  const person = String(FIRST_WITH_OWN_ROLES + 500)
  const callsOfPerson = await callsOf(Array.from({ length: SESSIONS_OF_PERSON }, () => person))
  const callsOfOthers = await callsOf(
    Array.from({ length: OTHER_PEOPLE }, (_, number) => String(FIRST_WITH_OWN_ROLES + 600 + number))
  )

  async function callsOf(people: readonly string[]): Promise<Call[]> {
    const calls = scene.callsOf(() => EVENTS, await scene.signIn(people))
    return calls.flatMap((call) => Array.from({ length: PER_CALLER }, () => call))
  }

  function callsOfService(): Call[] {
    const tokens = Array.from({ length: USERS_OF_SERVICE }, (_, number) =>
      authority.accessToken({ sub: String(FIRST_WITH_OWN_ROLES + 800 + number), client_id: 'one-service' })
    )
    return tokens.flatMap((token) =>
      Array.from({ length: PER_CALLER }, () => ({
        path: EVENTS,
        headers: { authorization: `Bearer ${token}` }
      }))
    )
  }

  const take = (kind: Kind) =>
    withGateway(
      setup,
      async ({ origin }): Promise<Figures> => {
        const isQuiet = kind === 'quiet'
        const open = (calls: readonly Call[]) => streams.ask<number>('attempt', { origin, calls })
        const service = isQuiet ? 0 : await open(callsOfService())
        const ofPerson = isQuiet ? 0 : await open(callsOfPerson)
        const otherPeople = await open(callsOfOthers)
        await wait(1_000)
        const others = othersOf(await load.paced(origin, RATE, SECONDS))
        await streams.ask('close')
        return { ...others, service, person: ofPerson, otherPeople }
      },
      settings
    )
  const rounds = await takeRounds(KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const figure = (of: (figures: Figures) => number) => middle(rounds, 'hoarded', of)
  const rows = [
    ['a service', USERS_OF_SERVICE * PER_CALLER, figure(({ service }) => service), STREAMS_OF_SERVICE_MAX],
    ['a person', callsOfPerson.length, figure((figures) => figures.person), STREAMS_OF_PERSON_MAX],
    [
      'other people then',
      callsOfOthers.length,
      figure(({ otherPeople }) => otherPeople),
      callsOfOthers.length
    ]
  ]
  const title = `hoarded live streams: others' proxied calls, ${RATE}/s`
  return `${othersTable(title, OTHERS_GOAL, KINDS, rounds)}\n\n${table([`streams, of ${STREAMS}`, 'wanted', 'open', 'allowed'], rows)}`
}
