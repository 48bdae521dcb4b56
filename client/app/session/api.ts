import type { SessionState } from '#shared/entities.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import type { TabMessage } from './session-watch.ts'

/** What is left of the session; asking does not prolong it. */
export function readSession(): Promise<SessionState> {
  return request<SessionState>('/auth/session')
}

export function renewSession(): Promise<SessionState> {
  return request<SessionState>('/auth/session/renew', { method: 'POST' })
}

/** Ends the session; where the browser goes then. */
export async function endSession(): Promise<string> {
  const { redirect } = await request<{ redirect: string }>('/auth/logout', { method: 'POST' })
  return redirect
}

export const OWN_SESSIONS = '/auth/sessions'

/** Ends a session of this person in another browser; one that has ended already is as good. */
export async function endOwnSession(id: string): Promise<void> {
  await request(`${OWN_SESSIONS}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}

export async function endOtherSessions(): Promise<void> {
  await request(OWN_SESSIONS, { method: 'DELETE' })
}

/** The single-logout addresses that a sign-out loads first. */
export async function readLogoutFrames(): Promise<string[]> {
  const { frames } = await request<{ frames: string[] }>('/auth/logout/frames')
  return frames
}

const NAME = 'portal.session'

/** The other tabs of this browser; a browser without channels has tabs on their own. */
export function openTabChannel(hear: (message: TabMessage) => void) {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data)
  return {
    tell: (message: TabMessage) => channel.postMessage(message),
    close: () => channel.close()
  }
}

/** Says one thing to the other tabs. */
export function tellTabs(message: TabMessage): void {
  const channel = openTabChannel(() => {})
  channel.tell(message)
  channel.close()
}
