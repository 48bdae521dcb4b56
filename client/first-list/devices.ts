// A customer's projects and devices as their page shows them first on a desk (features/projects, features/devices).
import type { Bootstrap, Device, DevicePage, ProjectList } from '#shared/entities.ts'
import { recallDensity } from '../features/devices/list/use-density.ts'
import { factsOf, isCollapsed } from '../features/projects/project-list.ts'
import { PROJECTS_SHOWN, showsAllProjects } from '../features/projects/project-search.ts'
import { ownCustomer } from '#shared/landing.ts'
import { formatNumber } from '../lib/format.ts'
import { paths } from '../lib/paths.ts'
import { recall } from '../lib/storage.ts'
import { type Child, clippedText, element, toolsPlace } from './element.ts'
import { pageOf } from './page.ts'

/** Whether this browser remembers a view of its own. */
export function remembersView(customerId: string, { user }: Bootstrap): boolean {
  const [columns, last] = ['portal.columns.devices', `portal.devices.${user.id}.${customerId}`].map(recall)
  const { project = null, page = 0 } = (last ?? {}) as { project?: string | null; page?: number }
  return (columns ?? '') !== '' || project !== null || page !== 0
}

/** Null where there are none, or not all is known of them: the page says why. */
export function devicesPage(bootstrap: Bootstrap, list: ProjectList, page: DevicePage): HTMLElement | null {
  if (page.items.length === 0 || page.partial.length > 0) return null
  const { id, orgName } = list.customer
  const home = { label: 'Home', to: paths.home }
  const isOnly = ownCustomer(bootstrap) === id
  const collapsed = isCollapsed()
  return pageOf(
    {
      title: orgName,
      facts: factsOf(list.totals),
      crumbs: isOnly ? [{ label: home.label }] : [home, { label: orgName }],
      back: bootstrap.customers.count > 1 ? home.to : null,
      tools: true
    },
    element(
      'div',
      { class: 'projects-and-devices', 'data-collapsed': collapsed ? 'true' : undefined },
      element(
        'section',
        { class: 'card project-list' },
        element(
          'div',
          { class: 'card-head' },
          collapsed ? null : element('h2', {}, `Projects (${list.projects.length})`),
          toolsPlace()
        ),
        ...(collapsed ? [] : projectsOf(list))
      ),
      element(
        'section',
        { class: `card devices ${recallDensity()}` },
        element('div', { class: 'progress-bar' }),
        element('div', { class: 'device-views' }, element('h2', {}, 'Devices'), allOf(list)),
        element('div', { class: 'toolbar' }, toolsPlace()),
        tableOf(page.items, paths.customer(id)),
        element('div', { class: 'card-foot' }, toolsPlace())
      )
    )
  )
}

function projectsOf({ customer, projects, totals }: ProjectList): Child[] {
  const entry = (name: string, devices: number, to: string, isChosen: boolean) =>
    element(
      'li',
      { class: 'project-row' },
      element(
        'a',
        { class: 'project-entry', href: to, 'aria-current': isChosen ? 'true' : undefined },
        element('span', { class: 'project-name' }, clippedText(name)),
        element(
          'span',
          { class: 'project-count' },
          formatNumber(devices),
          element('span', { class: 'sr-only' }, devices === 1 ? ' device' : ' devices')
        )
      )
    )
  return [
    element('div', { class: 'search-field' }, toolsPlace()),
    element(
      'ul',
      { class: 'project-entries' },
      showsAllProjects(projects.length, '')
        ? entry('All Projects', totals.devices, paths.customer(customer.id), true)
        : null,
      ...projects
        .slice(0, PROJECTS_SHOWN)
        .map(({ id, projectName, deviceCount }) =>
          entry(
            projectName || id,
            deviceCount,
            `${paths.customer(customer.id)}?${new URLSearchParams({ project: id })}`,
            false
          )
        )
    )
  ]
}

const allOf = ({ customer, totals }: ProjectList) =>
  element(
    'nav',
    {},
    element(
      'ul',
      {},
      element(
        'li',
        {},
        element(
          'a',
          { class: 'view-link', href: paths.customer(customer.id), 'aria-current': 'true' },
          'All',
          element('span', { class: 'tab-count' }, formatNumber(totals.devices))
        )
      )
    )
  )

interface Column {
  id: string
  header?: string
  cell?: (device: Device, customerPath: string) => Child
}

/** See features/devices/list/columns.tsx. */
const COLUMNS: readonly Column[] = [
  { id: 'select' },
  {
    id: 'deviceName',
    header: 'Device',
    cell: ({ deviceName, deviceUuid }, customerPath) =>
      element('a', { href: paths.device(customerPath, deviceUuid) }, clippedText(deviceName))
  },
  {
    id: 'hostId',
    header: 'Host ID',
    cell: ({ hostId }) =>
      element('span', { class: 'host-id' }, element('span', { class: 'mono', title: hostId }, hostId))
  },
  {
    id: 'projectName',
    header: 'Project',
    cell: ({ projectName }) => projectName && element('span', {}, clippedText(projectName))
  },
  {
    id: 'location',
    header: 'Location',
    cell: ({ location }) => element('span', {}, clippedText(location))
  },
  { id: 'services', header: 'Services' },
  { id: 'actions' }
]

function tableOf(devices: readonly Device[], customerPath: string): HTMLElement {
  const heads = COLUMNS.map(({ id, header }) => {
    const head = element(
      header ? 'th' : 'td',
      { class: `column-${id}`, scope: header && 'col' },
      header ?? null
    )
    return head
  })
  const rows = devices.map((device) =>
    element(
      'tr',
      {},
      ...COLUMNS.map(({ id, cell }) =>
        element(
          id === 'deviceName' ? 'th' : 'td',
          { class: `column-${id}` },
          cell?.(device, customerPath) ?? null
        )
      )
    )
  )
  return element(
    'div',
    { class: 'table-region' },
    element(
      'table',
      { class: 'data-table' },
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...rows)
    )
  )
}
