// Lists and ends the sessions of a person or of one session at the authority. Finds them in indexes with hashed names.
import type { Clock } from '../../types.ts'
import type { Encryption } from '../encryption.ts'
import type { SessionBackend } from './backend.ts'
import type { Browser } from './browser.ts'
import type { Records } from './record.ts'
import type { EndedFrom, SessionData } from './store.ts'

/** The indexes of sessions: by person, and by session at the authority. */
type EndedBy = 'subject' | 'authoritySession'

/** A session in the list of its person. Times in milliseconds since 1970. */
export interface PersonSession extends Browser {
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

const endedName = (alias: string) => `ended:${alias}`

export function createPersonSessions({ backend, encryption, records, clock, endsAt, absoluteMs }: Options) {
  async function namesOf(by: EndedBy, value: string): Promise<string[]> {
    const nameLists = await Promise.all(encryption.aliases(value, by).map((alias) => backend.keysOf(alias)))
    return [...new Set(nameLists.flat())]
  }

  return {
    /** Ends the session of that name if it belongs to the person. */
    async removeOne(subject: string, name: string, from: EndedFrom): Promise<boolean> {
      const isOwn = (await namesOf('subject', subject)).includes(name)
      return isOwn && backend.remove(name, absoluteMs, from)
    },
    /** The sessions of a person, last used first. */
    async ofPerson(subject: string): Promise<PersonSession[]> {
      const summaries = (await namesOf('subject', subject)).map(async (name) => {
        const summary = await backend.summaryOf(name)
        if (summary === null || endsAt(summary) <= clock()) return []
        const { createdAt, seenAt, about } = summary
        const browser = about ? records.openAbout(subject, about) : null
        return [{ browser: null, system: null, ...browser, name, createdAt, seenAt }]
      })
      return (await Promise.all(summaries)).flat().sort((a, b) => b.seenAt - a.seenAt)
    },
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
    /** Ends all sessions of a person, or of one session at the authority, except the named one. Returns their number. */
    async removeAll(by: EndedBy, value: string, from: EndedFrom, except?: string): Promise<number> {
      // Stores the time before the search: a sign-in that stores its session after the search checks this time.
      const now = String(clock())
      const aliases = encryption.aliases(value, by)
      await Promise.all(aliases.map((alias) => backend.remember(endedName(alias), now, ENDED_REMEMBERED_MS)))
      const names = (await namesOf(by, value)).filter((name) => name !== except)
      const results = await Promise.all(names.map((name) => backend.remove(name, absoluteMs, from)))
      return results.filter(Boolean).length
    }
  }
}
