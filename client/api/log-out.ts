import { browser } from '../lib/browser.ts'
import { request } from './request.ts'

export async function logOut(): Promise<void> {
  const { redirect } = await request<{ redirect: string }>('/auth/logout', { method: 'POST' })
  browser.leaveTo(redirect)
}
