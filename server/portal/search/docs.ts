// What openapi.json says of the searches.
import { DeviceSearchSchema, FoundPointsSchema } from '#shared/answers.ts'
import type { RouteDocs } from '../../types.ts'
import { CUSTOMERS_AREA, ENDED_EARLY } from '../descriptions.ts'

export const SEARCH_DOCS: Record<'devices' | 'points', RouteDocs> = {
  devices: {
    area: CUSTOMERS_AREA,
    summary: 'Search the devices of all customers of an integrator',
    description: `Of the customers that the caller may view. Those at hand are searched first, the others are read a few at a time. With \`Accept: application/x-ndjson\` each line tells what was found since the one before: \`items\` that are among the best now, \`total\` and \`customers\` so far, \`partial\` since then; it ends with the last customer. ${ENDED_EARLY} A customer is read again when it is older than 15 minutes, or was changed through the gateway.`,
    answers: { 200: { schema: DeviceSearchSchema, lines: DeviceSearchSchema } }
  },
  points: {
    area: CUSTOMERS_AREA,
    summary: 'Search the points of all devices of a customer',
    description:
      'Those of devices that the text names first, as in `AHU-1 supply`; then by name, by the values of tags, of which the slot path is one, and by their names. At most twelve searches of the upstream a call.',
    answers: { 200: { schema: FoundPointsSchema } }
  }
}
