import './style.css'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { type Action, holds, mayAnywhere } from '#shared/permissions.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { MenuButton } from '../../ui/input/menu-button.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { StaleNotice } from '../../ui/state/notice.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { useProjects } from '../customers/api.ts'
import { useCustomer } from '../customers/customer.ts'
import { useSession } from '../session/session.ts'
import { useTrail } from '../session/use-trail.ts'
import { CustomerScope } from './customer-scope.tsx'
import { factsOf } from './project-list.ts'
import { ProjectsAndDevices } from './projects-and-devices.tsx'

const NoProjects = lazy(() => import('./no-projects.tsx'))

export default function ProjectsPage() {
  const { customerId = '', organizationId } = useParams()
  const { state } = useLocation()
  const { customers } = useSession()
  const { data, error, busy, reload } = useProjects(customerId)
  const orgName = data?.customer.orgName ?? (state as { orgName?: string } | null)?.orgName ?? null
  const trail = useTrail(orgName).map((crumb, index, all) =>
    index === all.length - 1 ? { label: crumb.label } : crumb
  )
  const home = organizationId ? paths.integrator(organizationId) : paths.home

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
        actions={<PageActions scope={data?.customer.scope} failed={error !== undefined} />}
      />
      {error !== undefined && data && (
        <StaleNotice error={error} what="The projects below" onRefresh={reload} />
      )}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />
      )}
      {empty && (
        <Suspense>
          <NoProjects />
        </Suspense>
      )}
      {!empty && (data || error === undefined) && (
        <ProjectsAndDevices key={customerId} customerId={customerId} list={data} />
      )}
    </CustomerScope>
  )
}

/** Beside each other, or behind one button on a phone. */
function PageActions({ scope, failed }: { scope: string | undefined; failed: boolean }) {
  const { user, can } = useSession()
  const { id, path } = useCustomer()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const tablet = useTablet()
  const phone = useLayout() === 'mobile' && !tablet
  // Until the customer is known the buttons keep their places.
  const may = (action: Action) =>
    scope === undefined ? !failed && mayAnywhere(user.roleAssignments, action) : can(action, scope)
  const dataService = may('data:query-model') && {
    label: 'Data Service',
    to: paths.dataService(path),
    className: 'button'
  }
  const accounts = may('service-accounts:view') && {
    label: 'Service Accounts',
    to: paths.serviceAccounts(path),
    className: 'button'
  }
  const register = holds(user.roleAssignments, 'partner_admin') &&
    may('devices:register') && {
      label: 'Register device',
      to: paths.registerDeviceAt(id, query.get('project')),
      className: 'button primary'
    }
  const actions = [dataService, accounts, register].filter((action) => action !== false)
  if (phone && actions.length > 0)
    return (
      <MenuButton
        label="More actions"
        className="button quiet icon"
        items={actions.map(({ label, to }) => ({ label, onSelect: () => void navigate(to) }))}
      >
        <Ellipsis />
        <span className="sr-only">More actions</span>
      </MenuButton>
    )
  return actions.map(({ label, to, className }) => (
    <PrefetchLink key={label} to={to} className={className}>
      {className.endsWith('primary') && <Plus />}
      {label}
    </PrefetchLink>
  ))
}
