// The project list of a customer: projects with their device counts, and the totals.
import type { Organization, ProjectList } from '#shared/entities.ts'
import { customerScope } from '#shared/scopes.ts'
import { DOCS } from './descriptions.ts'
import { sendJson } from './encoding.ts'
import { type PortalRoutes, snapshotFor } from './request.ts'
import { CustomerParams } from './schemas.ts'

export const projectRoutes: PortalRoutes = async (app, options) => {
  app.get(
    '/customers/:customerId/projects',
    {
      config: {
        id: 'portal.projects',
        access: { action: 'projects:view', scope: 'customer' },
        docs: DOCS.projects
      },
      schema: { params: CustomerParams }
    },
    async (request, reply) => {
      const { inventory, organization } = await snapshotFor(options, request, reply)
      return sendJson(request, reply, await inventory.projects(headOf(organization)))
    }
  )
}

function headOf({ id, orgName, partnerId }: Organization): ProjectList['customer'] {
  return { id, orgName, scope: customerScope(partnerId ?? '', id) }
}
