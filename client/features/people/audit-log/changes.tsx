import '../../../ui/list/list.css'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { organizationScope, parseScope } from '#shared/scopes.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useAllCustomers } from '../../sites/customers/api.ts'
import { scopeNames } from '../access/roles.tsx'
import { fieldLabel, ROLES_FIELD, shownValue } from './audit-sentences.ts'

/** The changed fields of an entry, before and after the change. */
export function Changes({ entry: { changes = [], customerId, customerName } }: { entry: AuditLogEntry }) {
  const { id: organizationId } = useOrganization()
  const { can } = useSession()
  const scope = organizationScope(organizationId ?? '')
  const needsNames = changes.some(({ field }) => field === ROLES_FIELD) && can('customers:view', scope)
  // All entries share this list.
  const { data: customers = [] } = useAllCustomers(needsNames ? organizationId : null)
  const namesOfScopes = scopeNames(scope, customers)
  const nameOf = (at: string) =>
    customerName && parseScope(at)?.customerId === customerId ? customerName : namesOfScopes(at)
  return (
    <table className="plain-table">
      <caption className="sr-only">What was changed</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{fieldLabel(change.field)}</th>
            <td>{shownValue(change.field, change.before, nameOf)}</td>
            <td>{shownValue(change.field, change.after, nameOf)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
