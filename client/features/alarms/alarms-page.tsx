import { useParams } from 'react-router-dom'
import { failureOf } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { useProjects } from '../customers/api.ts'
import { useSession } from '../session/session.ts'
import { useTrail } from '../session/use-trail.ts'
import { AlarmList } from './list/alarm-list.tsx'

export default function AlarmsPage() {
  const { customerId = '', organizationId } = useParams()
  const { can } = useSession()
  const customer = useProjects(customerId)
  const customerPath = paths.customer(customerId, organizationId)
  const trail = useTrail(customer.data?.customer.orgName)
  return (
    <>
      <TitleBlock
        title="Alarms"
        crumbs={[...trail, { label: 'Alarms' }]}
        facts={customer.data?.customer.orgName ?? '\u00a0'}
        actions={
          customer.data &&
          can('data:query-model', customer.data.customer.scope) && (
            <PrefetchLink to={paths.dataService(customerPath)} className="button">
              Data Service
            </PrefetchLink>
          )
        }
      />
      {!customer.data && customer.error !== undefined ? (
        <ErrorPanel failure={failureOf(customer.error)} busy={customer.busy} onRefresh={customer.reload} />
      ) : (
        <AlarmList
          customerId={customerId}
          customerPath={customerPath}
          scope={customer.data?.customer.scope ?? null}
          device={null}
        />
      )}
    </>
  )
}
