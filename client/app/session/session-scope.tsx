import { type ReactNode, useEffect, useMemo, useReducer, useRef } from 'react'
import { SWRConfig, useSWRConfig } from 'swr'
import type { User } from '#shared/entities.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { type Loaded, useIntegrators } from '../../features/session/api.ts'
import { IntegratorContext, useIntegratorInAddress } from '../../features/session/integrator.ts'
import { SessionContext, sessionOf, useSession } from '../../features/session/session.ts'
import { IdentityContext, swrOptions } from '../../lib/http/query.ts'
import { recall, remember } from '../../lib/storage.ts'
import { ClockContext } from '../../ui/timestamp.tsx'

export function SessionScope({ loaded, children }: { loaded: Loaded; children: ReactNode }) {
  const session = useMemo(() => sessionOf(loaded), [loaded])
  const { id, organizationId } = session.user
  const identity = useMemo(() => ({ userId: id, organizationId: organizationId ?? '' }), [id, organizationId])
  return (
    <SessionContext value={session}>
      <IdentityContext value={identity}>
        <SWRConfig value={swrOptions}>
          <ReloadOnAccessChange />
          <ClockContext value={session.nowMs}>
            <IntegratorScope>{children}</IntegratorScope>
          </ClockContext>
        </SWRConfig>
      </IdentityContext>
    </SessionContext>
  )
}

/** Reloads all data after the person's roles have changed. */
function ReloadOnAccessChange() {
  const { mutate } = useSWRConfig()
  const access = accessOf(useSession().user)
  const before = useRef(access)
  useEffect(() => {
    if (before.current === access) return
    before.current = access
    void mutate(() => true, undefined, { revalidate: true })
  }, [access, mutate])
  return null
}

function IntegratorScope({ children }: { children: ReactNode }) {
  const session = useSession()
  const globalAdmin = isGlobalAdmin(session)
  const list = useIntegrators(globalAdmin)
  const inAddress = useIntegratorInAddress()
  const [, render] = useReducer((times: number) => times + 1, 0)
  const stored = `portal.integrator.${session.user.id}`
  const chosenId = inAddress ?? recall<string>(stored)
  const known = list.data?.find(({ id }) => id === chosenId)
  useEffect(() => {
    if (globalAdmin && inAddress && known) remember(stored, inAddress)
  }, [globalAdmin, inAddress, known, stored])
  const unknown = inAddress !== undefined && list.data !== undefined && !known
  const chosen = known ?? (inAddress && !unknown ? { id: inAddress, orgName: '' } : null)
  const forget = () => {
    remember(stored, null)
    render()
  }
  return (
    <IntegratorContext
      value={
        globalAdmin ? { list, chosen, unknown, forget } : { list: null, chosen: null, unknown: false, forget }
      }
    >
      {children}
    </IntegratorContext>
  )
}

/** Separate caches, so that data of another integrator never shows. */
export function OrganizationScope({ children }: { children: ReactNode }) {
  const session = useSession()
  const { user } = session
  const inAddress = useIntegratorInAddress()
  const current = (isGlobalAdmin(session) ? inAddress : null) ?? user.organizationId ?? ''
  const identity = useMemo(() => ({ userId: user.id, organizationId: current }), [user.id, current])
  return (
    <IdentityContext value={identity}>
      <SWRConfig key={current} value={{ provider: () => new Map() }}>
        <ReloadOnAccessChange />
        {children}
      </SWRConfig>
    </IdentityContext>
  )
}

export function accessOf({ id, organizationId, userType, roleAssignments }: User): string {
  const held = roleAssignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return JSON.stringify([id, organizationId, userType, held])
}
