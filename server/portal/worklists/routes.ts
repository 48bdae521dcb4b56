// Lists the rows behind the counts of the start page, of all customers of an organization, from what has been read (readings/).
import type { FastifyInstance } from 'fastify'
import type { CustomerCard, CustomerName } from '#shared/answers/customers.ts'
import { WORKLIST_ANSWERS } from '#shared/answers/worklists.ts'
import { type Assignment, holdingAt, may } from '#shared/permissions.ts'
import { WORKLIST_ROWS_MAX, WORKLISTS, type WorklistName } from '#shared/worklists.ts'
import { inSteps } from '../../steps.ts'
import type { Clock } from '../../types.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { failedWith } from '../attention/counts.ts'
import type { CustomerLists } from '../customer-lists.ts'
import { formatFor, jsonInSteps } from '../encoding.ts'
import {
  LIST_FORMATS,
  LIST_FORMATS_TEXT,
  LIST_REFUSALS,
  listAnswers,
  sendPage,
  sendWhole,
  textsOf
} from '../list-formats.ts'
import { OrganizationParams } from '../parameters.ts'
import { createReadingLists, mapInSteps, type RowQuery } from '../reading-lists.ts'
import type { Readings, ReadRows } from '../readings/customer-readings.ts'
import type { CustomerKinds } from '../readings/next-customer.ts'
import type { Reader } from '../readings/reader.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn } from '../request.ts'
import { BACKUPS, PLANS, SERVICES, type Worklist } from './lists.ts'
import { QUERIES, type Queries } from './query.ts'

interface Services {
  reader: Reader
  customerLists: CustomerLists
  clock: Clock
}

export const worklistRoutes: PortalRoutes<Services> = async (app, services) => {
  addRoute(app, 'services', SERVICES, services)
  addRoute(app, 'plans', PLANS, services)
  addRoute(app, 'backups', BACKUPS, services)
}

/** The query of any list: each list has only some of these filters. */
type Query = Queries['services'] & Partial<Pick<Queries['plans'], 'level'>>

function addRoute<Item, Name extends WorklistName>(
  app: FastifyInstance,
  name: Name,
  list: Worklist<Item, Name>,
  { reader, customerLists, clock }: Services
): void {
  const lists = createReadingLists(list.kind)
  const seenCustomers = createSeenCustomers(name)

  app.get(
    `/organizations/:organizationId/worklists/${name}`,
    {
      config: {
        id: `portal.worklist-${name}`,
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: list.summary,
          description: `The devices that \`GET /organizations/{organizationId}/attention\` counts, of the customers where the caller has \`${WORKLISTS[name].actions.join('` and `')}\`: at most ${WORKLIST_ROWS_MAX} rows of a customer${name === 'services' ? ', of services that have ended and of those that end each' : ''}; \`more\` counts the others. Answers at once with what has been read. For a minute after each call, the gateway reads what is missing or old, as for the counts. So repeat the call until \`partial\` is empty. A row must match every filter. ${LIST_FORMATS_TEXT}`,
          answers: listAnswers(WORKLIST_ANSWERS[name].page, WORKLIST_ANSWERS[name].line),
          refusals: LIST_REFUSALS
        }
      },
      schema: { params: OrganizationParams, querystring: QUERIES[name] }
    },
    async (request, reply) => {
      const format = formatFor(request, LIST_FORMATS)
      const caller = signedIn(request.caller)
      const { organizationId } = request.params as { organizationId: string }
      const query = request.query as Query
      const cards = await customerLists.of(organizationId, caller, disconnectSignal(reply))
      const customers = seenCustomers(cards, caller.user.roleAssignments)
      reader.callForRows(organizationId, caller, name, customers, query.customerId)

      const readingsOf = reader.readingsFor(caller)
      const states = await inSteps(
        mapInSteps(customers, ({ customer }) => stateOf(customer, readingsOf(customer.id), name, list))
      )
      const read = states.filter((state) => isRead(state))
      // Callers of equal visibility see the same readings, except one whose token fails.
      const isShared = states.every(({ hasFailed }) => !hasFailed)
      const listName = `${organizationId} ${visibilityOf(caller)} ${isShared ? '' : caller.user.id}`
      const nowMs = clock()
      const rowQuery = rowQueryOf(query, nowMs, list)
      const summary = {
        totals: read.map(({ total }) => total),
        partial: states.filter(({ isComplete }) => !isComplete).map(({ customer }) => customer),
        readAt: oldestOf(read.map(({ reading }) => reading.readAt))
      }
      if (format !== 'application/json') {
        const rows = await lists.all(listName, read, rowQuery)
        const texts = textsOf(rows, list.answerOf, format, list.columns(nowMs))
        return sendWhole(request, reply, { name, format, caller, nowMs, summary, texts })
      }
      const { items, page } = await lists.page(listName, read, rowQuery)
      const answer = { items: items.map(list.answerOf), page, ...summary }
      return sendPage(request, reply, summary.partial.length, Buffer.from(await inSteps(jsonInSteps(answer))))
    }
  )
}

