// One reading for all replicas. A replica reads a part of a customer only while it has the lease for it, and tells the others
// the counts, their tag and their time; those who are asked for more read it themselves. Redis stores nothing of a customer:
// leases have hashed names, and messages are encrypted. Without Redis, each replica reads for itself.
import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ReplicaMessages } from '../../replica-messages.ts'
import type { Change, Leases, MessageEncryption } from '../../types.ts'
import type { Readings } from './customer-readings.ts'
import { PARTS, type Part, type PartRow, type Told } from './parts.ts'

/** Changes with the format of messages, so that replicas of different versions ignore each other's. */
const VERSION = 2
const LEASES_MAX = 50_000
/** More than any message has. */
const MESSAGE_CHARS_MAX = 8_192

/** What another replica has told. */
export type Heard = {
  [P in Part]: { customerId: string; visibility: string; part: P; value: Told[P] }
}[Part]

export interface HeardChange {
  /** Equal on all replicas. */
  id: string
  customerId: string
  change: Change
}

interface Options {
  leases: Leases
  messages: Pick<ReplicaMessages, 'topic' | 'isReceiving'>
  /** The encryption of the messages of a topic. */
  encryptionOf: (topic: string) => MessageEncryption
}

export type Share = ReturnType<typeof createShare>

export function createShare({ leases, messages, encryptionOf }: Options) {
  const owner = randomUUID()
  /** Keys of leases that this replica has taken, while they last. */
  const taken = new LRUCache<string, true>({ max: LEASES_MAX })
  const keyOf = (name: string) => hash('sha256', `reading of ${name}`, 'base64url')
  const releaseKey = (key: string) => {
    if (taken.delete(key)) leases.releaseLease(key, owner).catch(() => {})
  }

  /** Ignores messages that are broken, of another version or topic, or of somebody without the secrets. */
  function topicOf<T>(name: 'readings' | 'changes', isValid: (value: T) => boolean) {
    const topic = messages.topic(name)
    const encryption = encryptionOf(name)
    const decoded = (message: string): T | null => {
      if (message.length > MESSAGE_CHARS_MAX) return null
      try {
        const [version, value] = JSON.parse(encryption.decrypt(message) ?? '[]')
        return version === VERSION && value && isValid(value) ? value : null
      } catch {
        return null
      }
    }
    return {
      publish: (value: T) => topic.publish(encryption.encrypt(JSON.stringify([VERSION, value]))),
      onMessage: (listener: (value: T) => void) =>
        topic.onMessage((message) => {
          const value = decoded(message)
          if (value !== null) listener(value)
        })
    }
  }

  const readings = topicOf<Heard>(
    'readings',
    ({ part, value }) => Object.hasOwn(PARTS, part) && Boolean(value)
  )
  const changes = topicOf<HeardChange>('changes', ({ id, customerId }) => Boolean(id && customerId))

  return {
    /**
     * Whether this replica is to read now: it gets the lease for `ms` milliseconds, or the other replicas cannot be heard.
     * Never rejects.
     */
    async take(name: string, ms: number): Promise<boolean> {
      if (!messages.isReceiving()) return true
      const key = keyOf(name)
      const lasting = Math.ceil(ms)
      try {
        const isTaken =
          (taken.has(key) && (await leases.renewLease(key, owner, lasting))) ||
          (await leases.takeLease(key, owner, lasting))
        if (isTaken) taken.set(key, true, { ttl: lasting })
        else taken.delete(key)
        return isTaken
      } catch {
        return true
      }
    },
    /** Lets another replica read at once, if this one has the lease. Never rejects. */
    release: (name: string): void => releaseKey(keyOf(name)),
    /** Lets other replicas read at once what this one was reading. Never rejects. */
    close(): void {
      for (const key of [...taken.keys()]) releaseKey(key)
    },
    /** Tells the other replicas what has been read. */
    publish: readings.publish,
    onReading: readings.onMessage,
    publishChange: changes.publish,
    onChange: changes.onMessage
  }
}

/** The readings with what another replica has read; the same ones if that is older. */
export function withHeard(previous: Readings, { part, value }: Heard, nowMs: number): Readings {
  const row = PARTS[part] as PartRow<unknown>
  const { [part]: _away, ...awayAt } = previous.awayAt ?? {}
  const taken = row.heard(value, previous)
  if (row.freshMs === 'live') return { ...previous, ...taken, awayAt }
  return Object.keys(taken).length === 0 ? previous : { ...previous, ...taken, awayAt, heardAt: nowMs }
}
