import { useLocation } from 'react-router-dom'
import type { CustomerCard } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import { calls } from '#shared/calls.ts'
import { canFind } from '#shared/devices.ts'
import { isGlobalAdmin, ownCustomer } from '#shared/landing.ts'
import { useRested } from '../../lib/browser.ts'
import { get, useQuery } from '../../lib/http/query.ts'
import { paths } from '../../lib/paths.ts'
import { mayOpenAlarms } from '../../lib/session/may-open.ts'
import { navItemsOf } from '../../lib/session/nav-items.ts'
import { useOrganization } from '../../lib/session/organization.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatMoment, useZone } from '../../lib/time/time.ts'
import { useAlarms } from '../alarms/alarms/api.ts'
import { useProjects } from '../sites/customers/api.ts'
import { useDeviceSearch } from '../sites/devices/api.ts'
import { searchProjects } from '../sites/projects/api.ts'
import {
  alarmTarget,
  customerTarget,
  deviceTarget,
  foreignDeviceTarget,
  integratorTarget,
  pageTargets,
  pointTarget,
  projectTarget,
  type SearchedCustomer,
  type Target,
  targetsNamed,
  wordsBeyond
} from './jump-targets.ts'
import { recentTargets } from './recent-targets.ts'
import { type Readings, useDevicesEverywhere, useFoundPoints, useReadings } from './searches.ts'

/** Pause in typing before a search. */
const REST_MS = 100
const GROUP_MAX = 6
const LONG_GROUP_MAX = 10
/** Maximum devices of all customers. Includes the searched customer's devices, which are filtered out later. */
const EVERYWHERE_MAX = 50

export interface Found {
  targets: Target[]
  readings: Readings
  /** Whether the targets may belong to the previous text. */
  busy: boolean
  /** Number of customers still to be read. */
  unread: number
  failed: boolean
  /** A global admin without a chosen integrator finds only pages and integrators. */
  withoutIntegrator: boolean
  retry: () => void
}

/** Recent targets and pages show at once, everything else after a pause in typing. */
export function useJumpTargets(text: string, customer: SearchedCustomer | null): Found {
  const session = useSession()
  const { chosen, integrators: list } = useOrganization()
  const { pathname, search } = useLocation()
  const zone = useZone()
  const keyword = useRested(text.trim(), REST_MS)
  const hasKeyword = keyword !== ''
  const globalAdmin = isGlobalAdmin(session)
  const integrator = globalAdmin ? (chosen?.id ?? null) : session.user.organizationId
  const organizationId = hasKeyword && ownCustomer(session) === null ? integrator : null
  const pathOf = (id: string) => paths.customer(id, globalAdmin ? (integrator ?? undefined) : undefined)

  const projects = useProjects(customer?.id ?? null)
  const scope = projects.data?.customer.scope
  const can = (action: Parameters<typeof session.can>[0]) => scope !== undefined && session.can(action, scope)
  const customerId = hasKeyword ? (customer?.id ?? null) : null
  const customers = useQuery(
    organizationId && customersPath(organizationId, keyword),
    get<Page<CustomerCard>>,
    { keepPreviousData: true }
  )
  // The device search rejects some characters.
  const deviceKeyword = canFind(keyword) ? keyword : ''
  const devices = useDeviceSearch(
    deviceKeyword === '' ? null : customerId,
    wordsBeyond(deviceKeyword, customer?.name ?? ''),
    GROUP_MAX
  )
  const points = useFoundPoints(can('data:query-model') ? customerId : null, keyword, GROUP_MAX)
  const readings = useReadings(can('live:read') ? customerId : null, points.data?.points ?? [])
  const alarms = useOpenAlarms(can('alarms:query') && mayOpenAlarms(session) ? customerId : null, keyword)
  const deviceSearch = useDevicesEverywhere(organizationId, deviceKeyword, EVERYWHERE_MAX)

  const here = { organizationId: chosen?.id ?? null, customerId: null, projectId: null }
  const pages = pageTargets(navItemsOf(session, here), session, customer, scope)
  const rights = {
    chart: can('data:query') && session.flags.enableHistoryCharting,
    write: can('live:write')
  }
  const ofCustomer = ({ path }: SearchedCustomer): Target[] => [
    // The previous keyword's data stays while nothing is searched.
    ...(deviceKeyword === '' ? [] : (devices.data ?? [])).map((device) =>
      deviceTarget(device, path, rights.chart)
    ),
    ...(points.data?.points ?? []).map((found) => pointTarget(found, path, rights)),
    ...(alarms.data?.items ?? []).map((alarm) =>
      alarmTarget(alarm, path, formatMoment(alarm.timestamp, zone))
    ),
    ...searchProjects(projects.data?.projects ?? [], keyword)
      .slice(0, GROUP_MAX)
      .map((project) => projectTarget(project, path))
  ]
  const otherDevices = deviceSearch.items
    .filter((found) => found.customer.id !== customer?.id)
    .slice(0, LONG_GROUP_MAX)
  const integrators = globalAdmin && chosen === null ? (list?.data ?? []).map(integratorTarget) : []
  const matchingIntegrators = targetsNamed(integrators, text)
  const shownIntegrators = (matchingIntegrators.length > 0 ? matchingIntegrators : integrators).slice(
    0,
    LONG_GROUP_MAX
  )
  const targets: Target[] = hasKeyword
    ? [
        ...targetsNamed(pages, text).slice(0, GROUP_MAX),
        ...shownIntegrators,
        ...(customer ? ofCustomer(customer) : []),
        ...(customers.data?.items ?? []).map((card) =>
          customerTarget(card, pathOf(card.id), card.id === customer?.id)
        ),
        ...otherDevices.map((found) =>
          foreignDeviceTarget(
            found,
            pathOf(found.customer.id),
            session.can('data:query', found.customer.scope) && session.flags.enableHistoryCharting,
            customer ? 'Devices of other customers' : 'Devices'
          )
        )
      ]
    : [
        ...recentTargets(session.user.id, pathname + search),
        ...targetsNamed(pages, text),
        ...shownIntegrators
      ]

  const searches = [customers, devices, points, alarms]
  const queries = [...searches, projects]
  const searching =
    deviceSearch.waiting ||
    searches.some(({ isFetching }) => isFetching) ||
    (projects.isFetching && !projects.data)
  const { read, of } = deviceSearch.customers
  return {
    targets,
    readings,
    busy: keyword !== text.trim() || (hasKeyword && searching),
    unread: deviceSearch.reading ? of - read - deviceSearch.unread : 0,
    failed:
      hasKeyword &&
      (queries.some(({ error }) => error !== undefined) ||
        deviceSearch.error !== undefined ||
        deviceSearch.unread > 0 ||
        points.data?.isPartial === true),
    withoutIntegrator: globalAdmin && integrator === null,
    retry() {
      for (const { error, refetch } of queries) if (error !== undefined) refetch()
      if (points.data?.isPartial) points.refetch()
      if (deviceSearch.error !== undefined || deviceSearch.unread > 0) deviceSearch.retry()
    }
  }
}

function customersPath(organizationId: string, keyword: string): string {
  const query = new URLSearchParams({ keyword, page: '0', size: String(GROUP_MAX) })
  return `${calls.customers(organizationId)}?${query}`
}

/** Searches nothing without a customer. */
function useOpenAlarms(customerId: string | null, keyword: string) {
  return useAlarms({
    customerId,
    filter: { show: 'action', sourceStates: [], alarmClasses: [], keyword },
    order: { sort: 'timestamp', order: 'desc' },
    page: 0,
    size: GROUP_MAX,
    atMs: 0,
    follows: false
  })
}
