import '../../style/users.css'
import '../../style/access.css'
import { Navigate, useLocation } from 'react-router-dom'
import { customerScope, organizationScope } from '#shared/scopes.ts'
import { useAllCustomers } from '../../api/all-customers.ts'
import { failureOf } from '../../api/api-error.ts'
import { useRoleNumbers } from '../../api/roles.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { scopeNames } from '../../lib/role-text.ts'
import { paths } from '../../paths.ts'
import { ADD_USER_CRUMBS, Steps } from './add-user-page.tsx'
import { draftFrom } from './invitation-draft.ts'
import { RolesForm } from './roles-form.tsx'
import { usePlace } from './use-places.ts'

/** The second step. Who comes here without the first is led to it. */
export default function AddUserAccessPage() {
  const { state, search } = useLocation()
  const { place, name } = usePlace()
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
      <TitleBlock title="Add user" crumbs={ADD_USER_CRUMBS} facts={<Steps current={2} />} />
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
