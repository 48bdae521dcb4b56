import type { ReactNode } from 'react'
import { holds } from '#shared/permissions.ts'
import AccessDeniedPage from './screens/errors/access-denied-page.tsx'
import { useSession } from './session/session.ts'

const ALARM_ROLES = [
  'partner_admin',
  'partner_user',
  'customer_admin',
  'customer_user',
  'global_admin'
] as const

/** §2, as written: Niagara Remote and NDS operators reach alarms through the device only (screens.md T1). */
export function AlarmsGuard({ children }: { children: ReactNode }) {
  return holds(useSession().user.roleAssignments, ...ALARM_ROLES) ? children : <AccessDeniedPage />
}
