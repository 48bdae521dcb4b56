// Changes of projects.
import type { Project } from '#shared/entities.ts'
import { organizationScope } from '#shared/scopes.ts'
import { request } from '../../lib/http/request.ts'

const PROJECTS = '/api/v2/management/projects'
const pathOf = (projectId: string) => `${PROJECTS}/${encodeURIComponent(projectId)}`

export function createProject(projectName: string, customerId: string, partnerId: string): Promise<Project> {
  const body = {
    projectName,
    customer: organizationScope(customerId),
    partner: organizationScope(partnerId)
  }
  return request<Project>(PROJECTS, { method: 'POST', body, customerId })
}

export function renameProject({ id, projectName }: Project, customerId: string): Promise<unknown> {
  return request(pathOf(id), { method: 'PATCH', body: { projectName }, customerId })
}

export function deleteProject(projectId: string, customerId: string): Promise<unknown> {
  return request(pathOf(projectId), { method: 'DELETE', customerId })
}
