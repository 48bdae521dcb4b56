// Checks further conditions of a call, mostly that the objects in its body belong to its scope.
import { CODES } from '#shared/messages.ts'
import { type Action, may } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { OwnedKind } from '../inventory/customers.ts'
import type { Check } from '../types.ts'
import { raw } from '../upstreams/fields.ts'
import { GRANT_CHECKS } from './grants.ts'
import { linkedId } from './links.ts'
import type { Lookups } from './lookups.ts'
import type { Call } from './scope-of.ts'

export interface CheckedCall extends Call {
  /** The scope at which the action was allowed. */
  scope: string
  action: Action | 'signed-in'
}

export interface CheckRule {
  /** The condition in CommonMark, for openapi.json. */
  says: string
  needsBody?: true
  /** Identifiers of the query or body that it proves. */
  proves?: readonly string[]
  /** Throws a problem if the condition is not met. May return another body to send. */
  run: (call: CheckedCall, lookups: Lookups) => Promise<unknown>
}

/** Maximum number of objects in one call, as in the control system. */
const SET_MAX = 1000

async function prove(
  kind: OwnedKind,
  ids: unknown[],
  { scope, caller }: CheckedCall,
  { ownership }: Lookups
): Promise<void> {
  const names = ids.filter((one): one is string => typeof one === 'string' && one !== '')
  if (names.length !== ids.length || names.length > SET_MAX)
    throw problems.badRequest(`The body must name each ${kind}, ${SET_MAX} at most.`)
  const { customerId } = parseScope(scope) ?? {}
  if (!customerId || !(await ownership.all(kind, names, customerId, caller))) throw problems.notFound()
}

const given = (values: unknown[]) => values.filter((value) => value !== undefined)

const placeInProject: CheckRule['run'] = (call, lookups) =>
  prove('project', [linkedId('projects', raw(call.body).project)], call, lookups)

/** All checks by the name that routes declare. */
export const CHECKS: Record<Check, CheckRule> = {
  systems: {
    says: 'Every system that the body names must belong to that customer, otherwise 404.',
    needsBody: true,
    proves: ['systemGuid', 'systemGuids'],
    async run(call, lookups) {
      const { systemGuid, systemGuids, selectedPoints } = raw(call.body)
      // `prove` refuses a point without a system.
      const ofPoints = [selectedPoints ?? []].flat().map((point) => raw(point).systemGuid)
      const named = [...given([systemGuid, systemGuids].flat()), ...ofPoints]
      const { customerId } = call.request.params as Record<string, string>
      // Without a system or a customer in the path, the upstream would choose whose data to return.
      if (named.length === 0 && !customerId) throw problems.badRequest('The body must name a system.')
      await prove('system', named, call, lookups)
    }
  },
  'query-system': {
    says: 'The system, if the query names one, must belong to that customer, otherwise 404.',
    proves: ['systemGuid'],
    async run(call, lookups) {
      const { systemGuid } = call.request.query as Record<string, unknown>
      if (systemGuid !== undefined) await prove('system', [systemGuid], call, lookups)
    }
  },
  'report-devices': {
    says: 'Each selected point must name a device of that customer, otherwise 404; 1000 at most.',
    needsBody: true,
    proves: ['device', 'id', 'deviceUuid', 'systemGuid'],
    async run(call, lookups) {
      const { selectedPoints } = raw(raw(call.body).reportDetails)
      const selected = [selectedPoints ?? []].flat().map((one) => {
        const { device, point } = raw(one)
        const { id, deviceUuid, systemGuid } = raw(device)
        const devices = typeof device === 'string' ? [device] : given([id, deviceUuid])
        return { devices, systemGuid, systems: given([systemGuid, raw(point).systemGuid]) }
      })
      if (selected.some(({ devices, systemGuid }) => devices.length === 0 && systemGuid === undefined))
        throw problems.badRequest('Each selected point must name its device.')
      const devices = selected.flatMap((one) => one.devices)
      const systems = selected.flatMap((one) => one.systems)
      if (devices.length > 0) await prove('device', devices, call, lookups)
      if (systems.length > 0) await prove('system', systems, call, lookups)
    }
  },
  'batch-devices': {
    says: 'Every device of the batch must belong to that customer, otherwise 404; 1000 at most.',
    needsBody: true,
    proves: ['deviceId'],
    async run(call, lookups) {
      if (!Array.isArray(call.body) || call.body.length === 0)
        throw problems.badRequest('The body is a list of devices with their alarms.')
      const devices = call.body.map((item) => raw(item).deviceId)
      await prove('device', devices, call, lookups)
    }
  },
  'source-is-device': {
    says: '`sourceId` must name the device of the path.',
    proves: ['sourceId'],
    async run({ request }) {
      const { sourceId } = request.query as Record<string, unknown>
      const { deviceId } = request.params as Record<string, string>
      if (sourceId !== deviceId) throw problems.badRequest('sourceId must name the device of the path.')
    }
  },
  'own-invitation': {
    says: "The invitation must be the caller's own, otherwise 404 with the code `notFound`.",
    proves: ['invitationId'],
    async run({ request, caller }, { ownership }) {
      const { invitationId = '' } = request.params as Record<string, string>
      if (!(await ownership.hasInvitation(invitationId, null, caller)))
        throw problems.notFound('You have no such invitation.', CODES.notFound)
    }
  },
  'new-project': {
    says: 'The body must name a customer.',
    needsBody: true,
    async run({ scope }) {
      if (!parseScope(scope)?.customerId) throw problems.badRequest('The body must name a customer.')
    }
  },
  'device-change': {
    says: 'Moving it needs `devices:move` as well, and the project must belong to the same customer.',
    needsBody: true,
    proves: ['project'],
    async run(call, lookups) {
      if (raw(call.body).project === undefined) return
      if (!may(call.caller.user.roleAssignments, 'devices:move', call.scope)) throw problems.forbidden()
      await placeInProject(call, lookups)
    }
  },
  placement: {
    says: 'The project must belong to the same customer.',
    needsBody: true,
    proves: ['project'],
    run: placeInProject
  },
  ...GRANT_CHECKS
}
