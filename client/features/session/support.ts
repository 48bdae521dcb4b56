// Where help is to be had, kept for when the gateway cannot say it: it stands on the page of a portal that did not start.
import { recall, remember } from '../../lib/storage.ts'
import type { Support } from '../../ui/state/error-panel.tsx'

const STORED = 'portal.support'

export function rememberSupport(support: Support): void {
  remember(STORED, support)
}

export function recallSupport(): Support {
  const { phone = null, email = null } = recall<Partial<Support>>(STORED) ?? {}
  return { phone: typeof phone === 'string' ? phone : null, email: typeof email === 'string' ? email : null }
}
