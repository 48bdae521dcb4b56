// The project list of a customer: projects with their device counts, and the totals.

import { ProjectList } from '#shared/answers/customers.ts'
import type { Organization } from '#shared/entities.ts'
import { customerScope } from '#shared/scopes.ts'
import type { Snapshots } from '../inventory/cache.ts'
import { sendJson } from './encoding.ts'
import { CustomerParams } from './parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, snapshotFor } from './request.ts'

interface Services {
  snapshots: Snapshots
}

export const projectRoutes: PortalRoutes<Services> = async (app, { snapshots }) => {
  app.get(
    '/customers/:customerId/projects',
    {
      config: {
        id: 'portal.projects',
        access: { action: 'projects:view', scope: 'customer' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the projects of a customer',
          description: 'Returns the projects with their device counts, sorted by name, and the totals.',
          answers: { 200: { schema: ProjectList } }
        }
      },
      schema: { params: CustomerParams }
    },
    async (request, reply) => {
      const { customer, organization } = await snapshotFor(snapshots, request, reply)
      return sendJson(request, reply, await customer.projects(headOf(organization)))
    }
  )
}

function headOf({ id, orgName, partnerId }: Organization): ProjectList['customer'] {
  return { id, orgName, scope: customerScope(partnerId ?? '', id) }
}
