import '../style.css'
import { Navigate, useLocation } from 'react-router-dom'
import { customerScope, organizationScope } from '#shared/scopes.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useRoleNumbers } from '../../access/api.ts'
import { scopeNames } from '../../access/roles.tsx'
import { useAllCustomers } from '../../customers/api.ts'
import { useOrganizationTrail } from '../../session/use-trail.ts'
import { usePlace } from '../use-places.ts'
import { ADD_USER_CRUMBS, Steps } from './add-user-page.tsx'
import { draftFrom } from './invitation-draft.ts'
import { RolesForm } from './roles-form.tsx'

/** The second step; without the first it leads there. */
export default function AddUserAccessPage() {
  const { state, search } = useLocation()
  const { place, name } = usePlace()
  const trail = useOrganizationTrail()
  const draft = draftFrom(state)
  const numbers = useRoleNumbers()
  const customers = useAllCustomers(place?.customerId === null ? place.integratorId : null)
  const load = [numbers, customers].find(({ error, data }) => error !== undefined && !data)
  if (!draft || !place || draft.invited.length === 0)
    return <Navigate to={{ pathname: paths.addUser, search }} replace state={state} />

  const integratorName = place.customerId === null ? (name ?? 'the integrator') : 'the integrator'
  const known =
    place.customerId === null ? customers.data : [{ id: place.id, name: name ?? '', scope: place.scope }]
  const integratorScope = organizationScope(place.integratorId)
  const scope =
    draft.belongs === 'customer' && draft.customerId
      ? customerScope(place.integratorId, draft.customerId)
      : integratorScope
  return (
    <>
      <TitleBlock title="Add user" crumbs={[...trail, ...ADD_USER_CRUMBS]} facts={<Steps current={2} />} />
      {load && <ErrorPanel failure={failureOf(load.error)} busy={load.busy} onRefresh={load.reload} />}
      {!load && (!numbers.data || !known) && <p role="status">Loading roles…</p>}
      {numbers.data && known && (
        <RolesForm
          draft={draft}
          place={place}
          scope={scope}
          integratorName={integratorName}
          customers={known}
          numbers={numbers.data}
          nameOf={scopeNames(integratorScope, known)}
        />
      )}
    </>
  )
}
