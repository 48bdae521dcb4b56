// Looks up the owners of objects: projects and devices in a customer's inventory, other objects in their upstream. Uses the
// caller's own token, so that nothing is revealed that the upstream hides from the caller.
import { Problem, problems } from '../errors.ts'
import type { CustomerHandle } from '../inventory/customer-handle.ts'
import type { OwnedKind } from '../inventory/worker/customers.ts'
import type { Caller } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { id, raw } from '../upstreams/fields.ts'
import { fetchAll } from '../upstreams/hal.ts'
import { PROOF_MAX_AGE_MS } from '../upstreams/organization-directory.ts'
import { linkedId } from './links.ts'

/** The inventories of customers. */
export interface Inventories {
  /** The customer's inventory, at most `maxAgeMs` old. Throws the upstream's problem. */
  within(maxAgeMs: number, customerId: string, caller: Caller): Promise<Snapshot>
}

interface Snapshot {
  customer: Pick<CustomerHandle, 'owns' | 'object'>
  /** When it was read, in milliseconds since 1970. */
  takenAt: number
}

interface OwnedObject {
  owner: string
  object: object
}

export interface Ownership {
  /**
   * The inventory that shows that all objects belong to the customer: devices by id or uuid, systems by guid, projects by id. Null
   * if they do not.
   */
  proofOf(
    kind: OwnedKind,
    ids: readonly string[],
    customerId: string,
    caller: Caller
  ): Promise<Snapshot | null>
  /** A service account or an export, and its organization. Throws a 404 problem if there is none. */
  ownedObject(kind: 'serviceAccount' | 'export', objectId: string, caller: Caller): Promise<OwnedObject>
  /** Whether the invitation belongs to the organization, or to the caller if `organizationId` is null. */
  hasInvitation(invitationId: string, organizationId: string | null, caller: Caller): Promise<boolean>
}

/** Minimum time between two look-ups of an object that was not found. */
const LOOK_AGAIN_MS = 2_000
/** Invitations per page. A page stays within the answer limits if each has at most 20 KB and 500 values; most have 1 KB. */
const LIST_PAGE_SIZE = 100
const INVENTORY_LOST = problems.inventoryUnavailable().id

interface Services {
  snapshots: Inventories
  client: UpstreamClient
}

export function createOwnership({ snapshots, client }: Services): Ownership {
  const proofOf: Ownership['proofOf'] = async (kind, ids, customerId, caller) => {
    const snapshot = await snapshots.within(PROOF_MAX_AGE_MS, customerId, caller)
    if (await snapshot.customer.owns(kind, ids)) return snapshot
    const newerSnapshot = await snapshots.within(LOOK_AGAIN_MS, customerId, caller)
    const isProof = newerSnapshot !== snapshot && (await newerSnapshot.customer.owns(kind, ids))
    return isProof ? newerSnapshot : null
  }

  return {
    // Fetch a lost inventory again, once, so that the call does not fail.
    proofOf: (...args) =>
      proofOf(...args).catch((error) => {
        if (error instanceof Problem && error.id === INVENTORY_LOST) return proofOf(...args)
        throw error
      }),
    async ownedObject(kind, objectId, caller) {
      const path = {
        serviceAccount: '/api/v2/management/serviceAccounts/',
        export: '/api/v1/egress/exports/'
      }[kind]
      const api = kind === 'export' ? 'EGRESS' : 'MANAGEMENT'
      const object = raw(await client.get(api, path + encodeURIComponent(objectId), caller))
      const owner =
        linkedId('organizations', object.customer) ??
        id(object.customerId) ??
        linkedId('organizations', object.partner) ??
        id(object.organizationId)
      if (owner === null) throw problems.notFound()
      return { owner, object }
    },
    async hasInvitation(invitationId, organizationId, caller) {
      const base = '/api/v2/management/'
      const owner = organizationId === null ? 'myUser' : `organizations/${encodeURIComponent(organizationId)}`
      const path = `${base}${owner}/userInvitations`
      const read = (invitation: unknown) => id(raw(invitation).id)
      const list = { api: 'MANAGEMENT', path, rel: 'userInvitations', size: LIST_PAGE_SIZE, read } as const
      return (await fetchAll(client, list, caller)).includes(invitationId)
    }
  }
}
