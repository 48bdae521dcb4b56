// A session store in memory with a movable clock, and a sample session.
import { createEncryption } from '#server/auth/encryption.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { createSessionStore, type SessionData, type Tokens } from '#server/auth/sessions/store.ts'

export const START = Date.UTC(2030, 0, 1)
export const SECRET = 'a-secret-of-more-than-thirty-two-characters'
export const LIFETIMES = { idleSeconds: 1800, absoluteSeconds: 43_200 }
export const DATA: SessionData = {
  user: {
    id: 'user-1',
    organizationId: null,
    organizationName: null,
    fullName: 'Some Body',
    email: null,
    userType: 'CUSTOMER',
    roleAssignments: []
  },
  subject: 'subject-1',
  authoritySessionId: 'sid-1'
}
export const TOKENS: Tokens = {
  access: 'access-1',
  expiresAt: START,
  renewAt: START,
  refresh: 'refresh-1',
  idToken: null
}

export function storeAt(lifetimes = LIFETIMES) {
  const time = { now: START }
  const clock = () => time.now
  const backend = createMemoryBackend(clock)
  const storeWith = (...secrets: string[]) =>
    createSessionStore(backend, createEncryption(secrets), lifetimes, clock)
  return { time, backend, storeWith, store: storeWith(SECRET) }
}
