import './style.css'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderOpen from 'lucide-react/icons/folder-open'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { type Action, holds, mayAnywhere } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { useCachedState } from '../../../lib/http/query.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import { NO_PROJECTS } from '../../../lib/messages.ts'
import { CUSTOMER_PAGES, paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useStored } from '../../../lib/use-stored.ts'
import { Dialogs } from '../../../ui/dialog/dialogs.tsx'
import { MenuButton } from '../../../ui/input/menu-button.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { StaleNotice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { type Customer, useCustomer } from '../customers/customer.tsx'
import { DeviceList } from '../devices/device-list.tsx'
import { useDeviceView } from '../devices/device-view.ts'
import { exceptionsKey, RETRY_PARAMETER } from './api.ts'
import { showCreateProject, showDeleteProject } from './project-dialogs.tsx'
import { ProjectDialog, ProjectList } from './project-list.tsx'

const COLLAPSED_KEY = 'portal.projects-collapsed'

export default function ProjectsPage() {
  const { state } = useLocation()
  const { customers } = useSession()
  const customer = useCustomer()
  const { organizationId, list: data, error, staleError, isFetching, refetch } = customer
  const orgName = customer.knownName ?? (state as { orgName?: string } | null)?.orgName ?? null
  const trail = useTrail(orgName).map((crumb, index, all) =>
    index === all.length - 1 ? { label: crumb.label } : crumb
  )
  useRetriedProject(customer)
  const isEmpty = data?.totals.projects === 0 && data.totals.devices === 0
  return (
    <>
      <TitleBlock
        title={orgName ?? (error === undefined ? null : 'Projects and devices')}
        crumbs={trail}
        facts={
          data ? (
            `${count(data.totals.projects, 'project')}, ${count(data.totals.devices, 'device')}`
          ) : error === undefined ? (
            <Skeleton width="11rem" />
          ) : undefined
        }
        back={
          (organizationId !== undefined || customers.count > 1) && {
            to: organizationId ? paths.integrator(organizationId) : paths.home,
            name: 'Back to home'
          }
        }
        actions={<PageActions customer={customer} />}
      />
      {staleError !== undefined && (
        <StaleNotice error={staleError} what="The projects below" onRefresh={refetch} />
      )}
      {error !== undefined && <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />}
      {isEmpty && <NoProjects partnerId={customer.partnerId} />}
      {!isEmpty && error === undefined && <ProjectsAndDevices />}
      <Dialogs />
    </>
  )
}

function ProjectsAndDevices() {
  const { customerId, list } = useCustomer()
  const isPhone = useLayout() === 'mobile'
  const besideProjects = !useTablet() && !isPhone
  const query = useDeviceView(customerId)
  const [collapsed, setCollapsed] = useStored(COLLAPSED_KEY, false)
  const chosenId = query.values.project
  const project = list?.projects.find(({ id }) => id === chosenId)
  const isProjectGone = list !== undefined && chosenId !== '' && !project

  // A remembered or linked project may have been deleted.
  const showAll = useEffectEvent(() => query.change({ project: '' }, true))
  useEffect(() => {
    if (isProjectGone) showAll()
  }, [isProjectGone])

  return (
    <div
      className={besideProjects ? 'projects-and-devices' : undefined}
      data-collapsed={collapsed || undefined}
    >
      {besideProjects && <ProjectList query={query} collapsed={collapsed} onCollapse={setCollapsed} />}
      <DeviceList
        query={query}
        project={project}
        besideProjects={besideProjects && !collapsed}
        chooseProject={(close) => <ProjectDialog query={query} onClose={close} />}
        deleteProject={showDeleteProject}
      />
    </div>
  )
}

function NoProjects({ partnerId }: Pick<Customer, 'partnerId'>) {
  return (
    <Panel
      icon={FolderOpen}
      title={NO_PROJECTS}
      actions={
        partnerId !== null && (
          <button type="button" className="button primary" onClick={() => showCreateProject(partnerId)}>
            <Plus />
            Create
          </button>
        )
      }
    />
  )
}

function PageActions({ customer }: { customer: Customer }) {
  const { customerId, customerPath, list, error, can } = customer
  const { user } = useSession()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isTablet = useTablet()
  const isPhone = useLayout() === 'mobile' && !isTablet
  // Shows the buttons while the customer loads, so that the page does not shift.
  const may = (action: Action) =>
    list ? can(action) : error === undefined && mayAnywhere(user.roleAssignments, action)
  const [exceptions] = useCachedState<number | null>(exceptionsKey(customerId), null)
  const links = CUSTOMER_PAGES.filter(({ button, action }) => button && may(action)).map(({ label, to }) => ({
    label: label === 'Points' && exceptions ? `Points (${count(exceptions, 'exception')})` : label,
    to: to(customerPath),
    className: 'button'
  }))
  const registerAction = holds(user.roleAssignments, 'partner_admin') &&
    may('devices:register') && {
      label: 'Register device',
      to: paths.registerDeviceAt(customerId, query.get('project')),
      className: 'button primary'
    }
  const actions = [...links, registerAction].filter((action) => action !== false)
  if (isPhone && actions.length > 0)
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

/** Opens the create form with the name from a retry link, if the person may create a project. */
function useRetriedProject({ list, partnerId }: Customer): void {
  const [query, setQuery] = useSearchParams()
  const retryName = query.get(RETRY_PARAMETER)
  const isLoaded = list !== undefined
  const openForm = useEffectEvent((projectName: string) => {
    if (partnerId !== null) showCreateProject(partnerId, projectName)
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.delete(RETRY_PARAMETER)
        return next
      },
      { replace: true }
    )
  })
  useEffect(() => {
    if (isLoaded && retryName !== null) openForm(retryName)
  }, [isLoaded, retryName])
}
