import { isGlobalAdmin } from '#shared/landing.ts'
import { mayAnywhere } from '#shared/permissions.ts'
import { WORKLIST_NAMES, WORKLISTS, type WorklistName } from '#shared/worklists.ts'
import { capitalized } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { type Session, useSession } from '../../../lib/session/session.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'

type Current = 'customers' | 'devices' | WorklistName

/** Whether the person may see the rows of any customer. */
export function maySeeWorklist({ user }: Session, name: WorklistName): boolean {
  return WORKLISTS[name].actions.every((action) => mayAnywhere(user.roleAssignments, action))
}

/** Leads from each list over all customers to the others. */
export function OrganizationLists({ current }: { current: Current }) {
  const session = useSession()
  const { id } = useOrganization()
  const integratorId = (isGlobalAdmin(session) && id) || undefined
  const names = [...WORKLIST_NAMES.filter((name) => maySeeWorklist(session, name)), 'devices' as const]
  const lists: { name: Current; to: string }[] = [
    { name: 'customers', to: integratorId ? paths.integrator(integratorId) : paths.home },
    ...names.map((name) => ({ name, to: paths.worklist(name, { organizationId: integratorId }) }))
  ]
  return (
    <nav aria-label="Lists of all customers" className="tab-list organization-lists">
      {lists.map(({ name, to }) => (
        <PrefetchLink
          key={name}
          to={to}
          className="view-link"
          ref={name === current ? scrollToTab : undefined}
          aria-current={name === current ? 'page' : undefined}
        >
          {capitalized(name)}
        </PrefetchLink>
      ))}
    </nav>
  )
}

/** Shows the tab on a small screen, where they do not fit. */
function scrollToTab(tab: HTMLElement | null): void {
  const tabs = tab?.parentElement
  if (tabs) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft
}
