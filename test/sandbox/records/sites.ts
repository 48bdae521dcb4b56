import type { OfferingCode } from '#shared/devices.ts'
import type { EquipmentName } from '../seed/names.ts'

export interface OrganizationRecord {
  id: string
  orgName: string
  isTechViewEnabled: boolean
  partnerId: string | null
}

export interface ProjectRecord {
  id: string
  projectName: string
  customerId: string
}

export interface DeviceRecord {
  id: string
  deviceUuid: string
  deviceName: string
  hostId: string
  location: string
  projectId: string
  systemGuid: string
  createdDate: string
  customerId: string
  equipment: EquipmentName
}

export interface SubscriptionRecord {
  deviceUuid: string
  offeringCode: OfferingCode
  startDate: string
  endDate: string
  planLimit?: number
}

export interface CodeUse {
  firstMs: number
  spent: boolean
}
