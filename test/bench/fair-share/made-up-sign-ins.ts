// One address sends 299 sign-in callbacks with made-up codes at a time, while the provider takes three seconds to refuse a code.
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type FakeAuthority, startFakeAuthority } from '#test/support/fake-authority.ts'
import { CLIENT } from '#test/support/fake-tokens.ts'
import { quantile, table } from '../figures.ts'
import { type Others, othersOf, othersTable, takeRounds } from '../frame.ts'
import { FIRST_WITH_OWN_ROLES } from '../programs/person.ts'
import { type Case, OTHERS_GOAL, RATE, ROUNDS_MIN, type Setup, withGateway } from './case.ts'

const CALLBACKS_AT_ONCE = 299
const REFUSED_AFTER_MS = 3_000
const SECONDS = 15
const HONEST_EVERY_MS = 500
/** Pause after a refusal at once: calls without a pause would only measure how fast a server refuses calls. */
const PAUSE_MS = 3_000
const HONEST_GOAL_MS = 3_000
const ATTACKER = '192.0.2.1'
/** The load generator's address, which stands for a proxy that names the addresses of people. */
const PROXY = '127.0.0.1'

const KINDS = ['quiet', 'without an attempt', 'with begun attempts'] as const
type Kind = (typeof KINDS)[number]

interface Figures extends Others {
  /** Milliseconds of each honest sign-in, from its begin to its end. */
  honestMs: number[]
  honestFailed: number
  callbacks: number
}

export const madeUpSignIns: Case = { name: 'made-up sign-ins', share: 3, measure }

async function measure(setup: Setup, seconds: number): Promise<string> {
  const { bench, load } = setup
  const authority = await startFakeAuthority(bench)
  authority.changes.instead = {
    async token(request, response, form) {
      if (form.get('code')?.startsWith('made-up')) await wait(REFUSED_AFTER_MS)
      await authority.normal.token(request, response, form)
    }
  }
  const settings = {
    OIDC_ISSUER: authority.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    TRUST_PROXY: PROXY
  }
  const take = (kind: Kind) =>
    withGateway(
      setup,
      async ({ origin }): Promise<Figures> => {
        const aborter = new AbortController()
        const figures = { honestMs: [] as number[], honestFailed: 0, callbacks: 0 }
        const attacks = Array.from({ length: kind === 'quiet' ? 0 : CALLBACKS_AT_ONCE }, () =>
          keepAttacking(origin, kind, authority, figures, aborter.signal)
        )
        const honest = keepSigningIn(origin, authority, figures, aborter.signal)
        const others = othersOf(await load.paced(origin, RATE, SECONDS))
        aborter.abort()
        await Promise.all([...attacks, honest])
        return { ...others, ...figures }
      },
      settings
    )
  const rounds = await takeRounds(KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const rows = KINDS.map((kind) => {
    const turns = rounds.map((round) => round[kind])
    const ms = turns.flatMap(({ honestMs }) => honestMs)
    const sum = (of: (figures: Figures) => number) => turns.reduce((total, turn) => total + of(turn), 0)
    return [
      kind,
      ms.length,
      quantile(ms, 0.5).toFixed(0),
      quantile(ms, 1).toFixed(0),
      sum(({ honestFailed }) => honestFailed),
      sum(({ callbacks }) => callbacks)
    ]
  })
  const head = [
    'honest sign-ins of another address',
    'done',
    'median ms',
    `slowest ms (goal ${HONEST_GOAL_MS})`,
    'failed',
    'made-up callbacks'
  ]
  const title = `${CALLBACKS_AT_ONCE} made-up callbacks at a time: others' proxied calls, ${RATE}/s`
  return `${othersTable(title, OTHERS_GOAL, KINDS, rounds)}\n\n${table(head, rows)}`
}

async function keepSigningIn(
  origin: string,
  authority: FakeAuthority,
  figures: Pick<Figures, 'honestMs' | 'honestFailed'>,
  signal: AbortSignal
): Promise<void> {
  const running: Promise<void>[] = []
  while (!signal.aborted) {
    const subject = String(FIRST_WITH_OWN_ROLES + 300 + running.length)
    running.push(signIn(subject, `198.51.100.${1 + (running.length % 250)}`))
    await wait(HONEST_EVERY_MS)
  }
  await Promise.all(running)

  async function signIn(subject: string, address: string): Promise<void> {
    const startedAt = performance.now()
    const attempt = await begin(origin, address)
    const query = attempt && authority.authorize(attempt.location, subject)
    const location = attempt && (await finish(origin, `${query}`, attempt.cookie, address))
    if (location === '/' || location === `${origin}/`) figures.honestMs.push(performance.now() - startedAt)
    else figures.honestFailed += 1
  }
}

async function keepAttacking(
  origin: string,
  kind: Kind,
  authority: FakeAuthority,
  figures: Pick<Figures, 'callbacks'>,
  signal: AbortSignal
): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const attempt =
      kind === 'with begun attempts' ? await begin(origin, ATTACKER) : { location: '', cookie: '' }
    if (attempt === null) {
      await wait(PAUSE_MS)
      continue
    }
    const state = URL.parse(attempt.location)?.searchParams.get('state') ?? `made-up-${number}`
    const query = new URLSearchParams({ code: `made-up-${number}`, state, iss: authority.issuer })
    await finish(origin, `${query}`, attempt.cookie, ATTACKER)
    figures.callbacks += 1
    if (kind === 'without an attempt') await wait(PAUSE_MS)
  }
}

/** Begins a sign-in. Null if the gateway refuses, or cannot be reached. */
async function begin(origin: string, address: string): Promise<{ location: string; cookie: string } | null> {
  const headers = await headersOf(`${origin}/auth/login`, { 'x-forwarded-for': address })
  const [cookie = ''] = String(headers['set-cookie'] ?? '').split(';')
  return cookie === '' ? null : { location: String(headers.location), cookie }
}

/** Sends a callback. Returns where it leads. */
async function finish(origin: string, query: string, cookie: string, address: string): Promise<string> {
  const headers = await headersOf(`${origin}/callback?${query}`, { cookie, 'x-forwarded-for': address })
  return String(headers.location)
}

/** The headers of the answer; none if there is no answer. */
async function headersOf(url: string, headers: Record<string, string>): Promise<IncomingHttpHeaders> {
  try {
    const answer = await request(url, { headers })
    await answer.body.dump()
    return answer.headers
  } catch {
    return {}
  }
}
