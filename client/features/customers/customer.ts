// The customer whose page this is, and what may be done with it, for everything on the page. The calls themselves come
// with the dialogs that need them.
import { createContext, useContext } from 'react'
import type { Project, ProjectList } from '#shared/entities.ts'
import { CUSTOMER_NOT_SET } from '#shared/messages.ts'
import type { ShowDialog } from '../../ui/dialog/use-dialog.ts'

export interface Customer {
  id: string
  /** The address of its area. */
  path: string
  name: string
  projects: ProjectList['projects']
  /** Null for those who may not create projects, or whose integrator is not known. */
  partnerId: string | null
  may: {
    renameProject: boolean
    deleteProject: boolean
    editDevice: boolean
    moveDevice: boolean
    deleteDevice: boolean
    register: boolean
  }
  reload: () => void
  showDialog: ShowDialog
}

export const CustomerContext = createContext<Customer | null>(null)

export function useCustomer(): Customer {
  const customer = useContext(CustomerContext)
  if (!customer) throw new Error(CUSTOMER_NOT_SET)
  return customer
}

/** Carries the name of a project that could not be created. */
export const RETRY_PARAMETER = 'retryProjectName'

/** Why a project cannot be deleted now; null when it can. */
export function deletionRefusal({ deviceCount }: { deviceCount: number }): string | null {
  if (deviceCount === 0) return null
  return `It has ${deviceCount === 1 ? 'a device' : 'devices'}. Move or delete ${deviceCount === 1 ? 'it' : 'them'} first.`
}

export type ProjectEntry = Project & { deviceCount: number }
