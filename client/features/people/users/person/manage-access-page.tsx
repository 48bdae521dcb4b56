import '../style.css'
import { useNavigate, useParams } from 'react-router-dom'
import { covers, customerScope } from '#shared/scopes.ts'
import { paths } from '../../../../lib/paths.ts'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { Notice } from '../../../../ui/state/notice.tsx'
import { NotFound } from '../../../../ui/state/panel.tsx'
import { AccessEditor } from '../../access/access-editor.tsx'
import { isReal, roleLabel } from '../../access/roles.tsx'
import {
  type PersonAccess,
  PersonAccessLayout,
  PersonFrame,
  usePersonAccess,
  usePersonEdit
} from './person-access.tsx'

export default function ManageAccessPage() {
  const { userId = '', customerId = '' } = useParams()
  const load = usePersonAccess(userId)
  const { data, person } = load
  const customer = data?.customers.find(({ id }) => id === customerId)
  if (data && (!customer || !data.mayChange)) return <NotFound />
  return (
    <PersonFrame
      load={load}
      title={customer ? `Access to ${customer.name}` : null}
      crumbs={[
        { label: person?.fullName ?? null, to: paths.user(userId) },
        { label: customer?.name ?? null }
      ]}
      {...(person ? { facts: `for ${person.fullName}` } : {})}
    >
      {(access) => (
        <CustomerAccess
          key={`${userId} ${customerId}`}
          access={access}
          scope={customer?.scope ?? customerScope(access.integrator.id, customerId)}
        />
      )}
    </PersonFrame>
  )
}

function CustomerAccess({ access, scope }: { access: PersonAccess; scope: string }) {
  const { person, nameOf, granting, lockAt } = access
  const navigate = useNavigate()
  const edit = usePersonEdit(access, () => null)
  const roles = edit.wanted.filter(
    (assignment) => assignment.scope !== scope && covers(assignment.scope, scope) && isReal(assignment)
  )
  return (
    <PersonAccessLayout
      access={access}
      edit={edit}
      within={(other) => other === scope}
      onBack={() => navigate(paths.user(person.id))}
      preview={{ customers: [{ scope, name: nameOf(scope) }] }}
    >
      {roles.length > 0 && (
        <Notice tone="info">
          Has {roles.map(({ role }) => roleLabel(role)).join(', ')} at all customers, this one included.
          Change this on the <PrefetchLink to={`${paths.user(person.id)}?edit=1`}>user page</PrefetchLink>.
        </Notice>
      )}
      <AccessEditor
        legend={`Access to ${nameOf(scope)}`}
        scope={scope}
        draft={edit.wanted}
        granting={granting}
        none={{
          label: 'No role at this customer',
          help: roles.length > 0 ? 'Only the roles for all customers apply.' : 'No access to this customer.'
        }}
        locked={lockAt(scope)}
        onChange={edit.change}
      />
    </PersonAccessLayout>
  )
}
