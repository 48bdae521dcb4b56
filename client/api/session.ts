import type { SessionState } from '#shared/entities.ts'
import { request } from './request.ts'

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

/** The single-logout addresses that a sign-out loads first (§2). */
export async function readLogoutFrames(): Promise<string[]> {
  const { frames } = await request<{ frames: string[] }>('/auth/logout/frames')
  return frames
}
