// Lists and ends the sessions of a person or of one session at the authority. Finds them in indexes with hashed names.
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { SESSIONS_PER_PERSON_MAX } from '../../config/settings.ts'
import type { Clock } from '../../types.ts'
import type { Encryption } from '../encryption.ts'
import type { SessionBackend, SessionEnd, SessionSummary } from './backend.ts'
import type { Browser } from './browser.ts'
import type { Records } from './record.ts'
import type { EndedFrom, SessionData } from './store.ts'

/** The indexes of sessions: by person, and by session at the authority. */
type EndedBy = 'subject' | 'authoritySession'

/** A session in the list of its person. Times in milliseconds since 1970. */
export interface PersonSession extends Required<Browser> {
  name: string
  createdAt: number
  seenAt: number
}

interface Options {
  backend: SessionBackend
  encryption: Encryption
  records: Records
  clock: Clock
  /** The end of an unused session, in milliseconds since 1970. */
  endsAt: (session: { createdAt: number; seenAt: number }) => number
  absoluteMs: number
}

/** Time during which an end of sessions is remembered: longer than the maximum duration of a sign-in. */
const ENDED_REMEMBERED_MS = 15 * 60_000

/** Maximum number of a person's sessions that are listed: enough to find the one that a further sign-in ends. */
const LISTED_MAX = SESSIONS_PER_PERSON_MAX + 1
/** Number of sessions that are ended at a time. */
const BATCH = 100
/** People whose work is remembered to run in turn. */
const PEOPLE_MAX = 1_000
/** Maximum number of reads of an index with expired sessions. Each takes up to LISTED_MAX of them out. */
const ATTEMPTS_MAX = 10

const UNKNOWN: Required<Browser> = { browser: null, system: null, network: null }

type NamedSummary = SessionSummary & { name: string }

const endedName = (alias: string) => `ended:${alias}`

export function createPersonSessions({ backend, encryption, records, clock, endsAt, absoluteMs }: Options) {
  /** The running sessions in an index, newest first and at most LISTED_MAX. Takes names of expired sessions out of it. */
  async function runningIn(index: string): Promise<NamedSummary[]> {
    for (let attempt = 1; ; attempt += 1) {
      const names = await backend.keysOf(index, LISTED_MAX)
      const summaries = await backend.summariesOf(names)
      const running = summaries.flatMap((summary, position) =>
        summary === null ? [] : { ...summary, name: names[position] ?? '' }
      )
      const expired = names.filter((_, position) => summaries[position] === null)
      await backend.leaveIndex(index, expired)
      // Expired sessions may have hidden older ones that are still running.
      const isComplete = expired.length === 0 || names.length < LISTED_MAX
      if (isComplete || attempt === ATTEMPTS_MAX)
        return running.filter((session) => endsAt(session) > clock())
    }
  }

  const limits = new LRUCache<string, LimitFunction>({ max: PEOPLE_MAX, memoMethod: () => pLimit(1) })
  /** Runs the work for one person at a time, so that many calls of one person do not delay others. */
  const inTurn = <T>(value: string, work: () => Promise<T>): Promise<T> => limits.memo(value)(work)

  async function runningOf(by: EndedBy, value: string): Promise<NamedSummary[]> {
    const lists = await Promise.all(encryption.aliases(value, by).map(runningIn))
    return lists.flat()
  }

  /** The authority knows of the ends that it reports. The other ended sessions are revoked there, which needs their records. */
  const endOf = (from: EndedFrom): SessionEnd => ({
    markedMs: absoluteMs,
    why: from,
    keepRecord: from !== 'authority'
  })

  return {
    /** Ends the session of that name if it belongs to the person. */
    async removeOne(subject: string, name: string, from: EndedFrom): Promise<boolean> {
      const aliases = encryption.aliases(subject, 'subject')
      const isOwn = await Promise.all(aliases.map((alias) => backend.isIndexed(alias, name)))
      return isOwn.includes(true) && (await backend.remove([name], endOf(from))).length > 0
    },
    /** Whether a running session belongs to that session at the authority. */
    isInUse: async (authoritySessionId: string): Promise<boolean> =>
      (await runningOf('authoritySession', authoritySessionId)).length > 0,
    /** The newest sessions of a person, at most LISTED_MAX, last used first. */
    ofPerson: (subject: string): Promise<PersonSession[]> =>
      inTurn(subject, async () => {
        const readAbout = records.aboutReader(subject)
        return (await runningOf('subject', subject))
          .toSorted((a, b) => b.createdAt - a.createdAt)
          .slice(0, LISTED_MAX)
          .map(({ about, ...session }) => ({ ...UNKNOWN, ...readAbout(about), ...session }))
          .toSorted((a, b) => b.seenAt - a.seenAt)
      }),
    /**
     * Whether `removeAll` ended the person's sessions after this sign-in had begun, so that it may have missed the new session.
     * @param begunAt milliseconds since 1970
     */
    async hasEndedSince({ subject, authoritySessionId }: SessionData, begunAt: number): Promise<boolean> {
      const endsOf = async (by: EndedBy, value: string) => {
        const reads = encryption.aliases(value, by).map((name) => backend.recall(endedName(name)))
        return (await Promise.all(reads)).filter((at) => at !== null).map(Number)
      }
      const sessionEnds =
        authoritySessionId === null ? [] : await endsOf('authoritySession', authoritySessionId)
      // Some authorities reuse the id of an ended session, so only sign-ins that began before its end are refused.
      return [...(await endsOf('subject', subject)), ...sessionEnds].some((at) => at > begunAt)
    },
    /**
     * Ends all sessions of a person, or of one session at the authority, except the named one. Works in batches, so that many
     * sessions of one person do not delay others. Returns the names of the ended sessions.
     */
    async removeAll(by: EndedBy, value: string, from: EndedFrom, except?: string): Promise<string[]> {
      // Stores the time before the search: a sign-in that stores its session after the search checks this time.
      const now = String(clock())
      const aliases = encryption.aliases(value, by)
      await Promise.all(aliases.map((alias) => backend.remember(endedName(alias), now, ENDED_REMEMBERED_MS)))
      const ended: string[] = []
      await inTurn(value, async () => {
        for (const alias of aliases) {
          for (let hasMore = true; hasMore; ) {
            const names = await backend.keysOf(alias, BATCH)
            const others = names.filter((name) => name !== except)
            ended.push(...(await backend.remove(others, endOf(from))))
            await backend.leaveIndex(alias, others)
            hasMore = names.length === BATCH
          }
        }
      })
      return ended
    }
  }
}
