import { unsearchableCharacters } from '#shared/devices.ts'
import { type Action, mayAnywhere } from '#shared/permissions.ts'
import type { AuditEntry } from '../../lib/audit-sentences.ts'
import { paths } from '../../paths.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'

export interface AuditPlaces {
  /** The page of what an entry is about; null where there is none, it is gone, or it is not the reader's to see. */
  ofObject: (entry: AuditEntry) => string | null
  ofActor: (entry: AuditEntry) => string | null
}

/** Whether the entry tells that its object has gone. */
export function isDeleted({ action, outcome }: AuditEntry): boolean {
  return action.endsWith('_DELETED') && !action.startsWith('BACKUP_') && outcome === 'SUCCESS'
}

/** Where the people and things of the log are found. */
export function useAuditPlaces(): AuditPlaces {
  const { user } = useSession()
  const { chosen } = useIntegrator()
  const may = (action: Action) => mayAnywhere(user.roleAssignments, action)
  const ofUser = (id: string) => (may('users:view') ? paths.user(id) : null)
  return {
    ofActor: ({ actor }) => (actor.type === 'USER' ? ofUser(actor.id) : null),
    ofObject(entry) {
      const { resource, customerId } = entry
      if (isDeleted(entry)) return null
      if (resource.type === 'USER') return ofUser(resource.id)
      if (!customerId) return null
      const customer = paths.customer(customerId, chosen?.id)
      const found = (query: Record<string, string>) => `${customer}?${new URLSearchParams(query)}`
      const { name } = resource
      switch (resource.type) {
        case 'PROJECT':
          return may('projects:view') ? found({ project: resource.id }) : null
        case 'DEVICE':
          // Entries know a device by its id and its name; of the two its page knows neither, and the list the name.
          return name && may('devices:view') && unsearchableCharacters(name).length === 0
            ? found({ q: name })
            : null
        case 'SERVICE_ACCOUNT':
          return may('service-accounts:view') ? paths.serviceAccount(customer, resource.id) : null
        case 'REPORT':
          return may('reports:view') ? paths.report(customer, resource.id) : null
        default:
          return null
      }
    }
  }
}
