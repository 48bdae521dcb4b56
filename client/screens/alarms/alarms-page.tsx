import { useLocation, useParams } from 'react-router-dom'
import { failureOf, isNotFound } from '../../api/api-error.ts'
import { useProjects } from '../../api/projects.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { paths } from '../../paths.ts'
import { useTrail } from '../../session/use-trail.ts'
import { AlarmList } from './alarm-list.tsx'

export default function AlarmsPage() {
  const { customerId = '', organizationId } = useParams()
  const { pathname } = useLocation()
  const customer = useProjects(customerId)
  const trail = useTrail(customer.data?.customer.orgName)
  if (isNotFound(customer.error)) return <NotFound path={pathname} home={paths.home} />
  return (
    <>
      <TitleBlock
        title="Alarms"
        crumbs={[...trail, { label: 'Alarms' }]}
        facts={customer.data?.customer.orgName ?? '\u00a0'}
      />
      {!customer.data && customer.error !== undefined ? (
        <ErrorPanel failure={failureOf(customer.error)} busy={customer.busy} onRefresh={customer.reload} />
      ) : (
        <AlarmList
          customerId={customerId}
          customerPath={paths.customer(customerId, organizationId)}
          scope={customer.data?.customer.scope ?? null}
          device={null}
        />
      )}
    </>
  )
}
