import './style.css'
import { useState } from 'react'
import { useSession } from '../../features/session/session.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Checkbox } from '../../ui/input/field.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { switchTechSupport, useTechSupport, useTechSupportSince } from './api.ts'

/** A partner admin lets global admins into the organization's portal, or keeps them out. */
export function TechSupport() {
  const { user, can, nowMs } = useSession()
  const organizationId = user.organizationId ?? ''
  const may = can('tech-support:toggle', `/organizations/${organizationId}`)
  const { data: on, error, reload } = useTechSupport(organizationId)
  const since = useTechSupportSince(organizationId, on === true)
  const [asking, setAsking] = useState(false)
  const refresh = useRefresh()
  if (!may) return null
  if (error && on === undefined) {
    return (
      <p className="field-help">
        Tech support access could not be loaded.{' '}
        <button type="button" className="link-button" onClick={reload}>
          Retry
        </button>
      </p>
    )
  }
  const known = since.data !== undefined || since.error !== undefined
  if (on === undefined || (on && !known)) return null

  async function change() {
    await switchTechSupport(organizationId, !on)
    await refresh(`/api/v2/management/organizations/${encodeURIComponent(organizationId)}`)
    setAsking(false)
    toasts.ok(on ? 'Tech support access is off.' : 'Tech support access is on.')
  }

  return (
    <>
      <Checkbox kind="switch" label="Tech support access" checked={on} onChange={() => setAsking(true)} />
      {on && (
        <p className="field-help">
          {since.data ? (
            <>
              Since <Timestamp iso={since.data.at} nowMs={nowMs()} />
              {since.data.by && ` by ${since.data.by}`}
            </>
          ) : (
            since.data === null && 'Turned on before the audit log begins'
          )}
        </p>
      )}
      {asking && (
        <ConfirmDialog
          title={on ? 'Turn tech support access off?' : 'Turn tech support access on?'}
          confirmLabel={on ? 'Turn off' : 'Turn on'}
          onConfirm={change}
          onCancel={() => setAsking(false)}
          failureText={(problem) => `${failureOf(problem).title}. Nothing was changed. Try again.`}
        >
          {on ? (
            <p>
              Global admins will not find <strong>{user.organizationName}</strong> among the integrators any
              more.
            </p>
          ) : (
            <p>
              Global admins can then choose <strong>{user.organizationName}</strong> and see its customers,
              projects, devices, users, reports, exports and audit log, and change them as you can. It stays
              on until somebody turns it off; both are written to the audit log.
            </p>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
