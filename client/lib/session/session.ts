// The signed-in person and their permissions, which follow the same rules as in the gateway.
import { createContext, useContext } from 'react'
import { type Action, may } from '#shared/permissions.ts'
import type { Loaded } from './api.ts'

export type Session = ReturnType<typeof sessionOf>

export function sessionOf({ bootstrap, receivedAtMs }: Loaded) {
  const offsetMs = Date.parse(bootstrap.now) - receivedAtMs
  return {
    ...bootstrap,
    can: (action: Action, scope: string) => may(bootstrap.user.roleAssignments, action, scope),
    /** The current time of the gateway. */
    nowMs: () => performance.now() + offsetMs
  }
}

export const ReloadContext = createContext<() => Promise<void>>(async () => {})

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionContext')
  return session
}
