// Sign-out: the session is gone first, so that nothing after it can fail it back to life. The Remote host and the authority are
// told in the background, as well as they can be reached, while the browser learns where to go (§4, §7).
import type { Config } from '../config/settings.ts'
import type { Log } from '../types.ts'
import type { Authority } from './authority/oidc-client.ts'
import type { Session, SessionStore } from './sessions/store.ts'

const REMOTE_LOGOUT_PATH = '/noproxy/bearer-logout'
const REMOTE_TIMEOUT_MS = 3_000

/** Ends a session everywhere; the address where the browser ends its session at the authority. */
export type SignOut = (session: Session) => Promise<string>

export function createSignOut(
  config: Config,
  sessions: SessionStore,
  authority: Authority,
  log: Log
): SignOut {
  async function tellRemote(accessToken: string): Promise<void> {
    if (!config.REMOTE_URL) return
    const answer = await fetch(config.REMOTE_URL + REMOTE_LOGOUT_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(REMOTE_TIMEOUT_MS),
      redirect: 'error'
    })
    await answer.body?.cancel()
  }

  return async (session) => {
    await sessions.remove(session.id)
    const { tokens, data } = session
    void tellRemote(tokens.access).catch((err) =>
      log.warn({ err }, 'the Remote host was not told of a sign-out')
    )
    void authority.revoke(tokens, data.furtherRefresh)
    return (await authority.endSessionUrl(tokens)) ?? `${config.PUBLIC_URL}/signed-out`
  }
}
