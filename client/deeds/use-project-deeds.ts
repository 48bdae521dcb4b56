import { useLocation } from 'react-router-dom'
import type { Project } from '#shared/entities.ts'
import { CODES, PROJECT } from '#shared/messages.ts'
import { ApiError } from '../api/api-error.ts'
import { useCustomerCache } from '../api/customer-cache.ts'
import { createProject, deleteProject, renameProject } from '../api/project-changes.ts'
import { toasts } from '../lib/toasts.ts'
import { RETRY_PARAMETER } from './customer.ts'
import { tellFailure } from './failed.ts'

export interface ProjectDeeds {
  createProject: (projectName: string, partnerId: string) => Promise<void>
  renameProject: (project: Project, projectName: string) => Promise<void>
  deleteProject: (project: Project) => Promise<void>
}

/** Each shows its effect at once, says how it ended (§8), and reads the customer again. None of them rejects. */
export function useProjectDeeds(customerId: string): ProjectDeeds {
  const cache = useCustomerCache(customerId)
  const { pathname, search } = useLocation()
  const reload = () => void cache.refresh()

  return {
    async createProject(projectName, partnerId) {
      try {
        const project = await createProject(projectName, customerId, partnerId)
        cache.apply({
          kind: 'project-created',
          project: { id: project.id, projectName: project.projectName }
        })
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

    async renameProject({ id }, projectName) {
      const undo = cache.apply({ kind: 'project-renamed', project: { id, projectName } })
      try {
        await renameProject({ id, projectName }, customerId)
        toasts.ok(PROJECT.renamed(projectName))
      } catch (error) {
        undo()
        if (isDuplicate(error)) toasts.failed(PROJECT.renameDuplicate)
        else tellFailure(PROJECT.renameFailed, error, reload)
      }
      reload()
    },

    async deleteProject({ id, projectName }) {
      const undo = cache.apply({ kind: 'project-deleted', projectId: id })
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
