// Support contacts, stored for the error page of a portal that does not start.
import type { Support } from '#shared/answers/portal.ts'
import { request } from '../http/request.ts'
import { recall, remember } from '../storage.ts'

const STORAGE_KEY = 'portal.support'

export function rememberSupport(support: Support): void {
  remember(STORAGE_KEY, support)
}

export function recallSupport(): Support {
  const { phone = null, email = null } = recall<Partial<Support>>(STORAGE_KEY) ?? {}
  return { phone: typeof phone === 'string' ? phone : null, email: typeof email === 'string' ? email : null }
}

/** Loads the contacts from a public address, because people who cannot sign in need them. */
export const loadSupport = () => request<Support>('/auth/support')
