import Hammer from 'lucide-react/icons/hammer'
import { useLocation, useParams } from 'react-router-dom'
import { isOutOfReach } from '../../api/api-error.ts'
import { useProjects } from '../../api/projects.ts'
import { NotFound } from '../../components/not-found.tsx'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { paths } from '../../paths.ts'
import { useTrail } from '../../session/use-trail.ts'

/** The frame of a customer's page that is still to come. `titles` name it, outermost first. */
export function PendingPage({ titles }: { titles: string[] }) {
  const { customerId = '', organizationId } = useParams()
  const { pathname } = useLocation()
  const { data, error } = useProjects(customerId)
  const trail = useTrail(data?.customer.orgName)
  const title = titles.at(-1) ?? ''
  if (isOutOfReach(error)) return <NotFound path={pathname} home={paths.home} />
  return (
    <>
      <TitleBlock
        title={title}
        crumbs={[...trail, ...titles.map((label) => ({ label }))]}
        facts={data?.customer.orgName}
      />
      <Panel
        icon={Hammer}
        title={`${title} is not available yet`}
        actions={
          <PrefetchLink
            to={customerId ? paths.customer(customerId, organizationId) : paths.home}
            className="button"
          >
            {customerId ? 'Back to devices' : 'Home'}
          </PrefetchLink>
        }
      >
        <p>This page of the portal is still being built. Nothing is wrong with your data.</p>
      </Panel>
    </>
  )
}
