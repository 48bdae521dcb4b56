// Everything that a body names must lie where the call was allowed.
import t from 'tap'
import type { Target } from './grid-oracle.ts'
import { startTries } from './tries.ts'

const MANAGEMENT = '/api/v2/management'
const BATCH = 'POST /api/v1/control/devices/commands/acknowledgeAlarmBatch'
const PROJECTS = `POST ${MANAGEMENT}/projects`
const REGISTRATION = 'POST /api/v2/devicemanagement/registration'
const TELEMETRY = 'POST /api/v1/egress/telemetry'

const { attempt, expectStatus, foreign, ours, sibling, upstream } = await startTries(t)
const { deviceId = '', deviceUuid = '' } = ours.parameters
const { systemGuid } = ours
const REPORTS = `/api/v1/charts-and-reports/${ours.id}/report`
t.beforeEach(() => {
  upstream.passed.length = 0
})

const project = ({ parameters }: Target) => `/projects/${parameters.projectId}`
const customer = ({ id }: Target) => `/organizations/${id}`

t.test('refuses what belongs to another customer, wherever a body names it', async (t) => {
  const guid = (...of: Target[]) => of.map(({ systemGuid }) => systemGuid)
  const points = `POST /api/v1/entitymodel/customers/${ours.id}/pointNames`
  const alarms = `POST /api/v1/alarms/customers/${ours.id}/alarms:search`
  const many = Array.from({ length: 1000 }, () => ours.systemGuid)
  const link = customer(ours)
  const moved = `PATCH ${MANAGEMENT}/devices/${deviceId}`
  const projectOf = (more: object) => ({ projectName: 'x', ...more })
  const cases: [name: string, call: string, body: unknown, status: number, claim?: string][] = [
    ['another’s system', points, { systemGuid: sibling.systemGuid }, 404],
    ['one of two systems another’s', alarms, { systemGuids: guid(ours, foreign) }, 404],
    ['a system nobody has', points, { systemGuid: 'none' }, 404],
    ['a thousand', alarms, { systemGuids: many }, 200],
    ['its system', points, { systemGuid: ours.systemGuid }, 200],
    ['none, where the path names the customer', points, {}, 200],
    ['none, where nothing does', TELEMETRY, {}, 400, ours.id],
    ['another’s history', TELEMETRY, { systemGuid: sibling.systemGuid }, 404, ours.id],
    ['its history', TELEMETRY, { systemGuid: ours.systemGuid }, 200, ours.id],
    [
      'an export of another’s point',
      'POST /api/v1/egress/exports',
      { customerId: ours.id, selectedPoints: [{ systemGuid: sibling.systemGuid }] },
      404
    ],
    ...(
      [
        ['of its device', [{ device: deviceUuid, point: 'c-1' }], 200],
        ['of its device by id', [{ device: deviceId, point: 'c-1' }], 200],
        [
          'of its device as an object',
          [{ device: { id: deviceId, deviceUuid, systemGuid }, point: {} }],
          200
        ],
        ['of no point', [], 200],
        ['of a thousand', Array.from({ length: 1000 }, () => ({ device: deviceUuid })), 200],
        ['of another’s device', [{ device: sibling.parameters.deviceUuid, point: 'c-1' }], 404],
        ['of a foreign device', [{ device: foreign.parameters.deviceUuid, point: 'c-1' }], 404],
        ['of one of two', [{ device: deviceUuid }, { device: sibling.parameters.deviceUuid }], 404],
        [
          'of its device and another’s',
          [{ device: { id: deviceId, deviceUuid: sibling.parameters.deviceUuid } }],
          404
        ],
        [
          'of its device and another’s system',
          [{ device: { id: deviceId, systemGuid: sibling.systemGuid } }],
          404
        ],
        ['of another’s point', [{ device: deviceId, point: { systemGuid: sibling.systemGuid } }], 404],
        ['of a device nobody has', [{ device: 'none' }], 404],
        ['of no device', [{ point: 'c-1' }], 400]
      ] as [string, unknown[], number][]
    ).flatMap(([name, selectedPoints, status]): [string, string, unknown, number][] =>
      [`POST ${REPORTS}`, `PATCH ${REPORTS}/r-1`].map((call) => [
        `a report ${name}`,
        call,
        { reportName: 'x', reportDetails: { selectedDateFilter: 'x', selectedPoints } },
        status
      ])
    ),
    ['a report that is renamed', `PATCH ${REPORTS}/r-1`, { reportName: 'y' }, 200],
    ['an empty batch', BATCH, [], 400, ours.id],
    [
      'a batch with another’s device',
      BATCH,
      [ours, sibling].map(({ parameters: { deviceId } }) => ({ deviceId })),
      404,
      ours.id
    ],
    ['a batch with no device', BATCH, [{ alarmUuids: [] }], 400, ours.id],
    ['a project of nobody', PROJECTS, { projectName: 'x' }, 400],
    ['a project of an integrator', PROJECTS, projectOf({ customer: '/organizations/100' }), 400],
    ['a project of a foreign customer', PROJECTS, projectOf({ customer: customer(foreign) }), 403],
    ['a project of a customer that is none', PROJECTS, projectOf({ customer: '/organizations/none' }), 404],
    [
      'a project of two integrators',
      PROJECTS,
      projectOf({ customer: link, partner: '/organizations/200' }),
      400
    ],
    [
      'a project of its customer',
      PROJECTS,
      projectOf({ customer: link, partner: '/organizations/100' }),
      200
    ],
    ['a device moved to another’s project', moved, { project: project(sibling) }, 404, ours.id],
    ['a device moved to no project', moved, { project: null }, 400, ours.id],
    ['a device moved to its own', moved, { project: project(ours) }, 200, ours.id],
    [
      'a device registered into another’s project',
      REGISTRATION,
      { customer: link, project: project(sibling) },
      404
    ],
    ['a device registered into no project', REGISTRATION, { customer: link }, 400]
  ]
  for (const [name, call, body, status, claim] of cases)
    await expectStatus(t, name, call, { body, claim }, status)
})

