// What else must hold of a call, beside the action at its scope: everything that the body names lies in that scope too.
// A check may return a body to send instead of the one that came.
import { type Action, may } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { Problem, problems } from '../errors.ts'
import type { OwnedKind } from '../inventory/customers.ts'
import type { Check } from '../types.ts'
import { raw } from '../upstreams/fields.ts'
import { GRANT_CHECKS, type GrantLookups } from './grants.ts'
import { linkedId } from './links.ts'

import type { Call, Lookups } from './scope-of.ts'

export interface CheckedCall extends Call {
  /** Where the action was allowed. */
  scope: string
  action: Action | 'signed-in'
}

interface CheckRule {
  needsBody: boolean
  /** Identifiers of query or body that it proves. */
  proves?: readonly string[]
  /** Throws a problem when it does not hold. */
  run: (call: CheckedCall, lookups: Lookups & GrantLookups) => Promise<unknown>
}

/** A set of objects in one call: a control system takes no more at a time. */
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

const namesDevice = ({ id, deviceUuid, systemGuid }: Record<string, unknown>): boolean =>
  [id, deviceUuid, systemGuid].some((name) => name !== undefined)

/** Every check by the name that routes declare. */
export const CHECKS: Record<Check, CheckRule> = {
  /** Every system (device) whose data the body asks for is the customer's. */
  systems: {
    needsBody: true,
    proves: ['systemGuid', 'systemGuids'],
    async run(call, lookups) {
      const { systemGuid, systemGuids, selectedPoints } = raw(call.body)
      const ofPoints = [selectedPoints ?? []].flat().map((point) => raw(point).systemGuid)
      const direct = [systemGuid, systemGuids].flat().filter((guid) => guid !== undefined)
      // A point must say its system: one without is refused by the proof, as it is no text.
      const named = [...direct, ...ofPoints]
      const { customerId } = call.request.params as Record<string, string>
      // Without any the upstream would decide by itself whose data is meant; a path with the customer settles that.
      if (named.length === 0 && !customerId) throw problems.badRequest('The body must name a system.')
      await prove('system', named, call, lookups)
    }
  },
  /** The system (device) that the query asks for, if it does, is the customer's. */
  'query-system': {
    needsBody: false,
    proves: ['systemGuid'],
    async run(call, lookups) {
      const { systemGuid } = call.request.query as Record<string, unknown>
      if (systemGuid !== undefined) await prove('system', [systemGuid], call, lookups)
    }
  },
  /** What is saved to be looked at again is the customer's too: each selected point names a device of it. */
  'report-devices': {
    needsBody: true,
    proves: ['device', 'id', 'deviceUuid', 'systemGuid'],
    async run(call, lookups) {
      const { selectedPoints } = raw(raw(call.body).reportDetails)
      const selected = [selectedPoints ?? []].flat().map(raw)
      const devices = selected.flatMap(({ device }) => {
        const { id, deviceUuid } = raw(device)
        return typeof device === 'string' ? [device] : [id, deviceUuid].filter((name) => name !== undefined)
      })
      const systems = selected
        .flatMap(({ device, point }) => [raw(device).systemGuid, raw(point).systemGuid])
        .filter((name) => name !== undefined)
      if (selected.some(({ device }) => typeof device !== 'string' && !namesDevice(raw(device))))
        throw problems.badRequest('Each selected point must name its device.')
      if (devices.length > 0) await prove('device', devices, call, lookups)
      if (systems.length > 0) await prove('system', systems, call, lookups)
    }
  },
  /** Every device of a batch is the customer's. */
  'batch-devices': {
    needsBody: true,
    proves: ['deviceId'],
    async run(call, lookups) {
      if (!Array.isArray(call.body) || call.body.length === 0)
        throw problems.badRequest('The body is a list of devices with their alarms.')
      await prove(
        'device',
        call.body.map((item) => raw(item).deviceId),
        call,
        lookups
      )
    }
  },
  'source-is-device': {
    needsBody: false,
    proves: ['sourceId'],
    async run({ request }) {
      const { sourceId } = request.query as Record<string, unknown>
      const { deviceId } = request.params as Record<string, string>
      if (sourceId !== deviceId) throw problems.badRequest('sourceId must name the device of the path.')
    }
  },
  /** People answer their own invitations only. */
  'own-invitation': {
    needsBody: false,
    proves: ['invitationId'],
    async run({ request, caller }, { ownership }) {
      const { invitationId = '' } = request.params as Record<string, string>
      const own = await ownership.hasInvitation(invitationId, null, caller)
      if (!own)
        throw new Problem(404, 'not_found', {
          title: 'Not found',
          detail: 'You have no such invitation.',
          code: 'notFound'
        })
    }
  },
  /** A project is a customer's: an integrator alone is not enough. */
  'new-project': {
    needsBody: true,
    async run({ scope }) {
      if (!parseScope(scope)?.customerId) throw problems.badRequest('The body must name a customer.')
    }
  },
  /** Moving is an action of its own, and stays within the customer. */
  'device-change': {
    needsBody: true,
    proves: ['project'],
    async run(call, lookups) {
      const { project } = raw(call.body)
      if (project === undefined) return
      if (!may(call.caller.user.roleAssignments, 'devices:move', call.scope)) throw problems.forbidden()
      await prove('project', [linkedId('projects', project)], call, lookups)
    }
  },
  /** A device is registered into a project of the same customer. */
  placement: {
    needsBody: true,
    proves: ['project'],
    run: (call, lookups) => prove('project', [linkedId('projects', raw(call.body).project)], call, lookups)
  },
  ...GRANT_CHECKS
}
