// What belongs to whom, looked up and never believed: projects and devices of a customer from its inventory, the rest
// from the upstream that keeps it. With the caller's own token, so nobody learns here what the upstream would not say.
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { id, raw } from '../upstreams/fields.ts'
import { fetchAll } from '../upstreams/hal.ts'
import { PROOF_MAX_AGE_MS } from '../upstreams/organization-directory.ts'
import { linkedId } from './links.ts'

/** A customer's projects and devices as known at a time. */
export interface Inventory {
  /** Devices by id or uuid, systems by guid, projects by id. */
  has(kind: Kind, name: string): Promise<boolean>
}

export interface Inventories {
  /** One whose reading began at most so long ago, or after the asking. Throws the upstream's problem. */
  within(maxAgeMs: number, customerId: string, caller: Caller): Promise<Inventory>
}

export type Kind = 'project' | 'device' | 'system'

export interface Belongings {
  /** Whether all of them are the customer's: devices by id or uuid, systems by guid, projects by id. */
  all(kind: Kind, ids: readonly string[], customerId: string, caller: Caller): Promise<boolean>
  /** The organization that a service account or an export names as its own. Throws a 404 problem when there is none. */
  ownerOf(kind: 'serviceAccount' | 'export', objectId: string, caller: Caller): Promise<string>
  /** Whether an organization, or the caller when it is null, has the invitation. */
  hasInvitation(invitationId: string, organizationId: string | null, caller: Caller): Promise<boolean>
}

/** What is not found may have been added since: it is looked for anew, but not more often than this. */
const LOOK_AGAIN_MS = 2_000
const LIST_PAGE_SIZE = 1000

interface Services {
  inventories: Inventories
  client: UpstreamClient
}

export function createBelongings({ inventories, client }: Services): Belongings {
  async function holdsAll(inventory: Inventory, kind: Kind, ids: readonly string[]): Promise<boolean> {
    const held = await Promise.all(ids.map((one) => inventory.has(kind, one)))
    return held.every((one) => one)
  }

  return {
    async all(kind, ids, customerId, caller) {
      const known = await inventories.within(PROOF_MAX_AGE_MS, customerId, caller)
      if (await holdsAll(known, kind, ids)) return true
      const newer = await inventories.within(LOOK_AGAIN_MS, customerId, caller)
      return newer !== known && holdsAll(newer, kind, ids)
    },
    async ownerOf(kind, objectId, caller) {
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
      return owner
    },
    async hasInvitation(invitationId, organizationId, caller) {
      const base = '/api/v2/management/'
      const holder =
        organizationId === null ? 'myUser' : `organizations/${encodeURIComponent(organizationId)}`
      const path = `${base}${holder}/userInvitations`
      const held = await fetchAll(client, 'MANAGEMENT', path, 'userInvitations', LIST_PAGE_SIZE, caller)
      return held.some((invitation) => id(raw(invitation).id) === invitationId)
    }
  }
}
