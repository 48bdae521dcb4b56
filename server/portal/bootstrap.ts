// Sends the user, their permissions, and the deployment's texts and links for the client's first screen.

import type { CustomerCard } from '#shared/answers/customers.ts'
import { Bootstrap, Me, type Support, type User } from '#shared/answers/portal.ts'
import { ACTIONS, type Action, mayAnywhere } from '#shared/permissions.ts'
import type { Config } from '../config/settings.ts'
import type { Caller, CallerUser, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { cardsOf } from './customers.ts'
import { type PortalRoutes, signedIn } from './request.ts'

interface Services {
  config: Config
  client: UpstreamClient
  clock: Clock
}

export const bootstrapRoutes: PortalRoutes<Services> = async (app, { config, client, clock }) => {
  app.get(
    '/me',
    {
      config: {
        id: 'portal.me',
        access: 'signed-in',
        docs: {
          area: { name: 'The caller', description: 'The person or service that makes the call.' },
          summary: 'Get the caller with their roles',
          description:
            'The gateway fetches the roles again for every call, so that changes are visible at once.',
          answers: { 200: { schema: Me } }
        }
      }
    },
    async (request): Promise<Me> => {
      const user = await signedIn(request.caller).rereadUser()
      return { user: shownUser(user), actions: actionsOf(user) }
    }
  )

  const bootstrapOptions = {
    config: { id: 'portal.bootstrap', access: 'signed-in' },
    schema: { response: { 200: Bootstrap } }
  } as const
  app.get('/bootstrap', bootstrapOptions, async (request) => {
    const caller = signedIn(request.caller)
    // Also asks for the customers of the organization that the session knows, which rarely changes.
    const knownId = listedOrganization(caller.user)
    const knownCustomers = customersOf(knownId, caller)
    knownCustomers.catch(() => {})
    const user = await caller.rereadUser()
    const organizationId = listedOrganization(user)
    const customers = await (organizationId === knownId
      ? knownCustomers
      : customersOf(organizationId, caller))
    const cards = await cardsOf(customers, organizationId ?? '', user.roleAssignments)
    return bootstrapFor(user, cards, config, clock())
  })

  const customersOf = async (organizationId: string | null, caller: Caller) =>
    organizationId === null ? [] : fetchCustomers(client, organizationId, caller)
}

/** The organization whose customers the user may list; null if there is none. */
function listedOrganization({ organizationId, roleAssignments, userType }: User): string | null {
  return roleAssignments.length > 0 && userType !== 'INTERNAL' ? organizationId : null
}

/** Removes the fields of the user that only the gateway needs. */
export function shownUser({ visibility: _visibility, ...user }: CallerUser): User {
  return user
}

/** The actions that the user may do in at least one scope. */
export function actionsOf({ roleAssignments }: User): Action[] {
  return ACTIONS.filter((action) => mayAnywhere(roleAssignments, action))
}

/** The support contact from the settings. */
export const supportOf = ({ SUPPORT_PHONE, SUPPORT_EMAIL }: Config): Support => ({
  phone: SUPPORT_PHONE ?? null,
  email: SUPPORT_EMAIL ?? null
})

/** @param now milliseconds since 1970 */
export function bootstrapFor(
  user: CallerUser,
  cards: readonly CustomerCard[],
  config: Config,
  now: number
): Bootstrap {
  const flags = config.FEATURE_FLAGS
  const { THIRD_PARTY_APP_URL: url, THIRD_PARTY_APP_NAME: label } = config
  return {
    user: shownUser(user),
    actions: actionsOf(user),
    customers: { count: cards.length, only: cards.length === 1 ? (cards[0] ?? null) : null },
    flags,
    banner: flags.enableServiceBanner ? (config.SERVICE_BANNER ?? null) : null,
    support: supportOf(config),
    links: {
      remote: config.REMOTE_URL ?? null,
      thirdPartyApp: flags.enableThirdPartyApps && url ? { label: label ?? new URL(url).host, url } : null,
      privacy: config.PRIVACY_LINKS ?? [],
      licensing: config.LICENSING_URL ?? null
    },
    session: { noticeSeconds: config.SESSION_NOTICE_SECONDS },
    now: new Date(now).toISOString()
  }
}
