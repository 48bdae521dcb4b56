// What else must hold of a call, beside the action at its scope: everything that the body names lies in that scope too.
// A check may return a body to send instead of the one that came.
import { CODES } from '#shared/messages.ts'
import { type Action, may } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
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

/** Throws a problem when it does not hold. */
type Run = (call: CheckedCall, lookups: Lookups & GrantLookups) => Promise<unknown>

interface CheckRule {
  needsBody: boolean
  /** Identifiers of query or body that it proves. */
  proves?: readonly string[]
  run: Run
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

const given = (values: unknown[]) => values.filter((value) => value !== undefined)

/** Every system (device) whose data the body asks for is the customer's. */
const systems: Run = async (call, lookups) => {
  const { systemGuid, systemGuids, selectedPoints } = raw(call.body)
  // A point must say its system: one without is refused by the proof, as it is no text.
  const ofPoints = [selectedPoints ?? []].flat().map((point) => raw(point).systemGuid)
  const named = [...given([systemGuid, systemGuids].flat()), ...ofPoints]
  const { customerId } = call.request.params as Record<string, string>
  // Without any the upstream would decide by itself whose data is meant; a path with the customer settles that.
  if (named.length === 0 && !customerId) throw problems.badRequest('The body must name a system.')
  await prove('system', named, call, lookups)
}

/** The system (device) that the query asks for, if it does, is the customer's. */
const querySystem: Run = async (call, lookups) => {
  const { systemGuid } = call.request.query as Record<string, unknown>
  if (systemGuid !== undefined) await prove('system', [systemGuid], call, lookups)
}

/** What is saved to be looked at again is the customer's too: each selected point names a device of it. */
const reportDevices: Run = async (call, lookups) => {
  const { selectedPoints } = raw(raw(call.body).reportDetails)
  const selected = [selectedPoints ?? []].flat().map((one) => ({
    device: raw(one).device,
    ofDevice: raw(raw(one).device),
    ofPoint: raw(raw(one).point)
  }))
  const devices = selected.map(({ device, ofDevice }) =>
    typeof device === 'string' ? [device] : given([ofDevice.id, ofDevice.deviceUuid])
  )
  const systems = given(
    selected.flatMap(({ ofDevice, ofPoint }) => [ofDevice.systemGuid, ofPoint.systemGuid])
  )
  if (selected.some(({ ofDevice }, at) => devices[at]?.length === 0 && ofDevice.systemGuid === undefined))
    throw problems.badRequest('Each selected point must name its device.')
  if (devices.flat().length > 0) await prove('device', devices.flat(), call, lookups)
  if (systems.length > 0) await prove('system', systems, call, lookups)
}

/** Every device of a batch is the customer's. */
const batchDevices: Run = async (call, lookups) => {
  if (!Array.isArray(call.body) || call.body.length === 0)
    throw problems.badRequest('The body is a list of devices with their alarms.')
  const devices = call.body.map((item) => raw(item).deviceId)
  await prove('device', devices, call, lookups)
}

const sourceIsDevice: Run = async ({ request }) => {
  const { sourceId } = request.query as Record<string, unknown>
  const { deviceId } = request.params as Record<string, string>
  if (sourceId !== deviceId) throw problems.badRequest('sourceId must name the device of the path.')
}

/** People answer their own invitations only. */
const ownInvitation: Run = async ({ request, caller }, { ownership }) => {
  const { invitationId = '' } = request.params as Record<string, string>
  if (!(await ownership.hasInvitation(invitationId, null, caller)))
    throw problems.notFound('You have no such invitation.', CODES.notFound)
}

/** A project is a customer's: an integrator alone is not enough. */
const newProject: Run = async ({ scope }) => {
  if (!parseScope(scope)?.customerId) throw problems.badRequest('The body must name a customer.')
}

/** A device is registered into, or moved to, a project of the same customer. */
const placement: Run = (call, lookups) =>
  prove('project', [linkedId('projects', raw(call.body).project)], call, lookups)

/** Moving is an action of its own. */
const deviceChange: Run = async (call, lookups) => {
  if (raw(call.body).project === undefined) return
  if (!may(call.caller.user.roleAssignments, 'devices:move', call.scope)) throw problems.forbidden()
  await placement(call, lookups)
}

/** Every check by the name that routes declare. */
export const CHECKS: Record<Check, CheckRule> = {
  systems: { needsBody: true, proves: ['systemGuid', 'systemGuids'], run: systems },
  'query-system': { needsBody: false, proves: ['systemGuid'], run: querySystem },
  'report-devices': {
    needsBody: true,
    proves: ['device', 'id', 'deviceUuid', 'systemGuid'],
    run: reportDevices
  },
  'batch-devices': { needsBody: true, proves: ['deviceId'], run: batchDevices },
  'source-is-device': { needsBody: false, proves: ['sourceId'], run: sourceIsDevice },
  'own-invitation': { needsBody: false, proves: ['invitationId'], run: ownInvitation },
  'new-project': { needsBody: true, run: newProject },
  'device-change': { needsBody: true, proves: ['project'], run: deviceChange },
  placement: { needsBody: true, proves: ['project'], run: placement },
  ...GRANT_CHECKS
}
