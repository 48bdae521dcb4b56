// The signed-in person and their permissions, by the same rule as in the gateway.
import { createContext, useContext } from 'react'
import type { Bootstrap, User } from '#shared/entities.ts'
import { type Action, may } from '#shared/permissions.ts'
import type { Loaded } from './api.ts'

export interface Session extends Bootstrap {
  user: User
  can: (action: Action, scope: string) => boolean
  /** The gateway's time. */
  nowMs: () => number
}

export function sessionOf({ bootstrap, receivedAtMs }: Loaded): Session {
  const offsetMs = Date.parse(bootstrap.now) - receivedAtMs
  return {
    ...bootstrap,
    can: (action, scope) => may(bootstrap.user.roleAssignments, action, scope),
    nowMs: () => performance.now() + offsetMs
  }
}

export const ReloadContext = createContext<() => Promise<void>>(async () => {})

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('no session above this component')
  return session
}
