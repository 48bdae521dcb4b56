// Organizations and what stands at them.
import type { OfferingCode } from '#shared/entities.ts'
import type { EquipmentName } from '../seed/names.ts'

/** An integrator, or a customer when it has a `partnerId`. */
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
  /** Decides its points, whatever it is called by now. */
  equipment: EquipmentName
}

export interface SubscriptionRecord {
  deviceUuid: string
  offeringCode: OfferingCode
  startDate: string
  endDate: string
  planLimit?: number
}

/** Eight characters that a device shows: from their first use on they are valid for a while. */
export interface CodeUse {
  firstMs: number
  /** Once a device was registered with it. */
  spent: boolean
}
