// Lists the customers that the caller may see, as cards.

import { type CustomerCard, CustomerPage } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { Organization } from '#shared/entities.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { type Assignment, holdingAt, may } from '#shared/permissions.ts'
import { customerScope } from '#shared/scopes.ts'
import { compareTexts } from '#shared/text-order.ts'
import { pageOf } from '../paging.ts'
import { closed } from '../schemas.ts'
import { sortInSteps } from '../sort-in-steps.ts'
import { inSteps } from '../steps.ts'
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
      const cards = await cardsOf(customers, organizationId, caller.user.roleAssignments)
      return pageOfCards(cards, keyword, page, size)
    }
  )
}

/** Customers between two pauses. Comparing two names takes up to some microseconds. */
const SORTED_PER_STEP = 50
/** Number of characters that are compared: twice the longest name. Sorting thousands of long numbers takes seconds. */
const NAME_COMPARED = 100
const nameOf = ({ orgName }: CustomerCard) => orgName.slice(0, NAME_COMPARED)

/** The cards of the customers whose projects the caller may see, sorted by name. */
export async function cardsOf(
  customers: readonly Organization[],
  organizationId: string,
  assignments: readonly Assignment[]
): Promise<readonly CustomerCard[]> {
  const heldAt = holdingAt(assignments)
  // A list that changes while its pages are fetched may contain a customer twice.
  const distinct = new Map(customers.map((customer) => [customer.id, customer]))
  const cards = [...distinct.values()]
    .map(({ id, orgName, projectCount, deviceCount, partnerId }) => {
      const scope = customerScope(partnerId ?? organizationId, id)
      return { id, orgName, projectCount, deviceCount, scope }
    })
    .filter(({ scope }) => may(heldAt(scope), 'projects:view', scope))
  return inSteps(sortInSteps(cards, (a, b) => compareTexts(nameOf(a), nameOf(b)), SORTED_PER_STEP))
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
