// Finds out whether another replica has other session secrets, with which people are signed out at every other call. Compares keyed
// hashes over Redis, from which no secret can be computed.
import { createHmac } from 'node:crypto'
import type { Log } from '../types.ts'
import type { SessionBackend } from './sessions/backend.ts'

const COMPARE_EVERY_MS = 20_000
/** A replica that has stopped is forgotten after this time. */
const KNOWN_MS = 3 * COMPARE_EVERY_MS
const NAME = 'secrets-fingerprint'

export interface SecretsWatch {
  /** Whether the replica that compared before this one has other secrets. */
  differ: () => boolean
  /** Never rejects. */
  compare: () => Promise<void>
  close: () => void
}

/** Compares every 20 seconds, from the first call of `compare` on. */
export function createSecretsWatch(
  backend: Pick<SessionBackend, 'recall' | 'remember'>,
  secrets: readonly string[],
  log: Log
): SecretsWatch {
  const fingerprint = fingerprintOf(secrets)
  let differ = false
  let timer: NodeJS.Timeout | undefined

  async function compare(): Promise<void> {
    timer ??= setInterval(compare, COMPARE_EVERY_MS).unref()
    try {
      const lastFingerprint = await backend.recall(NAME)
      const differed = differ
      differ = lastFingerprint !== null && lastFingerprint !== fingerprint
      if (differ && !differed)
        log.warn('another replica has other SESSION_SECRETS: give all replicas the same, in the same order')
      await backend.remember(NAME, fingerprint, KNOWN_MS)
    } catch {
      // The session store reports failures of Redis.
    }
  }

  return { differ: () => differ, compare, close: () => clearInterval(timer) }
}

/** @param secrets each has at least 32 characters, so that nobody can find it by trying */
function fingerprintOf(secrets: readonly string[]): string {
  const hashes = secrets.map((secret) => createHmac('sha256', secret).update(NAME).digest('base64url'))
  return hashes.map((hash) => hash.slice(0, 16)).join('.')
}
