// Changes of projects.
import { useLocation } from 'react-router-dom'
import type { Project } from '#shared/entities.ts'
import { CODES, PROJECT } from '#shared/messages.ts'
import { organizationScope } from '#shared/scopes.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import { tellFailure, toasts } from '../../ui/state/toasts.ts'
import { type CustomerChange, useCustomerCache } from '../customers/customer-cache.ts'

const PROJECTS = '/api/v2/management/projects'
const pathOf = (projectId: string) => `${PROJECTS}/${encodeURIComponent(projectId)}`

function createProject(projectName: string, customerId: string, partnerId: string): Promise<Project> {
  const body = {
    projectName,
    customer: organizationScope(customerId),
    partner: organizationScope(partnerId)
  }
  return request<Project>(PROJECTS, { method: 'POST', body, customerId })
}

function renameProject({ id, projectName }: Project, customerId: string): Promise<unknown> {
  return request(pathOf(id), { method: 'PATCH', body: { projectName }, customerId })
}

function deleteProject(projectId: string, customerId: string): Promise<unknown> {
  return request(pathOf(projectId), { method: 'DELETE', customerId })
}

export function projectCreated({ id, projectName }: Project): CustomerChange {
  return {
    projects: (all) => [...all.filter((one) => one.id !== id), { id, projectName, deviceCount: 0 }]
  }
}

export function projectRenamed({ id, projectName }: Project): CustomerChange {
  return {
    projects: (all) => all.map((one) => (one.id === id ? { ...one, projectName } : one)),
    device: (device) => (device.projectId === id ? { ...device, projectName } : device)
  }
}

export function projectDeleted(id: string): CustomerChange {
  return { projects: (all) => all.filter((one) => one.id !== id) }
}

/** Carries the name of a project that could not be created. */
export const RETRY_PARAMETER = 'retryProjectName'

interface ProjectChanges {
  createProject: (projectName: string, partnerId: string) => Promise<void>
  /** Whether it worked. */
  renameProject: (project: Project, projectName: string) => Promise<boolean>
  deleteProject: (project: Project) => Promise<void>
}

/** Each shows its effect at once, says how it ended, and reads the customer again. None of them rejects. */
export function useProjectChanges(customerId: string): ProjectChanges {
  const cache = useCustomerCache(customerId)
  const { pathname, search } = useLocation()
  const reload = () => void cache.refresh()

  async function rename({ id, projectName }: Project, tell: () => void): Promise<boolean> {
    const takeBack = cache.apply(projectRenamed({ id, projectName }))
    try {
      await renameProject({ id, projectName }, customerId)
      tell()
      return true
    } catch (error) {
      takeBack()
      if (isDuplicate(error)) toasts.failed(PROJECT.renameDuplicate)
      else tellFailure(PROJECT.renameFailed, error, reload)
      return false
    } finally {
      reload()
    }
  }

  return {
    async createProject(projectName, partnerId) {
      try {
        const project = await createProject(projectName, customerId, partnerId)
        cache.apply(projectCreated(project))
        toasts.ok(PROJECT.created(projectName))
      } catch (error) {
        const query = new URLSearchParams(search)
        query.set(RETRY_PARAMETER, projectName)
        const retry = { label: 'Retry', to: `${pathname}?${query}` }
        if (isDuplicate(error)) toasts.failed(PROJECT.createDuplicate, retry)
        else tellFailure(PROJECT.createFailed, error, reload, retry)
      }
      reload()
    },

    renameProject(before, projectName) {
      const takeBack = () => void rename(before, () => toasts.ok(PROJECT.renameUndone(before.projectName)))
      return rename({ id: before.id, projectName }, () =>
        toasts.ok(PROJECT.renamed(projectName), { label: 'Undo', onAct: takeBack, brief: true })
      )
    },

    async deleteProject({ id, projectName }) {
      const undo = cache.apply(projectDeleted(id))
      try {
        await deleteProject(id, customerId)
        toasts.ok(PROJECT.deleted(projectName))
      } catch (error) {
        undo()
        tellFailure(PROJECT.deleteFailed, error, reload)
      }
      reload()
    }
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof ApiError && error.code === CODES.duplicateProject
}
