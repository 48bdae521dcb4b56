import { useMemo } from 'react'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { unsearchableCharacters } from '#shared/devices.ts'
import { type Action, mayAnywhere } from '#shared/permissions.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { type Session, useSession } from '../../../lib/session/session.ts'

export interface AuditLinks {
  /** The address of the object's page; null without such a page, for a deleted object, or without permission. */
  ofObject: (entry: AuditLogEntry) => string | null
  ofDevice: (entry: AuditLogEntry) => string | null
  ofActor: (entry: AuditLogEntry) => string | null
  /** The device that the entry is about, if the person may view devices. */
  deviceOf: (entry: AuditLogEntry) => { customerId: string; deviceId: string } | null
}

export function isDeleted({ action, outcome }: AuditLogEntry): boolean {
  return action.endsWith('_DELETED') && !action.startsWith('BACKUP_') && outcome === 'SUCCESS'
}

export function useAuditLinks(): AuditLinks {
  const { user } = useSession()
  const { chosen } = useOrganization()
  const integratorId = chosen?.id
  return useMemo(() => createLinks(user, integratorId), [user, integratorId])
}

export function createLinks(user: Session['user'], integratorId?: string): AuditLinks {
  const may = (action: Action) => mayAnywhere(user.roleAssignments, action)
  const customerOf = (customerId: string) => paths.customer(customerId, integratorId)
  const ofUser = (id: string) => (may('users:view') ? paths.user(id) : null)
  const ofDevice = ({ device, customerId }: AuditLogEntry) =>
    device && customerId && may('devices:view')
      ? paths.device(customerOf(customerId), device.deviceUuid)
      : null
  return {
    ofActor: ({ actor }) => (actor.type === 'USER' ? ofUser(actor.id) : null),
    ofDevice,
    deviceOf({ device, resource, customerId }) {
      const deviceId = device?.id ?? (resource.type === 'DEVICE' ? resource.id : null)
      return deviceId && customerId && may('devices:view') ? { customerId, deviceId } : null
    },
    ofObject(entry) {
      const { resource, customerId, device } = entry
      if (isDeleted(entry)) return null
      if (resource.type === 'USER') return ofUser(resource.id)
      if (!customerId) return null
      const customer = customerOf(customerId)
      const listAddress = (query: Record<string, string>) => `${customer}?${new URLSearchParams(query)}`
      const { name } = resource
      switch (resource.type) {
        case 'PROJECT':
          return may('projects:view') ? listAddress({ project: resource.id }) : null
        case 'DEVICE':
          if (device) return ofDevice(entry)
          // The device list can be searched by name, but not by this id.
          return name && may('devices:view') && unsearchableCharacters(name).length === 0
            ? listAddress({ q: name })
            : null
        case 'SERVICE_ACCOUNT':
          return may('service-accounts:view') ? paths.serviceAccount(customer, resource.id) : null
        case 'REPORT':
          return may('reports:view') ? paths.report(customer, resource.id) : null
        case 'POINT':
          return device && may('data:query-model')
            ? paths.point(customer, device.deviceUuid, resource.id)
            : null
        case 'ALARM':
          return device && may('alarms:query')
            ? `${paths.deviceAlarms(customer, device.deviceUuid)}&${new URLSearchParams({ show: 'all', range: 'all', alarm: resource.id })}`
            : null
        case 'BACKUP':
          return device && may('recover:view') ? paths.savedBackups(customer, device.deviceUuid) : null
        default:
          return null
      }
    }
  }
}
