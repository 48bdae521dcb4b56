// Searches the devices of many customers: cached ones at once, the others as they are read, a few at a time.
import type { LimitFunction } from 'p-limit'
import { canFind } from '#shared/devices.ts'
import type { CustomerName, DeviceSearch, FoundDevice } from '#shared/entities.ts'
import { holdingAt, may } from '#shared/permissions.ts'
import { customerScope } from '#shared/scopes.ts'
import { mergeFound } from '#shared/search/found-devices.ts'
import { problems } from '../../errors.ts'
import type { SearchedCustomer, Snapshots } from '../../inventory/cache.ts'
import type { Found } from '../../inventory/questions.ts'
import type { Caller, Clock } from '../../types.ts'
import { rolesChanged } from '../request.ts'

/** Maximum number of customers that one search reads; the next search continues. */
const READ_MAX = 500
/** Older snapshots are read again while no other customer is read, so that all stay cached while people search. */
const AGED_MS = 5 * 60_000

interface Search {
  snapshots: Snapshots
  clock: Clock
  caller: Caller
  /** The customers that the caller may view, by name. */
  customers: readonly CustomerName[]
  q: string
  size: number
  /** Limits the parallel reads of the caller. */
  limit: LimitFunction
  /** Aborted when the caller disconnects; then no further customer is read. */
  signal: AbortSignal
}

/**
 * Yields new matches: first of all cached customers, then of each customer that is read. Names customers that could not
 * be read. Throws 401 after a sign-out, 403 if a customer may no longer be viewed, 499 if the caller has disconnected.
 */
export async function* searchDevices(search: Search): AsyncGenerator<DeviceSearch, void, void> {
  const rights = createRights(search)
  const ended = new AbortController()
  const signal = AbortSignal.any([search.signal, ended.signal])
  try {
    for await (const step of stepsOf({ ...search, signal }, rights)) {
      await rights.check()
      yield step
    }
  } finally {
    ended.abort()
  }
}

async function* stepsOf(all: Search, rights: Rights): AsyncGenerator<DeviceSearch, void, void> {
  const { snapshots, caller, customers, q, size, limit, signal } = all
  const of = customers.length
  if (!canFind(q)) return yield { items: [], total: 0, customers: { read: of, of }, partial: [] }

  const search = (some: readonly SearchedCustomer[]): Promise<Found> =>
    snapshots
      .search(some.filter(rights.mayView), q, size)
      .catch(() => ({ items: [], total: 0, lost: some.map(({ customer }) => customer) }))

  async function read(customer: CustomerName): Promise<Found> {
    if (signal.aborted) throw problems.clientGone()
    await rights.check()
    const snapshot = await snapshots.of(customer.id, caller, signal).catch(() => null)
    if (signal.aborted) throw problems.clientGone()
    return snapshot ? search([{ customer, snapshot }]) : { items: [], total: 0, lost: [customer] }
  }

  const kept = snapshots.kept(
    customers.map(({ id }) => id),
    caller
  )
  const warm = customers.flatMap((customer) => {
    const snapshot = kept.get(customer.id)
    return snapshot ? [{ customer, snapshot }] : []
  })
  const cold = customers.filter(({ id }) => !kept.has(id))
  const left = cold.splice(READ_MAX)
  const add = tally(size, of)
  const { lost, ...atHand } = await search(warm)
  yield add(warm.length + left.length, { ...atHand, lost: [...lost, ...left] })

  let waiting = cold.length
  for await (const found of asTheyCome(cold.map((customer) => limit(read, customer)))) {
    const step = add(1, found)
    waiting -= 1
    if (step.items.length > 0 || step.partial.length > 0 || waiting === 0) yield step
  }
  if (cold.length === 0) readAged(all, warm, rights)
}

/** Adds up matches. Returns the new ones among the best. */
function tally(size: number, of: number): (searched: number, found: Found) => DeviceSearch {
  let best: readonly FoundDevice[] = []
  let [total, read] = [0, 0]
  return (searched, found) => {
    const before = new Set(best)
    best = mergeFound(best, found.items, size)
    total += found.total
    read += searched - found.lost.length
    const items = best.filter((one) => !before.has(one))
    return { items, total, customers: { read, of }, partial: found.lost }
  }
}

interface Rights {
  /** Throws 401 after a sign-out, 403 if the caller may no longer view one of the customers. */
  check(): Promise<void>
  /** Decides by the customer's current integrator, which may differ from the list. */
  mayView(searched: SearchedCustomer): boolean
}

/** The caller's current rights, which may have changed since the search began. */
function createRights({ caller, customers }: Search): Rights {
  let { user } = caller
  let heldAt = holdingAt(user.roleAssignments)
  return {
    async check() {
      const current = await caller.currentUser()
      if (current === user) return
      const holds = holdingAt(current.roleAssignments)
      if (!customers.every(({ scope }) => may(holds(scope), 'projects:view', scope))) throw rolesChanged()
      user = current
      heldAt = holds
    },
    mayView({ customer, snapshot }) {
      const { partnerId } = snapshot.organization
      const scope = partnerId === null ? customer.scope : customerScope(partnerId, customer.id)
      return may(heldAt(scope), 'devices:view', scope)
    }
  }
}

function readAged(
  { snapshots, clock, caller, limit }: Search,
  warm: readonly SearchedCustomer[],
  rights: Rights
): void {
  if (limit.activeCount > 0) return
  const aged = warm.filter(({ snapshot }) => clock() - snapshot.takenAt > AGED_MS)
  for (const { customer } of aged.slice(0, limit.concurrency))
    limit(async () => {
      await rights.check()
      await snapshots.within(AGED_MS, customer.id, caller)
    }).catch(() => {})
}

/** The results in the order of their arrival. Throws the first failure. */
function asTheyCome<T>(promises: readonly Promise<T>[]): ReadableStream<T> {
  return new ReadableStream({
    start(results) {
      Promise.all(promises.map(async (promise) => results.enqueue(await promise)))
        .then(() => results.close())
        .catch((error) => results.error(error))
    }
  })
}
