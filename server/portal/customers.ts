// The customers page (§2): cards of those customers of an organization that the caller may see.

import { pageOf } from '#shared/devices.ts'
import type { CustomerCard, Organization, Page } from '#shared/entities.ts'
import { type Assignment, may } from '#shared/permissions.ts'
import { customerScope, parseScope } from '#shared/scopes.ts'

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Cards in the order of their names. A customer is seen by those who may see its projects. */
export function cardsOf(
  customers: readonly Organization[],
  organizationId: string,
  assignments: readonly Assignment[]
): CustomerCard[] {
  return customers
    .map(({ id, orgName, projectCount, deviceCount, partnerId }) => {
      const scope = customerScope(partnerId ?? integratorOf(id, assignments) ?? organizationId, id)
      return { id, orgName, projectCount, deviceCount, scope }
    })
    .filter(({ scope }) => may(assignments, 'projects:view', scope))
    .sort((a, b) => byName.compare(a.orgName, b.orgName))
}

/** One page of the cards whose name contains the keyword, whatever its case. */
export function pageOfCards(
  cards: readonly CustomerCard[],
  keyword: string,
  page: number,
  size: number
): Page<CustomerCard> {
  const wanted = keyword.trim().toLowerCase()
  return pageOf(
    cards.filter(({ orgName }) => orgName.toLowerCase().includes(wanted)),
    page,
    size
  )
}

function integratorOf(customerId: string, assignments: readonly Assignment[]): string | null {
  const held = assignments
    .map(({ scope }) => parseScope(scope))
    .find((scope) => scope?.customerId === customerId)
  return held?.organizationId ?? null
}