t.test('refuses an organization named in two ways: the upstream might read the other one', async (t) => {
  const invitations = `POST ${MANAGEMENT}/userInvitations`
  const accounts = `POST ${MANAGEMENT}/serviceAccounts`
  const guest = { email: 'a@b.example', roleAssignments: [] }
  const account = { serviceName: 'x', roleAssignments: [] }
  const cases: [name: string, by: string, call: string, body: unknown, status: number][] = [
    [
      'a guest of the integrator, by way of a customer',
      'customer.admin',
      invitations,
      { ...guest, customer: null, customerId: ours.id, partner: '/organizations/100' },
      400
    ],
    [
      'a guest of two customers',
      'customer.admin',
      invitations,
      { ...guest, customer: customer(foreign), customerId: ours.id },
      400
    ],
    [
      'a guest of a customer and a foreign integrator',
      'customer.admin',
      invitations,
      { ...guest, customer: customer(ours), partner: '/organizations/200' },
      400
    ],
    [
      'a guest of the customer',
      'customer.admin',
      invitations,
      { ...guest, customer: customer(ours), partner: '/organizations/100' },
      200
    ],
    [
      'an account of a foreign integrator, by way of a customer',
      'partner.admin',
      accounts,
      { ...account, customer: null, customerId: ours.id, partner: '/organizations/200' },
      400
    ],
    [
      'an account of a customer and a foreign integrator',
      'partner.admin',
      accounts,
      { ...account, customer: customer(ours), partner: '/organizations/200' },
      400
    ],
    [
      'an account of the integrator',
      'partner.admin',
      accounts,
      { ...account, customer: null, partner: '/organizations/100' },
      200
    ],
    [
      'a project of two customers',
      'partner.admin',
      PROJECTS,
      { projectName: 'x', customer: customer(ours), customerId: foreign.id },
      400
    ],
    [
      'a project of two integrators',
      'partner.admin',
      PROJECTS,
      { projectName: 'x', customer: customer(ours), partnerId: '200' },
      400
    ]
  ]
  for (const [name, by, call, body, status] of cases) await expectStatus(t, name, call, { by, body }, status)
  const exports = { query: `customerId=${ours.id}&organizationId=200` }
  await expectStatus(t, 'exports of two', 'GET /api/v1/egress/exports', exports, 400)
})

t.test('lets people answer their own invitations only', async (t) => {
  for (const verb of ['accept', 'reject']) {
    const answer = (id: string) => `POST ${MANAGEMENT}/userInvitation/${id}/${verb}`
    const refused = await attempt(answer('invitation-of-100'), { by: 'invited.user' })
    t.match(refused, { status: 404, passed: false, text: /"code":"notFound"/ })
    await expectStatus(t, `${verb} one’s own`, answer('invitation-of-oneself'), { by: 'invited.user' }, 200)
  }
})
