// Opens what is stored of a session, and remembers it for some minutes: people make one call after another, and to
// decipher the same bytes for each costs more than to read them. The store is asked all the same, with every call:
// whether a session is alive, and which contents are its current ones, is never remembered.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../types.ts'
import type { Sealer } from './sealing.ts'
import type { StoredSession } from './session-backend.ts'
import type { SessionData, Tokens } from './session-store.ts'

/** Shared by all who read the same session, so nobody may change it. */
export interface OpenedSession {
  readonly data: SessionData
  readonly tokens: Tokens
}

export interface SessionOpener {
  /** Null when it is not ours, was changed or its secret is gone. */
  open(id: string, stored: Pick<StoredSession, 'data' | 'tokens'>): OpenedSession | null
  /** Lets go of what an ended session said. */
  forget(id: string): void
}

const REMEMBERED_MS = 5 * 60_000
/** Of stored sessions, which are as long as what they say: those of about 10,000 people at work. */
const REMEMBERED_MAX_BYTES = 32 * 1024 * 1024

export function createSessionOpener(sealer: Sealer, clock: Clock): SessionOpener {
  const remembered = new LRUCache<string, OpenedSession & { mark: string; bytes: number }>({
    maxSize: REMEMBERED_MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: REMEMBERED_MS,
    ttlAutopurge: true,
    perf: { now: clock },
    ttlResolution: 0
  })

  return {
    open(id, { data: sealedData, tokens: sealedTokens }) {
      const mark = sealer.markOf(sealedData) + sealer.markOf(sealedTokens)
      const known = remembered.get(id)
      if (known?.mark === mark) return known
      const data = sealer.open(sealedData, id, 'data')
      const tokens = sealer.open(sealedTokens, id, 'tokens')
      if (data === null || tokens === null) return null
      const opened = { data: frozen(JSON.parse(data)), tokens: frozen(JSON.parse(tokens)) }
      remembered.set(id, { ...opened, mark, bytes: sealedData.length + sealedTokens.length })
      return opened
    },
    forget: (id) => void remembered.delete(id)
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
