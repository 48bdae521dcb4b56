// Checks further conditions of a call, mostly that the objects named in the body belong to the scope of the call.
import { CODES } from '#shared/messages.ts'
import { type Action, may } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { OwnedKind } from '../inventory/worker/customers.ts'
import type { Check } from '../types.ts'
import { raw } from '../upstreams/fields.ts'
import { GRANT_CHECKS } from './grants.ts'
import { linkedId } from './links.ts'
import type { Lookups } from './lookups.ts'
import type { Call } from './scope-of.ts'
import { STREAM_SUBJECTS_CHECK } from './stream-subjects.ts'

export interface CheckedCall extends Call {
  /** The scope at which the action was allowed. */
  scope: string
  action: Action | 'signed-in'
}

export interface CheckRule {
  /** The condition in CommonMark, for openapi.json. */
  says: string
  needsBody?: true
  /** The check also runs each time when a long answer confirms its access. */
  repeats?: true
  /** Names of the identifiers in the query or body that the check proves. */
  proves?: readonly string[]
  /** Throws a problem if the condition is not met. May return another body to send. */
  run: (call: CheckedCall, lookups: Lookups) => Promise<unknown>
}

/** Throws a 404 problem unless the objects belong to the call's customer. The route's schema has checked the ids. */
async function prove(
  kind: OwnedKind,
  values: unknown[],
  { scope, caller }: CheckedCall,
  { ownership }: Lookups
): Promise<void> {
  const ids = values.filter((value) => value !== undefined) as string[]
  if (ids.length === 0) return
  const { customerId } = parseScope(scope) ?? {}
  if (!customerId || !(await ownership.proofOf(kind, ids, customerId, caller))) throw problems.notFound()
}

/** The items of a field that holds a list, one item or nothing. */
function listIn(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

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
      const pointSystems = listIn(selectedPoints).map((point) => raw(point).systemGuid)
      await prove('system', [systemGuid, ...listIn(systemGuids), ...pointSystems], call, lookups)
    }
  },
  'query-system': {
    says: 'The system, if the query names one, must belong to that customer, otherwise 404.',
    proves: ['systemGuid'],
    async run(call, lookups) {
      const { systemGuid } = call.request.query as Record<string, unknown>
      await prove('system', [systemGuid], call, lookups)
    }
  },
  'report-devices': {
    says: 'Each selected point must name a device of that customer, otherwise 404.',
    needsBody: true,
    proves: ['device', 'id', 'deviceUuid', 'systemGuid'],
    async run(call, lookups) {
      const points = listIn(raw(raw(call.body).reportDetails).selectedPoints).map(raw)
      const devices = points.map(({ device }) => (typeof device === 'string' ? { id: device } : raw(device)))
      if (devices.some(({ id, deviceUuid, systemGuid }) => (id ?? deviceUuid ?? systemGuid) === undefined))
        throw problems.badRequest('Each selected point must name its device.')
      const ids = devices.flatMap(({ id, deviceUuid }) => [id, deviceUuid])
      const namedPoints = points.map(({ point }) => raw(point))
      const systems = [...devices, ...namedPoints].map(({ systemGuid }) => systemGuid)
      await prove('device', ids, call, lookups)
      await prove('system', systems, call, lookups)
    }
  },
  'batch-devices': {
    says: 'Every device of the batch must belong to that customer, otherwise 404.',
    needsBody: true,
    proves: ['deviceId'],
    async run(call, lookups) {
      const devices = listIn(call.body).map((item) => raw(item).deviceId)
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
    says: 'Moving the device needs `devices:move` as well, and the project must belong to that customer.',
    needsBody: true,
    proves: ['project'],
    async run(call, lookups) {
      if (raw(call.body).project === undefined) return
      if (!may(call.caller.user.roleAssignments, 'devices:move', call.scope)) throw problems.forbidden()
      await placeInProject(call, lookups)
    }
  },
  placement: {
    says: 'The project must belong to that customer.',
    needsBody: true,
    proves: ['project'],
    run: placeInProject
  },
  ...GRANT_CHECKS,
  'stream-subjects': STREAM_SUBJECTS_CHECK
}
