import Users from 'lucide-react/icons/users'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { useLayout } from '../../lib/layout.ts'
import { paths } from '../../paths.ts'
import { useIntegrator } from '../../session/integrator.ts'

/** Where a global admin comes in. */
export function UsersPage() {
  const { chosen } = useIntegrator()
  const place = useLayout() === 'mobile' ? 'in the menu' : 'at the top of the sidebar'
  return (
    <>
      <TitleBlock title="Users & Roles" crumbs={[{ label: 'Home' }]} />
      <Panel
        icon={Users}
        title="Users are not available yet"
        actions={
          chosen?.orgName && (
            <PrefetchLink to={paths.integrator(chosen.id)} className="button">
              Customers of {chosen.orgName}
            </PrefetchLink>
          )
        }
      >
        <p>
          This page of the portal is still being built. Choose an integrator {place} to see its customers.
        </p>
      </Panel>
    </>
  )
}
