// Support contacts, stored for the error page of a portal that does not start.
import type { Support } from '#shared/entities.ts'
import { request } from '../../lib/http/request.ts'
import { recall, remember } from '../../lib/storage.ts'

const STORED = 'portal.support'

export function rememberSupport(support: Support): void {
  remember(STORED, support)
}

export function recallSupport(): Support {
  const { phone = null, email = null } = recall<Partial<Support>>(STORED) ?? {}
  return { phone: typeof phone === 'string' ? phone : null, email: typeof email === 'string' ? email : null }
}

/** Public, because people who cannot sign in need it. */
export const loadSupport = () => request<Support>('/auth/support')
