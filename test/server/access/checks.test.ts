// Every object that a body names must belong to the customer for which the call was allowed.
import t from 'tap'
import type { Target } from './grid-oracle.ts'
import { startTries } from './tries.ts'

const MANAGEMENT = '/api/v2/management'
const BATCH = 'POST /api/v1/control/devices/commands/acknowledgeAlarmBatch'
const PROJECTS = `POST ${MANAGEMENT}/projects`
const REGISTRATION = 'POST /api/v2/devicemanagement/registration'
const TELEMETRY = 'POST /api/v1/egress/telemetry'
const INTEGRATOR = '/organizations/100'
const FOREIGN_INTEGRATOR = '/organizations/200'

const { attempt, expectStatus, foreign, ours, sibling } = await startTries(t)
const { deviceId = '', deviceUuid = '' } = ours.parameters
const { systemGuid } = ours
const project = ({ parameters }: Target) => `/projects/${parameters.projectId}`
const customer = ({ id }: Target) => `/organizations/${id}`

t.test('refuses another customer’s objects anywhere in a body', async (t) => {
  const guidsOf = (...targets: Target[]) => targets.map(({ systemGuid }) => systemGuid)
  const points = `POST /api/v1/entitymodel/customers/${ours.id}/pointNames`
  const alarms = `POST /api/v1/alarms/customers/${ours.id}/alarms:search`
  const range = { startTime: '2026-01-01', endTime: '2026-01-02' }
  const search = (more: object) => ({ searchItems: [], searchType: 'pointNames', ...more })
  const history = (more: object) => ({ pointIds: [], ...range, ...more })
  const exportBody = {
    customerId: ours.id,
    exportName: 'x',
    selectedPoints: [{ systemGuid: sibling.systemGuid, pointIds: [] }],
    ...range,
    format: 'CSV',
    timeZone: 'UTC'
  }
  const batch = [ours, sibling].map(({ parameters: { deviceId } }) => ({
    deviceId,
    alarmUuids: [],
    requestProcessingPriority: 255
  }))
  const newDevice = { userCode: 'ABCD1234', licenseId: 'l', deviceName: 'x', location: 'x' }
  const link = customer(ours)
  const deviceUpdate = `PATCH ${MANAGEMENT}/devices/${deviceId}`
  const projectOf = (more: object) => ({ projectName: 'x', ...more })
  const cases: [name: string, call: string, body: unknown, status: number, claim?: string][] = [
    ['another customer’s system', points, search({ systemGuid: sibling.systemGuid }), 404],
    ['an allowed and a foreign system', alarms, { systemGuids: guidsOf(ours, foreign) }, 404],
    ['an unknown system', points, search({ systemGuid: 'none' }), 404],
    ['a thousand allowed systems', alarms, { systemGuids: Array(1000).fill(systemGuid) }, 200],
    ['an allowed system', points, search({ systemGuid }), 200],
    ['no system, with the customer in the path', points, search({}), 200],
    ['no system, without a customer in the path', TELEMETRY, history({}), 400, ours.id],
    ['history of another customer', TELEMETRY, history({ systemGuid: sibling.systemGuid }), 404, ours.id],
    ['allowed history', TELEMETRY, history({ systemGuid }), 200, ours.id],
    ['an export of another customer’s point', 'POST /api/v1/egress/exports', exportBody, 404],
    ['an empty batch', BATCH, [], 400, ours.id],
    ['a batch with another customer’s device', BATCH, batch, 404, ours.id],
    ['a batch without a device', BATCH, [{ alarmUuids: [], requestProcessingPriority: 255 }], 400, ours.id],
    ['a project without a customer', PROJECTS, projectOf({}), 400],
    ['a project of an integrator', PROJECTS, projectOf({ customer: INTEGRATOR }), 400],
    ['a project of a foreign customer', PROJECTS, projectOf({ customer: customer(foreign) }), 403],
    ['a project of an unknown customer', PROJECTS, projectOf({ customer: '/organizations/none' }), 404],
    ['a foreign integrator', PROJECTS, projectOf({ customer: link, partner: FOREIGN_INTEGRATOR }), 400],
    ['an allowed project', PROJECTS, projectOf({ customer: link, partner: INTEGRATOR }), 200],
    ['a device moved to another customer', deviceUpdate, { project: project(sibling) }, 404, ours.id],
    ['a device moved out of its project', deviceUpdate, { project: null }, 400, ours.id],
    ['a device moved to its own project', deviceUpdate, { project: project(ours) }, 200, ours.id],
    [
      'registration at another customer',
      REGISTRATION,
      { ...newDevice, customer: link, project: project(sibling) },
      404
    ],
    ['registration without a project', REGISTRATION, { ...newDevice, customer: link }, 400]
  ]
  for (const [name, call, body, status, claim] of cases)
    await expectStatus(t, name, call, { body, claim }, status)
})

