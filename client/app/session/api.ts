import type { SessionState } from '#shared/answers/session.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import type { TabMessage } from './session-watch.ts'

/** Reads the session's state, such as its remaining time, without extending the session. */
export function readSession(): Promise<SessionState> {
  return request<SessionState>('/auth/session')
}

export function renewSession(): Promise<SessionState> {
  return request<SessionState>('/auth/session/renew', { method: 'POST' })
}

/** Ends the session. Resolves with the address that the browser must open next. */
export async function endSession(): Promise<string> {
  const { redirect } = await request<{ redirect: string }>('/auth/logout', { method: 'POST' })
  return redirect
}

export const OWN_SESSIONS = '/auth/sessions'

/** Ends a session of this person in another browser. Ignores that the session may have ended already. */
export async function endOwnSession(id: string): Promise<void> {
  await request(`${OWN_SESSIONS}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}

export async function endOtherSessions(): Promise<void> {
  await request(OWN_SESSIONS, { method: 'DELETE' })
}

interface LogoutFrames {
  /** The single-logout addresses. */
  frames: string[]
}

export function readLogoutFrames(): Promise<LogoutFrames> {
  return request<LogoutFrames>('/auth/logout/frames')
}

const CHANNEL = 'portal.session'

/** Calls back with messages from other tabs, if the browser has channels. Returns a function that stops the calls. */
export function followTabs(onMessage: (message: TabMessage) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data)
  return () => channel.close()
}

export function sendToTabs(message: TabMessage): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(message)
  channel.close()
}
