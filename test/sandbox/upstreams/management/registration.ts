// Registers a device by the code that the device shows, and re-registers a known device. The prefix of a code decides its
// licences: ONE00001, ONE00002 … have one, THREE001 … three, NONE0001 … none; OLD00001 … have expired. A code is valid for
// one device, for 15 minutes after its first use.
import type { OfferingCode } from '#shared/devices.ts'
import { linkField, objectBody, textField } from '../../api/body.ts'
import { ApiProblem, found, malformed } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord, SubscriptionRecord } from '../../records/sites.ts'
import { EQUIPMENT, hostId, uuid } from '../../seed/names.ts'
import { NOTABLE } from '../../seed/notable.ts'
import { randomFrom } from '../../seed/random.ts'
import { bits, seedOf } from '../../simulation/chance.ts'
import { now, type State } from '../../state.ts'
import { deviceRecorder } from './devices.ts'
import { organizationOf } from './organizations.ts'
import { projectOf } from './projects.ts'

const DEVICEMANAGEMENT = '/api/v2/devicemanagement'
const TEXT_MAX_CHARACTERS = 50
const YEAR_MS = 365 * 86_400_000
const PLAN_LIMIT_GB = 25
const VALID_MS = 15 * 60_000
const CODE_KINDS: [pattern: RegExp, licenses: number | 'expired'][] = [
  [/^ONE\d{5}$/, 1],
  [/^THREE\d{3}$/, 3],
  [/^NONE\d{4}$/, 0],
  [/^OLD\d{5}$/, 'expired']
]
const OFFERINGS: OfferingCode[][] = [['NDS', 'Remote', 'Recover'], ['NDS', 'Remote'], ['NDS']]

interface License {
  licenseId: string
  niagaraLicenseId: string
  customerName: string
  features: { subscriptions: { offeringCode: OfferingCode }[] }
}

export const registration: Upstream = (api, state) => {
  const record = deviceRecorder(state)
  const deviceByUuid = (deviceUuid: string): DeviceRecord =>
    found(
      [...state.devices.values()].find((device) => device.deviceUuid === deviceUuid),
      `device ${deviceUuid}`
    )

  api.get(`${DEVICEMANAGEMENT}/registration/:code`, async (request) => ({
    licenses: licensesOf(state, params(request).code ?? '')
  }))

  api.get(`${DEVICEMANAGEMENT}/reregistration/:code/deviceUuid/:deviceUuid`, async (request) => {
    const { code = '', deviceUuid = '' } = params(request)
    deviceByUuid(deviceUuid)
    return { licenses: licensesOf(state, code) }
  })

  api.post(`${DEVICEMANAGEMENT}/registration`, async (request, reply) => {
    const body = objectBody(request)
    const code = textField(body, 'userCode', TEXT_MAX_CHARACTERS)
    const license = licenseOf(state, code, body)
    const device = state.devices.add(readDevice(state, body))
    subscribe(state, device, license, code)
    record(request, 'DEVICE_REGISTERED', device)
    return reply.code(201).send(deviceIds(device))
  })

  api.post(`${DEVICEMANAGEMENT}/reregistration`, async (request) => {
    const body = objectBody(request)
    const code = textField(body, 'userCode', TEXT_MAX_CHARACTERS)
    const device = deviceByUuid(textField(body, 'deviceUuid', TEXT_MAX_CHARACTERS))
    const license = licenseOf(state, code, body)
    device.hostId = hostId(randomFrom(seedOf(code)))
    subscribe(state, device, license, code)
    record(request, 'DEVICE_REREGISTERED', device)
    return deviceIds(device)
  })
}

function licensesOf(state: State, code: string): License[] {
  const [, kind] = CODE_KINDS.find(([pattern]) => pattern.test(code)) ?? []
  const codeUse = state.registrationCodes.get(code) ?? { firstMs: state.clock(), spent: false }
  if (kind === undefined || codeUse.spent) throw new ApiProblem(404, 'notFound', `code ${code} not found`)
  if (kind === 'expired' || state.clock() >= codeUse.firstMs + VALID_MS)
    throw new ApiProblem(404, 'expired', `code ${code} has expired`)
  state.registrationCodes.set(code, codeUse)
  return OFFERINGS.slice(0, kind).map((offerings, index) => license(state, code, index, offerings))
}

function license(state: State, code: string, index: number, offerings: OfferingCode[]): License {
  const seed = bits(seedOf(code), index)
  const digits = seed.toString(16).toUpperCase().padStart(8, '0')
  const customers = [NOTABLE.northwind, NOTABLE.withoutProjects, NOTABLE.withoutDevices]
  return {
    licenseId: `lic-${code}-${index + 1}`,
    niagaraLicenseId: `Niagara-${digits.slice(0, 4)}-${digits.slice(4)}`,
    customerName: state.organizations.get(customers[index] ?? '')?.orgName ?? '',
    features: { subscriptions: offerings.map((offeringCode) => ({ offeringCode })) }
  }
}

function licenseOf(state: State, code: string, body: Record<string, unknown>): License {
  const license = licensesOf(state, code).find((candidate) => candidate.licenseId === body.licenseId)
  if (!license) throw malformed('licenseId must be a licence of that code', 'licenseId')
  return license
}

function readDevice(state: State, body: Record<string, unknown>): DeviceRecord {
  const customer = organizationOf(state, linkField(body, 'customer', 'organizations'))
  const project = projectOf(state, linkField(body, 'project', 'projects'))
  if (project.customerId !== customer.id)
    throw malformed('the project belongs to another customer', 'project')
  const deviceName = textField(body, 'deviceName', TEXT_MAX_CHARACTERS)
  const location = textField(body, 'location', TEXT_MAX_CHARACTERS)
  const id = state.nextId('d')
  const random = randomFrom(seedOf(id))
  return {
    id,
    deviceUuid: uuid(random),
    deviceName,
    hostId: hostId(random),
    location,
    projectId: project.id,
    systemGuid: random.hex(24),
    createdDate: now(state),
    customerId: customer.id,
    equipment: EQUIPMENT.find((kind) => deviceName.startsWith(kind)) ?? random.pick(EQUIPMENT)
  }
}

function subscribe(
  state: State,
  { customerId, deviceUuid }: DeviceRecord,
  license: License,
  code: string
): void {
  const codeUse = state.registrationCodes.get(code)
  if (codeUse) codeUse.spent = true
  const rest = (state.subscriptions.get(customerId) ?? []).filter(
    (subscription) => subscription.deviceUuid !== deviceUuid
  )
  const newSubscriptions = license.features.subscriptions.map(
    ({ offeringCode }): SubscriptionRecord => ({
      deviceUuid,
      offeringCode,
      startDate: now(state),
      endDate: new Date(state.clock() + YEAR_MS).toISOString(),
      ...(offeringCode === 'NDS' && { planLimit: PLAN_LIMIT_GB })
    })
  )
  state.subscriptions.set(customerId, [...rest, ...newSubscriptions])
}

function deviceIds({ id, deviceUuid, systemGuid }: DeviceRecord): object {
  return { id, deviceUuid, systemGuid }
}
