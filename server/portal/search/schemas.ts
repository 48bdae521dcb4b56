// Queries and documentation of the searches.
import { DeviceSearch, FoundPoints } from '#shared/answers/customers.ts'
import { SEARCH_SIZE, SEARCH_SIZE_MAX } from '#shared/limits.ts'
import { closed, text, whole } from '../../schemas.ts'
import type { RouteDocs } from '../../types.ts'
import { CUSTOMERS_AREA, ENDED_EARLY } from '../descriptions.ts'

const KEYWORD_MAX_CHARACTERS = 200

const size = { ...whole(1, SEARCH_SIZE_MAX, 'How many are listed, at most.'), default: SEARCH_SIZE }

export const PointsQuery = closed({
  q: text(
    KEYWORD_MAX_CHARACTERS,
    'Part of the name, of a tag or of the slot path, in any case; after the name, host ID or uuid of a device or its beginning, in that device.',
    {
      minLength: 1
    }
  ),
  size
})

export const SearchQuery = closed({
  q: text(
    KEYWORD_MAX_CHARACTERS,
    "Part of the name, host ID or uuid; white space and case do not count. Each of several words may also be in the project or the name of the customer, one at least is in the device's own. Nothing matches a blank search, nor one with one of `* < > \" ' % ( ) & + / ^ | ? [ ] \\`.",
    { minLength: 1 }
  ),
  size
})

/** Documentation of the searches. */
export const SEARCH_DOCS: Record<'devices' | 'points', RouteDocs> = {
  devices: {
    area: CUSTOMERS_AREA,
    summary: 'Search the devices of all customers of an integrator',
    description: `Of the customers that the caller may view. Those at hand are searched first, the others are read a few at a time. With \`Accept: application/x-ndjson\` each line tells what was found since the one before: \`items\` that are among the best now, \`total\` and \`customers\` so far, \`partial\` since then; it ends with the last customer. ${ENDED_EARLY} A customer is read again when it is older than 15 minutes, or was changed through the gateway.`,
    answers: { 200: { schema: DeviceSearch, lines: DeviceSearch } }
  },
  points: {
    area: CUSTOMERS_AREA,
    summary: 'Search the points of all devices of a customer',
    description:
      'Those of devices that the text names first, as in `AHU-1 supply`; then by name, by the values of tags, of which the slot path is one, and by their names. At most twelve searches of the upstream a call.',
    answers: { 200: { schema: FoundPoints } }
  }
}
