// A route's declared access in words, for the description of the API. It decides nothing: enforce.ts does.
import { type Action, rolesAllowing } from '#shared/permissions.ts'
import type { Access, Check, ScopeFinder } from '../types.ts'

interface Where {
  /** Ends "Needs the action … at". */
  at: string
  claims?: true
}

const WHERE: Record<ScopeFinder, Where> = {
  root: { at: 'the root scope `/`' },
  anywhere: { at: 'any scope' },
  organization: { at: 'the organization or customer of the path' },
  'own-organization': { at: 'the organization of the path, or membership of that organization' },
  customer: { at: 'the customer of the path' },
  project: { at: 'the customer that has the project', claims: true },
  device: { at: 'the customer that has the device', claims: true },
  'device-uuid': { at: 'the customer that has the device', claims: true },
  'customer-device': { at: 'the customer of the path, which must have the device' },
  'query-device': { at: 'the customer that has the device `deviceId`', claims: true },
  'query-organization': { at: 'the customer, or for want of one the organization, that the query names' },
  'service-account': { at: 'the customer or organization that has the service account', claims: true },
  export: { at: 'the customer or organization that has the export', claims: true },
  user: { at: "the user's organization" },
  invitation: { at: 'the customer or organization that has the invitation', claims: true },
  'claimed-customer': { at: 'the customer that the header `x-customer-id` names', claims: true },
  'body-organization': {
    at: "the customer, or for want of one the integrator, that the body names; `partner` must be the customer's own"
  },
  'body-device': { at: 'the customer that has the device of the body', claims: true }
}

const NOBODY_GRANTS_MORE =
  'Nobody gives a role above their own, out of their reach, or that is not assignable at its scope.'

const ALSO: Record<Check, string> = {
  systems: 'Every system that the body names must belong to that customer, otherwise 404.',
  'query-system': 'The system, if the query names one, must belong to that customer, otherwise 404.',
  'report-devices': 'Each selected point must name a device of that customer, otherwise 404; 1000 at most.',
  'batch-devices': 'Every device of the batch must belong to that customer, otherwise 404; 1000 at most.',
  'source-is-device': '`sourceId` must name the device of the path.',
  'own-invitation': "The invitation must be the caller's own, otherwise 404 with the code `notFound`.",
  'new-project': 'The body must name a customer.',
  'device-change':
    'Moving it needs `devices:move` as well, and the project must belong to the same customer.',
  placement: 'The project must belong to the same customer.',
  'user-grants': `${NOBODY_GRANTS_MORE} Assignments at narrower scopes are replaced, and the last admin stays.`,
  'account-grants': `${NOBODY_GRANTS_MORE} Assignments at narrower scopes are replaced.`,
  'invitation-grants': `${NOBODY_GRANTS_MORE} Every scope must lie within that organization.`,
  'new-account-grants': `${NOBODY_GRANTS_MORE} Every scope must lie within that organization.`
}

/** Who may call a route, in CommonMark. */
export function describeAccess(access: Access) {
  if (typeof access === 'string') return { action: access, scope: null, claims: false, text: PLAIN[access] }
  const { action, also, scope, check } = access
  const { at, claims = false } = WHERE[scope]
  const shown = (one: Action) => `\`${one}\` (${rolesAllowing(one).join(', ')})`
  const needed =
    action === 'signed-in'
      ? PLAIN[action]
      : `Needs the action ${shown(action)}${also ? ` and ${shown(also)}` : ''} at ${at}.`
  return { action, scope, claims, text: check === undefined ? needed : `${needed} ${ALSO[check]}` }
}

const PLAIN: Record<Extract<Access, string>, string> = {
  public: 'Anybody.',
  'signed-in': 'Any signed-in caller.',
  self: 'The caller alone: `userId` must be the id of the caller.'
}
