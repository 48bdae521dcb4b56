// Searches the devices of many customers: cached ones at once, then the others while they are fetched, a few at a time.
import type { CustomerName, DeviceSearch, FoundDevice } from '#shared/answers/customers.ts'
import { canFind } from '#shared/devices.ts'
import { mergeFound } from '#shared/found-devices.ts'
import { holdingAt, may } from '#shared/permissions.ts'
import { customerScope } from '#shared/scopes.ts'
import { problems } from '../../errors.ts'
import type { SearchedCustomer, Snapshots } from '../../inventory/cache.ts'
import type { SearchResult } from '../../inventory/worker/calls.ts'
import type { Caller } from '../../types.ts'
import type { CustomerReads } from './customer-reads.ts'

/** Maximum number of customers that one search fetches. The next search fetches the remaining ones. */
const READ_MAX = 500

interface Search {
  snapshots: Snapshots
  caller: Caller
  /** The customers that the caller may view, sorted by name. */
  customers: readonly CustomerName[]
  q: string
  size: number
  reads: CustomerReads
  /** Aborted when the caller disconnects; then no further customer is fetched. */
  signal: AbortSignal
}

/**
 * Yields new matches: first those of all cached customers, then those of each customer that is fetched. `partial` names
 * customers that could not be fetched. Throws 401 after a sign-out, 403 without access to a customer, 499 after a disconnect.
 */
export async function* searchDevices(search: Search): AsyncGenerator<DeviceSearch, void, void> {
  const rights = createRights(search)
  const aborter = new AbortController()
  const signal = AbortSignal.any([search.signal, aborter.signal])
  try {
    for await (const step of stepsOf({ ...search, signal }, rights)) {
      await rights.check()
      yield step
    }
  } finally {
    aborter.abort()
  }
}

async function* stepsOf(options: Search, rights: Rights): AsyncGenerator<DeviceSearch, void, void> {
  const { snapshots, reads, caller, customers, q, size, signal } = options
  const of = customers.length
  if (!canFind(q)) return yield { items: [], total: 0, customers: { read: of, of }, partial: [] }

  const search = (entries: readonly SearchedCustomer[]): Promise<SearchResult> =>
    snapshots
      .search(entries.filter(rights.mayView), q, size)
      .catch(() => ({ items: [], total: 0, lost: entries.map(({ customer }) => customer) }))

  async function read(customer: CustomerName): Promise<SearchResult> {
    if (signal.aborted) throw problems.clientGone()
    await rights.check()
    const snapshot = await snapshots.of(customer.id, caller, signal).catch(() => null)
    if (signal.aborted) throw problems.clientGone()
    return snapshot ? search([{ customer, snapshot }]) : { items: [], total: 0, lost: [customer] }
  }

  const limit = reads.limitOf(caller)
  const { cachedCustomers, uncachedCustomers } = reads.known(customers, caller)
  const remaining = uncachedCustomers.splice(READ_MAX)
  const add = tally(size, of)
  const { lost, ...found } = await search(cachedCustomers)
  yield add(cachedCustomers.length + remaining.length, { ...found, lost: [...lost, ...remaining] })

  let pending = uncachedCustomers.length
  for await (const found of inOrderOfArrival(uncachedCustomers.map((customer) => limit(read, customer)))) {
    const step = add(1, found)
    pending -= 1
    if (step.items.length > 0 || step.partial.length > 0 || pending === 0) yield step
  }
  if (uncachedCustomers.length === 0) reads.refresh(cachedCustomers, caller, rights)
}

/** Creates a function that adds up matches and returns those that are new among the best. */
function tally(size: number, of: number): (searched: number, found: SearchResult) => DeviceSearch {
  let best: readonly FoundDevice[] = []
  let total = 0
  let read = 0
  return (searched, found) => {
    const previousBest = new Set(best)
    best = mergeFound(best, found.items, size)
    total += found.total
    read += searched - found.lost.length
    const items = best.filter((match) => !previousBest.has(match))
    return { items, total, customers: { read, of }, partial: found.lost }
  }
}

export interface Rights {
  /** Throws 401 after a sign-out, 403 if the caller may no longer view one of the customers. */
  check(): Promise<void>
  /** Decides by the integrator in the snapshot, which may be newer than the one in the customer list. */
  mayView(searched: SearchedCustomer): boolean
}

/** Follows the caller's rights, which may change during the search. */
export function createRights({ caller, customers }: Pick<Search, 'caller' | 'customers'>): Rights {
  let { user } = caller
  let heldAt = holdingAt(user.roleAssignments)
  return {
    async check() {
      const current = await caller.currentUser()
      if (current === user) return
      const holds = holdingAt(current.roleAssignments)
      if (!customers.every(({ scope }) => may(holds(scope), 'projects:view', scope)))
        throw problems.rolesChanged()
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

/** The results in the order in which they arrive. Throws the first failure. */
function inOrderOfArrival<T>(promises: readonly Promise<T>[]): ReadableStream<T> {
  return new ReadableStream({
    start(results) {
      Promise.all(promises.map(async (promise) => results.enqueue(await promise)))
        .then(() => results.close())
        .catch((error) => results.error(error))
    }
  })
}
