// Service accounts of a customer. A secret appears in one answer only; a new secret replaces the previous one.
import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { about, changesBetween, recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { linkField, nameField, objectBody, optionalText, timeField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { found, malformed } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { ServiceAccountRecord } from '../../records/people.ts'
import { customersOf, now, type State } from '../../state.ts'
import { organizationOf } from './organizations.ts'
import { changeRoles, readRoles, roleBodies, rolesText } from './roles.ts'

const NAME_MAX_CHARACTERS = 50
const DESCRIPTION_MAX_CHARACTERS = 300

export const serviceAccounts: Upstream = (api, state) => {
  const toBody = (account: ServiceAccountRecord): object => accountBody(state, account)
  const accountOf = (request: FastifyRequest): ServiceAccountRecord => {
    const { id } = params(request)
    return found(state.serviceAccounts.get(id), `service account ${id}`)
  }
  const record = recorderOf(state, 'SERVICE_ACCOUNT', (account: ServiceAccountRecord) =>
    about(account, account.serviceName)
  )

  // An integrator gets the accounts of all its customers.
  api.get(`${MANAGEMENT}/organizations/:id/serviceAccounts`, async (request) => {
    const { id, partnerId } = organizationOf(state, params(request).id)
    const items =
      partnerId === null
        ? customersOf(state, id).flatMap((customer) => state.serviceAccounts.of(customer.id))
        : state.serviceAccounts.of(id)
    const searched = (account: ServiceAccountRecord): string[] => [account.serviceName, account.description]
    return halPage(request, { rel: 'serviceAccounts', items, toBody, searched })
  })

  api.post(`${MANAGEMENT}/serviceAccounts`, async (request, reply) => {
    const account = state.serviceAccounts.add(readAccount(state, request))
    record(request, 'SERVICE_ACCOUNT_CREATED', account)
    return reply.code(201).send(toBody(account))
  })

  api.get(`${MANAGEMENT}/serviceAccounts/:id`, async (request) => toBody(accountOf(request)))

  api.patch(`${MANAGEMENT}/serviceAccounts/:id`, async (request) => {
    const account = accountOf(request)
    const before = { ...account }
    Object.assign(account, readTexts({ ...account, ...objectBody(request) }))
    const changes = changesBetween(before, account, ['serviceName', 'description'])
    record(request, 'SERVICE_ACCOUNT_UPDATED', account, changes)
    return toBody(account)
  })

  api.delete(`${MANAGEMENT}/serviceAccounts/:id`, async (request, reply) => {
    const account = accountOf(request)
    state.serviceAccounts.remove(account.id)
    record(request, 'SERVICE_ACCOUNT_DELETED', account)
    return reply.code(204).send()
  })

  api.patch(`${MANAGEMENT}/serviceAccounts/:id/roleAssignments`, async (request) => {
    const account = accountOf(request)
    const before = rolesText(account.roleAssignments)
    account.roleAssignments = changeRoles(state, account.roleAssignments, request.body)
    const change = { field: 'roleAssignments', before, after: rolesText(account.roleAssignments) }
    record(request, 'ROLES_CHANGED', account, [change])
    return { roleAssignments: roleBodies(account.roleAssignments) }
  })

  api.post(`${MANAGEMENT}/serviceAccounts/:id/secret`, async (request) => {
    const account = accountOf(request)
    const expiresMs = timeField(objectBody(request), 'expiration')
    if (expiresMs <= state.clock()) throw malformed('expiration must lie in the future', 'expiration')
    const before = { ...account }
    account.secretExpiration = new Date(expiresMs).toISOString()
    record(request, 'SECRET_GENERATED', account, changesBetween(before, account, ['secretExpiration']))
    const secret = randomBytes(32).toString('base64url')
    return { clientId: account.clientId, secret, expiration: account.secretExpiration }
  })
}

function readAccount(state: State, request: FastifyRequest): ServiceAccountRecord {
  const body = objectBody(request)
  const customer = organizationOf(state, linkField(body, 'customer', 'organizations'))
  const partner = linkField(body, 'partner', 'organizations')
  if (customer.partnerId !== partner) throw malformed('the customer belongs to another partner', 'partner')
  return {
    id: state.nextId('sa'),
    ...readTexts(body),
    clientId: `sa-${randomUUID()}`,
    secretExpiration: null,
    createdBy: callerOf(request).fullName,
    createdDate: now(state),
    lastUsedDate: null,
    customerId: customer.id,
    roleAssignments: readRoles(state, body.roleAssignments, 'roleAssignments')
  }
}

function readTexts(body: Record<string, unknown>) {
  return {
    serviceName: nameField(body, 'serviceName', NAME_MAX_CHARACTERS),
    description: optionalText(body, 'description', DESCRIPTION_MAX_CHARACTERS)
  }
}

function accountBody(state: State, account: ServiceAccountRecord): object {
  const { customerId, roleAssignments, ...fields } = account
  const customer = `/organizations/${customerId}`
  const partner = `/organizations/${state.organizations.get(customerId)?.partnerId}`
  return {
    ...fields,
    customer,
    partner,
    roleAssignments: roleBodies(roleAssignments),
    _links: {
      self: { href: `${MANAGEMENT}/serviceAccounts/${account.id}` },
      customer: { href: customer },
      partner: { href: partner }
    }
  }
}
