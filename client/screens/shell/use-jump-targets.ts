import { useEffect, useState } from 'react'
import type { CustomerCard, DevicePage, Page } from '#shared/entities.ts'
import { useProjects } from '../../api/projects.ts'
import { useLoad } from '../../api/use-load.ts'
import { count } from '../../lib/format.ts'
import { pagesFor, type Target, targetsNamed } from '../../lib/jump-targets.ts'
import { isGlobalAdmin, ownCustomer } from '../../lib/landing.ts'
import { searchProjects } from '../../lib/project-search.ts'
import { paths } from '../../paths.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'
import type { SearchedCustomer } from './use-searched-customer.ts'

const DEBOUNCE_MS = 150
const EACH_MAX = 6

export interface Found {
  targets: Target[]
  busy: boolean
  /** Part of it could not be searched. */
  failed: boolean
  retry: () => void
}

/** Pages at once; customers, projects and devices once typing rests. */
export function useJumpTargets(text: string, customer: SearchedCustomer | null): Found {
  const session = useSession()
  const { chosen } = useIntegrator()
  const keyword = useRested(text.trim())
  const globalAdmin = isGlobalAdmin(session)
  const integrator = globalAdmin ? (chosen?.id ?? null) : session.user.organizationId
  const several = ownCustomer(session) === null
  const wanted = keyword !== ''
  const query = new URLSearchParams({ page: '0', size: String(EACH_MAX) })
  const customers = useLoad<Page<CustomerCard>>(
    wanted && several && integrator
      ? `/api/portal/v1/organizations/${encodeURIComponent(integrator)}/customers?${query}&${new URLSearchParams({ keyword })}`
      : null,
    { keepPreviousData: true }
  )
  const projects = useProjects(wanted && customer ? customer.id : null)
  const devices = useLoad<DevicePage>(
    wanted && customer
      ? `/api/portal/v1/customers/${encodeURIComponent(customer.id)}/devices?${query}&${new URLSearchParams({ q: keyword, sort: 'deviceName', order: 'asc' })}`
      : null,
    { keepPreviousData: true }
  )

  const cards = wanted ? (customers.data?.items ?? []) : []
  const pathOf = ({ id }: CustomerCard) =>
    paths.customer(id, globalAdmin ? (integrator ?? undefined) : undefined)
  const pages = pagesFor(session, { organizationId: chosen?.id ?? null, customer })
  const targets: Target[] = [
    ...targetsNamed(pages, text),
    ...(wanted && customer ? devicesOf(devices.data, customer) : []),
    ...(wanted && customer ? projectsOf(projects.data?.projects ?? [], keyword, customer) : []),
    ...cards.map(
      (card): Target => ({
        id: card.id,
        group: 'Customers',
        name: card.orgName,
        detail: `${count(card.projectCount, 'project')}, ${count(card.deviceCount, 'device')}`,
        to: pathOf(card)
      })
    ),
    ...cards
      .filter(({ id }) => id !== customer?.id)
      .map((card): Target => ({ id: card.id, group: 'Search in', name: card.orgName, to: pathOf(card) }))
  ]
  const loads = [customers, projects, devices]
  return {
    targets,
    busy: wanted && (keyword !== text.trim() || loads.some(({ busy }) => busy)),
    failed: wanted && loads.some(({ error }) => error !== undefined),
    retry: () => {
      for (const { error, reload } of loads) if (error !== undefined) reload()
    }
  }
}

function devicesOf(page: DevicePage | undefined, { path }: SearchedCustomer): Target[] {
  return (page?.items ?? []).map(({ deviceUuid, deviceName, hostId, projectName }) => ({
    id: deviceUuid,
    group: 'Devices',
    name: deviceName,
    detail: [hostId, projectName].filter(Boolean).join(', '),
    to: paths.device(path, deviceUuid)
  }))
}

function projectsOf(
  projects: readonly { id: string; projectName: string; deviceCount: number }[],
  keyword: string,
  { path }: SearchedCustomer
): Target[] {
  return searchProjects(projects, keyword)
    .slice(0, EACH_MAX)
    .map(({ id, projectName, deviceCount }) => ({
      id,
      group: 'Projects',
      name: projectName,
      detail: count(deviceCount, 'device'),
      to: `${path}?${new URLSearchParams({ project: id })}`
    }))
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
