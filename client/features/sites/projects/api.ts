import { useLocation } from 'react-router-dom'
import type { Project } from '#shared/answers/customers.ts'
import { calls } from '#shared/calls.ts'
import { CODES } from '#shared/messages.ts'
import { organizationScope } from '#shared/scopes.ts'
import { ApiError, isOutcomeUnknown } from '../../../lib/http/api-error.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { request } from '../../../lib/http/request.ts'
import { reportFailure } from '../../../ui/state/report-failure.ts'
import { type Offer, toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../customers/customer.tsx'
import { type CustomerChange, useCustomerCache } from '../customers/customer-cache.ts'
import { PROJECT } from './messages.ts'

export function createProject(projectName: string, customerId: string, partnerId: string): Promise<Project> {
  const body = {
    projectName,
    customer: organizationScope(customerId),
    partner: organizationScope(partnerId)
  }
  return request<Project>(calls.allProjects, { method: 'POST', body, customerId })
}

export function searchProjects<T extends { projectName: string }>(
  projects: readonly T[],
  keyword: string
): T[] {
  const text = keyword.trim().toLowerCase()
  return projects.filter(({ projectName }) => projectName.toLowerCase().includes(text))
}

export function projectCreated({ id, projectName }: Project): CustomerChange {
  return {
    projects: (all) => [...all.filter((project) => project.id !== id), { id, projectName, deviceCount: 0 }]
  }
}

export function projectRenamed({ id, projectName }: Project): CustomerChange {
  return {
    projects: (all) => all.map((project) => (project.id === id ? { ...project, projectName } : project)),
    device: (device) => (device.projectId === id ? { ...device, projectName } : device)
  }
}

export function projectDeleted(id: string): CustomerChange {
  return { projects: (all) => all.filter((project) => project.id !== id) }
}

/** Query parameter with the name of a project that could not be created. */
export const RETRY_PARAMETER = 'retryProjectName'

/** Optimistic changes: each change shows at once, reports its outcome and reloads the customer. No change rejects. */
export function useProjectChanges() {
  const { customerId } = useCustomer()
  const cache = useCustomerCache(customerId)
  const { pathname, search } = useLocation()
  const reload = () => void cache.refresh()
  const { mutateAsync: sendRename } = useMutation({
    mutationFn: ({ id, projectName }: Project) =>
      request(calls.project(id), { method: 'PATCH', body: { projectName }, customerId }),
    onMutate: (project) => cache.show(projectRenamed(project))
  })
  const { mutateAsync: sendDeletion } = useMutation({
    mutationFn: (id: string) => request(calls.project(id), { method: 'DELETE', customerId }),
    onMutate: (id) => cache.show(projectDeleted(id))
  })

  /** Resolves to false if the name is not saved. After a lost answer nobody knows, and the reload shows the name. */
  async function rename(project: Project, successText: string, offer?: Offer): Promise<boolean> {
    try {
      await sendRename(project)
      toasts.ok(successText, offer)
      return true
    } catch (error) {
      if (isDuplicate(error)) toasts.failed(PROJECT.renameDuplicate)
      else reportFailure(PROJECT.renameFailed, error, reload)
      return isOutcomeUnknown(error)
    } finally {
      reload()
    }
  }

  return {
    async createProject(projectName: string, partnerId: string) {
      try {
        const project = await createProject(projectName, customerId, partnerId)
        cache.show(projectCreated(project))
        toasts.ok(PROJECT.created(projectName))
      } catch (error) {
        const query = new URLSearchParams(search)
        query.set(RETRY_PARAMETER, projectName)
        const retry = { label: 'Retry', to: `${pathname}?${query}` }
        if (isDuplicate(error)) toasts.failed(PROJECT.createDuplicate, retry)
        else reportFailure(PROJECT.createFailed, error, reload, retry)
      }
      reload()
    },

    /** See `rename`. */
    renameProject(project: Project, projectName: string) {
      const onAct = () => void rename(project, PROJECT.renameUndone(project.projectName))
      const undo = { label: 'Undo', onAct, brief: true }
      return rename({ id: project.id, projectName }, PROJECT.renamed(projectName), undo)
    },

    async deleteProject({ id, projectName }: Project) {
      try {
        await sendDeletion(id)
        toasts.ok(PROJECT.deleted(projectName))
      } catch (error) {
        reportFailure(PROJECT.deleteFailed, error, reload)
      }
      reload()
    }
  }
}

export function isDuplicate(error: unknown): boolean {
  return error instanceof ApiError && error.code === CODES.duplicateProject
}

/** Names the number of points whose status is not ok in the cache. The page of the points sets it once it is known. */
export const exceptionsKey = (customerId: string) => `exceptions ${customerId}`