t.test('refuses another customer’s devices and points in a report', async (t) => {
  const reports = `/api/v1/charts-and-reports/${ours.id}/report`
  const siblingUuid = sibling.parameters.deviceUuid
  const asObject = (more: object) => [{ device: { id: deviceId, ...more }, point: {} }]
  const cases: [name: string, selectedPoints: unknown[], status: number][] = [
    ['an allowed device', [{ device: deviceUuid, point: 'c-1' }], 200],
    ['an allowed device by id', [{ device: deviceId, point: 'c-1' }], 200],
    ['an allowed device as an object', asObject({ deviceUuid, systemGuid }), 200],
    ['no point', [], 200],
    ['a thousand devices', Array(1000).fill({ device: deviceUuid, point: 'c-1' }), 200],
    ['another customer’s device', [{ device: siblingUuid, point: 'c-1' }], 404],
    ['a foreign device', [{ device: foreign.parameters.deviceUuid, point: 'c-1' }], 404],
    [
      'an allowed device and another customer’s',
      [
        { device: deviceUuid, point: 'c-1' },
        { device: siblingUuid, point: 'c-1' }
      ],
      404
    ],
    ['an allowed id with another customer’s uuid', asObject({ deviceUuid: siblingUuid }), 404],
    ['an allowed id with another customer’s system', asObject({ systemGuid: sibling.systemGuid }), 404],
    ['another customer’s point', [{ device: deviceId, point: { systemGuid: sibling.systemGuid } }], 404],
    ['an unknown device', [{ device: 'none', point: 'c-1' }], 404],
    ['a point without a device', [{ point: 'c-1' }], 400]
  ]
  for (const [name, selectedPoints, status] of cases)
    for (const call of [`POST ${reports}`, `PATCH ${reports}/r-1`]) {
      const body = { reportName: 'x', reportDetails: { selectedDateFilter: 'x', selectedPoints } }
      await expectStatus(t, `${name}, ${call}`, call, { body }, status)
    }
  await expectStatus(t, 'a new report name', `PATCH ${reports}/r-1`, { body: { reportName: 'y' } }, 200)
})

t.test('refuses a body with a second organization, which the upstream might use instead', async (t) => {
  const link = customer(ours)
  const integrator = { customer: null, partner: INTEGRATOR }
  const customerById = { customer: null, customerId: ours.id }
  const foreignPair = { customer: link, partner: FOREIGN_INTEGRATOR }
  const kinds: [
    call: string,
    by: string,
    fields: object,
    cases: [organizations: object, status: number][]
  ][] = [
    [
      `POST ${MANAGEMENT}/userInvitations`,
      'customer.admin',
      { email: 'a@b.example', roleAssignments: [] },
      [
        [{ ...customerById, partner: INTEGRATOR }, 400],
        [{ customer: customer(foreign), customerId: ours.id }, 400],
        [foreignPair, 400],
        [{ customer: link, partner: INTEGRATOR }, 200]
      ]
    ],
    [
      `POST ${MANAGEMENT}/serviceAccounts`,
      'partner.admin',
      { serviceName: 'x', roleAssignments: [] },
      [
        [{ ...customerById, partner: FOREIGN_INTEGRATOR }, 400],
        [foreignPair, 400],
        [integrator, 200]
      ]
    ],
    [
      PROJECTS,
      'partner.admin',
      { projectName: 'x' },
      [
        [{ customer: link, customerId: foreign.id }, 400],
        [{ customer: link, partnerId: '200' }, 400]
      ]
    ]
  ]
  for (const [call, by, fields, cases] of kinds)
    for (const [organizations, status] of cases) {
      const name = `${call} ${JSON.stringify(organizations)}`
      await expectStatus(t, name, call, { by, body: { ...fields, ...organizations } }, status)
    }
  const query = `customerId=${ours.id}&organizationId=200`
  await expectStatus(t, 'exports of two organizations', 'GET /api/v1/egress/exports', { query }, 400)
})

t.test('lets people answer only their own invitations', async (t) => {
  for (const verb of ['accept', 'reject']) {
    const answer = (id: string) => `POST ${MANAGEMENT}/userInvitation/${id}/${verb}`
    const foreignAnswer = await attempt(answer('invitation-of-100'), { by: 'invited.user' })
    t.match(foreignAnswer, { status: 404, forwarded: false, text: /"code":"notFound"/ })
    await expectStatus(t, verb, answer('invitation-of-oneself'), { by: 'invited.user' }, 200)
  }
})
