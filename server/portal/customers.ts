// Lists the customers that the caller may see, as cards.

import { type CustomerCard, CustomerPage } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { Organization } from '#shared/entities.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { type Assignment, holdingAt, may } from '#shared/permissions.ts'
import { customerScope } from '#shared/scopes.ts'
import { pageOf } from '../paging.ts'
import { closed } from '../schemas.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { OrganizationParams, optionalText, page, pageSize } from './parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn } from './request.ts'

const CustomersQuery = closed({
  keyword: optionalText('Part of the name; case is ignored.'),
  page,
  size: pageSize(CUSTOMER_PAGE_SIZE)
})

interface Services {
  client: UpstreamClient
}

export const customerRoutes: PortalRoutes<Services> = async (app, { client }) => {
  app.get(
    '/organizations/:organizationId/customers',
    {
      config: {
        id: 'portal.customers',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the customers of an integrator',
          description: 'Returns the customers that the caller may see, sorted by name.',
          answers: { 200: { schema: CustomerPage } }
        }
      },
      schema: { params: OrganizationParams, querystring: CustomersQuery }
    },
    async (request) => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const { keyword, page, size } = request.query
      const customers = await fetchCustomers(client, organizationId, caller)
      return pageOfCards(cardsOf(customers, organizationId, caller.user.roleAssignments), keyword, page, size)
    }
  )
}

/** Number of characters that are compared: twice the longest name. Sorting thousands of long numbers takes seconds. */
const NAME_COMPARED = 100
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The cards of the customers whose projects the caller may see, sorted by name. */
export function cardsOf(
  customers: readonly Organization[],
  organizationId: string,
  assignments: readonly Assignment[]
): CustomerCard[] {
  const heldAt = holdingAt(assignments)
  return customers
    .map(({ id, orgName, projectCount, deviceCount, partnerId }) => {
      const scope = customerScope(partnerId ?? organizationId, id)
      return { id, orgName, projectCount, deviceCount, scope }
    })
    .filter(({ scope }) => may(heldAt(scope), 'projects:view', scope))
    .sort((a, b) => byName.compare(a.orgName.slice(0, NAME_COMPARED), b.orgName.slice(0, NAME_COMPARED)))
}

/** One page of the cards whose name contains the keyword, ignoring case. */
export function pageOfCards(
  cards: readonly CustomerCard[],
  keyword: string,
  page: number,
  size: number
): Page<CustomerCard> {
  const lowerKeyword = keyword.trim().toLowerCase()
  return pageOf(
    cards.filter(({ orgName }) => orgName.toLowerCase().includes(lowerKeyword)),
    page,
    size
  )
}
