// Projects of a customer: listing, creating, renaming, deleting.
import { about, changesBetween, recorderOf } from '../../api/audit.ts'
import { linkField, objectBody, textField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { ApiProblem, found, malformed } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { ProjectRecord } from '../../records/sites.ts'
import type { State } from '../../state.ts'
import { organizationOf } from './organizations.ts'

const NAME_MAX_CHARACTERS = 50

export const projects: Upstream = (api, state) => {
  const toBody = (project: ProjectRecord): object => projectBody(state, project)
  const record = recorderOf(state, 'PROJECT', (project: ProjectRecord) => about(project, project.projectName))

  api.get(`${MANAGEMENT}/organizations/:id/projects`, async (request) => {
    const { id } = organizationOf(state, params(request).id)
    const items = state.projects.of(id)
    return halPage(request, { rel: 'projects', items, toBody, searched: (project) => [project.projectName] })
  })

  api.post(`${MANAGEMENT}/projects`, async (request, reply) => {
    const body = objectBody(request)
    const customer = organizationOf(state, linkField(body, 'customer', 'organizations'))
    const partnerId = linkField(body, 'partner', 'organizations')
    if (customer.partnerId !== partnerId)
      throw malformed('the customer belongs to another partner', 'partner')
    const projectName = freeName(state, customer.id, textField(body, 'projectName', NAME_MAX_CHARACTERS))
    const project = state.projects.add({ id: state.nextId('p'), projectName, customerId: customer.id })
    record(request, 'PROJECT_CREATED', project)
    return reply.code(201).send(toBody(project))
  })

  api.patch(`${MANAGEMENT}/projects/:id`, async (request) => {
    const project = projectOf(state, params(request).id)
    const before = { ...project }
    const newName = textField(objectBody(request), 'projectName', NAME_MAX_CHARACTERS)
    project.projectName = freeName(state, project.customerId, newName, project.id)
    record(request, 'PROJECT_RENAMED', project, changesBetween(before, project, ['projectName']))
    return toBody(project)
  })

  api.delete(`${MANAGEMENT}/projects/:id`, async (request, reply) => {
    const project = projectOf(state, params(request).id)
    if (state.devices.of(project.customerId).some((device) => device.projectId === project.id))
      throw new ApiProblem(409, 'PROJECT_HAS_DEVICES', 'a project with devices cannot be deleted')
    state.projects.remove(project.id)
    record(request, 'PROJECT_DELETED', project)
    return reply.code(204).send()
  })
}

export function projectOf(state: State, id: string): ProjectRecord {
  return found(state.projects.get(id), `project ${id}`)
}

function freeName(state: State, customerId: string, name: string, ownId?: string): string {
  const lowerName = name.trim().toLowerCase()
  const isTaken = state.projects
    .of(customerId)
    .some((project) => project.id !== ownId && project.projectName.toLowerCase() === lowerName)
  if (!isTaken) return name
  throw new ApiProblem(
    409,
    'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS',
    'the customer already has a project of that name',
    'projectName'
  )
}

function projectBody(state: State, { id, projectName, customerId }: ProjectRecord): object {
  const partnerId = state.organizations.get(customerId)?.partnerId
  return {
    id,
    projectName,
    _links: {
      self: { href: `${MANAGEMENT}/projects/${id}` },
      customer: { href: `/organizations/${customerId}` },
      partner: { href: `/organizations/${partnerId}` }
    }
  }
}
