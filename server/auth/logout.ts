// Signs out. Ends the session first, so that no later failure can keep the session alive, and calls the Remote host and the
// authority in the background.
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import type { Audit } from '../observability/audit.ts'
import type { Log } from '../types.ts'
import type { Authority } from './authority/oidc-client.ts'
import type { Session, SessionStore } from './sessions/store.ts'

const REMOTE_LOGOUT_PATH = '/noproxy/bearer-logout'
const REMOTE_TIMEOUT_MS = 3_000
/** Maximum wait for the authority's sign-out address, which only the first sign-out after a start fetches. */
const ADDRESS_WAIT_MS = 800
/** Delays before the retries of a failed call. */
const RETRY_AFTER_MS = [1_000, 10_000]

/** Ends a session everywhere. Returns the address at which the browser ends its session at the authority. */
export type SignOut = (session: Session) => Promise<string>

interface Options {
  config: Config
  sessions: Pick<SessionStore, 'remove'>
  authority: Pick<Authority, 'revoke' | 'endSessionUrl'>
  audit: Audit
  log: Log
  pause?: (ms: number) => Promise<unknown>
}

export function createSignOut({
  config,
  sessions,
  authority,
  audit,
  log,
  pause = (ms) => wait(ms, undefined, { ref: false })
}: Options): SignOut {
  /** Whether the Remote host accepted the sign-out. */
  async function signOutOfRemote(accessToken: string): Promise<boolean> {
    if (!config.REMOTE_URL) return true
    const answer = await fetch(config.REMOTE_URL + REMOTE_LOGOUT_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(REMOTE_TIMEOUT_MS),
      redirect: 'error'
    })
    await answer.body?.cancel()
    return answer.ok
  }

  async function retry(call: () => Promise<boolean>, { data }: Session, outcome: string): Promise<void> {
    for (const ms of [...RETRY_AFTER_MS, null]) {
      const succeeded = await call().catch((err) => {
        log.warn({ err }, outcome)
        return false
      })
      if (succeeded) return
      if (ms !== null) await pause(ms)
    }
    audit({ event: 'sign-out', userId: data.user.id, outcome })
  }

  return async (session) => {
    await sessions.remove(session.id)
    const { tokens, data } = session
    void retry(() => signOutOfRemote(tokens.access), session, 'sign-out of the Remote host failed')
    void retry(
      () => authority.revoke(tokens, data.furtherRefresh),
      session,
      'revocation of the tokens failed'
    )
    const address = await Promise.race([authority.endSessionUrl(tokens), pause(ADDRESS_WAIT_MS)])
    return typeof address === 'string' ? address : `${config.PUBLIC_URL}/signed-out`
  }
}
