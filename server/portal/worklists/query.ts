// The queries of the lists behind the counts of the start page.
import Type, { type Static } from 'typebox'
import { oneOf } from '#shared/answers/parts.ts'
import { PLAN_LEVELS } from '#shared/attention.ts'
import { DEVICE_SERVICES } from '#shared/devices.ts'
import { ORGANIZATION_LIST_SIZE } from '#shared/limits.ts'
import { WORKLIST_DAYS, WORKLIST_DAYS_MAX, WORKLISTS } from '#shared/worklists.ts'
import { closed, id, optional } from '../../schemas.ts'
import { optionalText, orderWithDefault, page, pageSize, withDefault } from '../parameters.ts'

/** By these fields every list can be sorted. */
const DEVICE_SORTS = ['customer', 'deviceName', 'hostId', 'projectName'] as const

const shared = <Sort extends string>(
  sorts: readonly Sort[],
  { sort, order }: { sort: Sort; order: 'asc' | 'desc' }
) => ({
  q: optionalText(
    'Part of the name or host ID of the device, or of the name of its project or customer; or several words, each in the name of the device, its project or its customer, and at least one in the name of the device. White space and case are ignored.'
  ),
  customerId: optional(id('Only rows of this customer.', '9')),
  sort: withDefault(oneOf([...DEVICE_SORTS, ...sorts], 'The field to sort by.'), sort),
  order: orderWithDefault(order),
  page,
  size: pageSize(ORGANIZATION_LIST_SIZE)
})

export const QUERIES = {
  services: closed({
    ...shared(['service', 'endDate'], WORKLISTS.services.order),
    service: optional(oneOf(DEVICE_SERVICES, 'Only this service.')),
    days: Type.Optional(
      Type.Enum([...WORKLIST_DAYS], {
        type: 'integer',
        description: `Only services that end within this number of days, rounded up. \`0\`: only services that have ended. By default those that have ended, and those that end within ${WORKLIST_DAYS_MAX} days.`
      })
    )
  }),
  plans: closed({
    ...shared(['planLimit', 'used', 'percent'], WORKLISTS.plans.order),
    level: optional(oneOf(PLAN_LEVELS, 'Only plans at this level of usage.'))
  }),
  backups: closed(shared(['lastBackup'], WORKLISTS.backups.order))
}

export type Queries = { [Name in keyof typeof QUERIES]: Static<(typeof QUERIES)[Name]> }
