import type { ReactNode } from 'react'
import { mayOpenAlarms } from './lib/landing.ts'
import AccessDeniedPage from './screens/errors/access-denied-page.tsx'
import { useSession } from './session/session.ts'

/** The alarms of a customer, for those of §2. */
export function AlarmsGuard({ children }: { children: ReactNode }) {
  return mayOpenAlarms(useSession()) ? children : <AccessDeniedPage />
}
