// Describes a route's declared access in openapi.json.
import { type Action, rolesAllowing } from '#shared/permissions.ts'
import type { Access } from '../types.ts'
import { CHECKS } from './checks.ts'
import { FINDERS, needsCustomerHeader } from './scope-of.ts'

/** The callers that a route admits, in CommonMark. */
export function describeAccess(access: Access) {
  if (typeof access === 'string')
    return { action: access, scope: null, needsCustomerHeader: false, text: PLAIN[access] }
  const { action, also, scope, check } = access
  const finder = FINDERS[scope]
  const textOf = (name: Action) => `\`${name}\` (${rolesAllowing(name).join(', ')})`
  const requirement =
    action === 'signed-in'
      ? PLAIN[action]
      : `Needs the action ${textOf(action)}${also ? ` and ${textOf(also)}` : ''} at ${finder.at}.`
  const text = check === undefined ? requirement : `${requirement} ${CHECKS[check].says}`
  return { action, scope, needsCustomerHeader: needsCustomerHeader(finder), text }
}

const PLAIN: Record<Extract<Access, string>, string> = {
  public: 'Anybody.',
  'signed-in': 'Any signed-in caller.',
  self: 'Any signed-in caller, for their own user only: `userId` must be the id of the caller.'
}