interface SeenCustomer extends CustomerKinds {
  customer: CustomerName
}

/** Returns a function that finds the customers whose rows a caller may see: one object for all callers who share the cards. */
function createSeenCustomers(name: WorklistName) {
  const { kinds, actions } = WORKLISTS[name]
  const known = new WeakMap<readonly CustomerCard[], readonly SeenCustomer[]>()
  return (cards: readonly CustomerCard[], assignments: readonly Assignment[]): readonly SeenCustomer[] => {
    const heldAt = holdingAt(assignments)
    const seen =
      known.get(cards) ??
      cards
        .filter(({ scope }) => actions.every((action) => may(heldAt(scope), action, scope)))
        .map(({ id, orgName, scope }) => ({ customerId: id, kinds, customer: { id, orgName, scope } }))
    known.set(cards, seen)
    return seen
  }
}

interface State<Item> {
  customer: CustomerName
  reading: ReadRows<Item> | undefined
  total: object
  isComplete: boolean
  /** Whether the caller's own token has failed. */
  hasFailed: boolean
}

function stateOf<Item, Name extends WorklistName>(
  customer: CustomerName,
  readings: Readings | undefined,
  name: Name,
  { rowsOf, countsOf, isIncomplete }: Worklist<Item, Name>
): State<Item> {
  const reading = readings && rowsOf(readings)
  const hasFailed = Object.keys(readings?.failedAt ?? {}).length > 0
  if (readings === undefined || reading === undefined)
    return { customer, reading, total: {}, isComplete: false, hasFailed }
  const { items, total, readAt } = reading
  return {
    customer,
    reading,
    total: {
      customer,
      ...countsOf(readings),
      rows: items.length,
      more: total - items.length,
      readAt: new Date(readAt).toISOString()
    },
    isComplete: !isIncomplete(readings) && !failedWith(name, readings),
    hasFailed
  }
}

const isRead = <Item>(state: State<Item>): state is State<Item> & { reading: ReadRows<Item> } =>
  state.reading !== undefined

function oldestOf(times: readonly number[]): string | null {
  if (times.length === 0) return null
  return new Date(times.reduce((oldest, time) => Math.min(oldest, time))).toISOString()
}

const MINUTE_MS = 60_000

function rowQueryOf<Item, Name extends WorklistName>(
  { sort, order, q, page, size, customerId, ...filters }: Query,
  nowMs: number,
  { matches }: Worklist<Item, Name>
): RowQuery<Item> {
  const { service, days, level } = filters
  const limits = [customerId, service, days, level]
  // Services end while the rows stay the same.
  const minute = days === undefined ? null : Math.floor(nowMs / MINUTE_MS)
  return {
    sort,
    order,
    keyword: q,
    filter: ({ item, customer }) =>
      (customerId === undefined || customer.id === customerId) && matches(item, filters, nowMs),
    filterName: limits.every((limit) => limit === undefined) ? '' : JSON.stringify([...limits, minute]),
    page,
    size
  }
}
