import '../../style/projects.css'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { lazy, Suspense } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { mayAnywhere } from '#shared/permissions.ts'
import { failureOf, isOutOfReach } from '../../api/api-error.ts'
import { useProjects } from '../../api/projects.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Notice } from '../../components/notice.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { CustomerScope } from '../../deeds/customer-scope.tsx'
import { count } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { useTrail } from '../../session/use-trail.ts'
import { NoProjects } from './later-parts.tsx'
import { ProjectsAndDevices } from './projects-and-devices.tsx'

const NotFound = lazy(async () => ({ default: (await import('../../components/not-found.tsx')).NotFound }))

export default function ProjectsPage() {
  const { customerId = '', organizationId } = useParams()
  const { pathname, state } = useLocation()
  const { user, customers, can } = useSession()
  const { data, error, busy, reload } = useProjects(customerId)
  const orgName = data?.customer.orgName ?? (state as { orgName?: string } | null)?.orgName ?? null
  const trail = useTrail(orgName).map((crumb, index, all) =>
    index === all.length - 1 ? { label: crumb.label } : crumb
  )
  const home = organizationId ? paths.integrator(organizationId) : paths.home

  if (isOutOfReach(error)) {
    return (
      <Suspense>
        <NotFound path={pathname} home={paths.home} />
      </Suspense>
    )
  }
  const empty = data?.totals.projects === 0 && data.totals.devices === 0
  return (
    <CustomerScope customerId={customerId} list={data}>
      <TitleBlock
        title={orgName ?? (error === undefined ? null : 'Projects and devices')}
        crumbs={trail}
        facts={data ? factsOf(data.totals) : error === undefined ? <Skeleton width="11rem" /> : undefined}
        back={
          (organizationId !== undefined || customers.count > 1) && (
            <PrefetchLink
              to={home}
              className="button quiet icon back"
              aria-label="Back to home"
              title="Back to home"
            >
              <ArrowLeft />
            </PrefetchLink>
          )
        }
        actions={
          (data
            ? can('service-accounts:view', data.customer.scope)
            : !error && mayAnywhere(user.roleAssignments, 'service-accounts:view')) && (
            <PrefetchLink
              to={paths.serviceAccounts(paths.customer(customerId, organizationId))}
              className="button"
            >
              Service Accounts
            </PrefetchLink>
          )
        }
      />
      {error !== undefined && data && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: reload }}>
          {failureOf(error).title}. The projects below may be out of date.
        </Notice>
      )}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />
      )}
      {empty && <NoProjects />}
      {!empty && (data || error === undefined) && (
        <ProjectsAndDevices key={customerId} customerId={customerId} list={data} />
      )}
    </CustomerScope>
  )
}

function factsOf(totals: { projects: number; devices: number }): string {
  return `${count(totals.projects, 'project')}, ${count(totals.devices, 'device')}`
}
