import { useState } from 'react'
import type { AuditLogEntry, Organization } from '#shared/answers/management.ts'
import { calls } from '#shared/calls.ts'
import { halPage, itself } from '../../lib/http/hal.ts'
import { get, type QueryResult, useQuery, useRefresh } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { useSession } from '../../lib/session/session.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Checkbox } from '../../ui/input/field.tsx'
import { LoadFailed } from '../../ui/state/load-failed.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { Timestamp } from '../../ui/timestamp.tsx'

/** A switch with which partner admins allow or forbid global admins to enter their organization. */
export function TechSupport() {
  const { user, can } = useSession()
  const organizationId = user.organizationId ?? ''
  const mayToggle = can('tech-support:toggle', `/organizations/${organizationId}`)
  const { data: on, error, refetch } = useTechSupport(organizationId)
  const since = useTechSupportSince(organizationId, on === true)
  /** The state that the person is asked to confirm. */
  const [confirming, setConfirming] = useState<'on' | 'off' | null>(null)
  const refresh = useRefresh()
  const reload = () => refresh(calls.organization(organizationId))
  if (!mayToggle) return null
  if (error && on === undefined) {
    return <LoadFailed onRetry={refetch}>Tech support access could not be loaded.</LoadFailed>
  }
  const sinceLoaded = since.data !== undefined || since.error !== undefined
  if (on === undefined || (on && !sinceLoaded && confirming === null)) return null

  async function change() {
    await switchTechSupport(organizationId, confirming === 'on')
    await reload()
    setConfirming(null)
    toasts.ok(`Tech support access is ${confirming}.`)
  }

  return (
    <>
      <Checkbox
        kind="switch"
        label="Tech support access"
        checked={on}
        onChange={() => setConfirming(on ? 'off' : 'on')}
      />
      {on && (
        <small>
          {since.data ? (
            <>
              Since <Timestamp iso={since.data.at} />
              {since.data.by && ` by ${since.data.by}`}
            </>
          ) : (
            since.data === null && 'Turned on before the audit log begins'
          )}
        </small>
      )}
      {confirming && (
        <ConfirmDialog
          title={`Turn tech support access ${confirming}?`}
          confirmLabel={`Turn ${confirming}`}
          onConfirm={change}
          onCancel={() => setConfirming(null)}
          reload={() => void reload()}
        >
          {confirming === 'off' ? (
            <p>
              Global admins will not find <strong>{user.organizationName}</strong> among the integrators any
              more.
            </p>
          ) : (
            <p>
              Global admins can then choose <strong>{user.organizationName}</strong> and see its customers,
              projects, devices, users, reports, exports and audit log, and change them as you can. The access
              stays on until somebody turns it off. The audit log records both.
            </p>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}

export function useTechSupport(organizationId: string): QueryResult<boolean> {
  const { data, ...result } = useQuery(calls.organization(organizationId), get<Organization>)
  return { ...result, data: data && data.isTechViewEnabled === true }
}

interface TurnedOn {
  /** ISO 8601 UTC. */
  at: string
  by: string | null
}

/** When tech support access was last turned on, according to the audit log; null if the log has no entry. */
export function useTechSupportSince(organizationId: string, enabled: boolean): QueryResult<TurnedOn | null> {
  const query = 'action=TECH_SUPPORT_ENABLED&page=0&size=1&sort=timestamp,desc'
  const path = enabled ? `${calls.auditLog(organizationId)}?${query}` : null
  const { data, ...result } = useQuery(path, halPage('auditLogs', itself<AuditLogEntry>), {
    keepPreviousData: true
  })
  const [entry] = data?.items ?? []
  return { ...result, data: data && (entry ? { at: entry.timestamp, by: entry.actor?.name ?? null } : null) }
}

export function switchTechSupport(organizationId: string, enable: boolean): Promise<unknown> {
  return request(`${calls.techSupport(organizationId)}?enable=${enable}`, { method: 'PATCH' })
}
