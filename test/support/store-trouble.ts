// Calls to a portal whose session store fails.
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { callWith, type FakeAuthority } from './fake-authority.ts'
import { openRedis } from './redis-server.ts'
import { createStopwatch } from './stopwatch.ts'

export const ME = '/api/v2/management/myUser'
/** Time limit of an immediate answer: the gateway's Redis timeout is half a second, and the machine may be busy. */
export const AT_ONCE_MS = 5000
export const BACK_WITHIN_MS = 30_000
export const NEED_SESSION: [method: string, path: string][] = [
  ['GET', ME],
  ['GET', '/api/portal/v1/bootstrap'],
  ['GET', '/auth/session'],
  ['POST', '/auth/session/renew'],
  ['POST', '/auth/logout']
]

export async function backendAt(t: Test, env: Record<string, string>): Promise<SessionBackend> {
  const backend = createRedisBackend(await openRedis(env))
  t.teardown(() => backend.close())
  return backend
}

export async function portalAt(t: Test, fake: FakeAuthority, env: Record<string, string>): Promise<Portal> {
  return startPortal(t, {
    env: { ...fake.env, ...env },
    backend: await backendAt(t, env),
    secrets: [randomBytes(32).toString('base64')]
  })
}

const measure = createStopwatch()

export interface Answered {
  status: number
  ms: number
  headers: Headers
  text: string
}

export async function timed(portal: Portal, cookie: string, path: string, method = 'GET'): Promise<Answered> {
  const elapsedMs = measure()
  const answer = await callWith(cookie, portal.url, path, { method })
  const text = await answer.text()
  return { status: answer.status, ms: elapsedMs(), headers: answer.headers, text }
}

/** Checks that the gateway answers 503 at once, keeps the cookie and tells nothing about Redis. */
export function checkUnavailable(t: Test, name: string, { status, ms, headers, text }: Answered): void {
  t.equal(status, 503, `${name}: ${text}`)
  t.ok(ms < AT_ONCE_MS, `answers at once (${Math.round(ms)} ms)`)
  t.match(headers.get('content-type'), 'application/problem+json')
  t.ok(headers.get('retry-after'))
  t.strictSame(headers.getSetCookie(), [], 'does not clear the cookie')
  t.notMatch(text, /ECONN|127\.0\.0\.1|READONLY|CLUSTERDOWN|ioredis|timed out/i)
}
