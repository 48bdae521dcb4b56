import { type ReactNode, useEffect, useMemo, useReducer, useRef } from 'react'
import { useLocation, useMatch } from 'react-router-dom'
import { SWRConfig, useSWRConfig } from 'swr'
import type { User } from '#shared/answers/portal.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { IdentityContext, swrOptions } from '../../lib/http/query.ts'
import { type Loaded, useIntegrators } from '../../lib/session/api.ts'
import { OrganizationContext } from '../../lib/session/organization.ts'
import { SessionContext, sessionOf, useSession } from '../../lib/session/session.ts'
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
            <CurrentOrganization>{children}</CurrentOrganization>
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
  const previousAccess = useRef(access)
  useEffect(() => {
    if (previousAccess.current === access) return
    previousAccess.current = access
    void mutate(() => true, undefined, { revalidate: true })
  }, [access, mutate])
  return null
}

function CurrentOrganization({ children }: { children: ReactNode }) {
  const session = useSession()
  const { user } = session
  const globalAdmin = isGlobalAdmin(session)
  const list = useIntegrators(globalAdmin)
  const idInAddress = useIntegratorInAddress()
  const [, render] = useReducer((times: number) => times + 1, 0)
  const storageKey = `portal.integrator.${session.user.id}`
  const chosenId = idInAddress ?? recall<string>(storageKey)
  const knownIntegrator = list.data?.find(({ id }) => id === chosenId)
  useEffect(() => {
    if (globalAdmin && idInAddress && knownIntegrator) remember(storageKey, idInAddress)
  }, [globalAdmin, idInAddress, knownIntegrator, storageKey])
  const unknown = idInAddress !== undefined && list.data !== undefined && !knownIntegrator
  const chosen = knownIntegrator ?? (idInAddress && !unknown ? { id: idInAddress, orgName: '' } : null)
  const forget = () => {
    remember(storageKey, null)
    render()
  }
  const ofGlobalAdmin = {
    id: chosen?.id ?? null,
    name: chosen?.orgName || null,
    chosen,
    integrators: list,
    unknown,
    forget
  }
  const own = {
    id: user.organizationId,
    name: user.organizationName,
    chosen: null,
    integrators: null,
    unknown: false,
    forget
  }
  return <OrganizationContext value={globalAdmin ? ofGlobalAdmin : own}>{children}</OrganizationContext>
}

/** The integrator in the address: in the path or as `?organizationId=`. */
function useIntegratorInAddress(): string | undefined {
  const { search } = useLocation()
  const inPath = useMatch('/integrators/:organizationId/*')?.params.organizationId
  return inPath ?? (new URLSearchParams(search).get('organizationId') || undefined)
}

/** Gives each integrator a separate cache, so that data of another integrator never shows. */
export function OrganizationScope({ children }: { children: ReactNode }) {
  const session = useSession()
  const { user } = session
  const idInAddress = useIntegratorInAddress()
  const currentId = (isGlobalAdmin(session) ? idInAddress : null) ?? user.organizationId ?? ''
  const identity = useMemo(() => ({ userId: user.id, organizationId: currentId }), [user.id, currentId])
  return (
    <IdentityContext value={identity}>
      <SWRConfig key={currentId} value={{ provider: () => new Map() }}>
        <ReloadOnAccessChange />
        {children}
      </SWRConfig>
    </IdentityContext>
  )
}

export function accessOf({ id, organizationId, userType, roleAssignments }: User): string {
  const assignments = roleAssignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return JSON.stringify([id, organizationId, userType, assignments])
}
