// Types that the gateway and the client share. The schemas of answers are in answers/.
import type { Organization as OrganizationRecord } from './answers/management.ts'

export type {
  CustomerCard,
  CustomerName,
  CustomerTree,
  Device,
  DevicePage,
  DeviceSearch,
  FoundDevice,
  Missing,
  Project,
  ProjectList,
  Subscription
} from './answers/customers.ts'
export type { Page } from './answers/parts.ts'
export type { UserType } from './answers/people.ts'
export type { Bootstrap, Link, Me, Problem, RoleAssignment, Support, User } from './answers/portal.ts'
export type { OwnSession, OwnSessions, SessionState } from './answers/session.ts'
export type { OfferingCode } from './devices.ts'

/** An organization, as the gateway maps it. `partnerId` is null for an integrator. */
export type Organization = Omit<OrganizationRecord, 'partnerId'> & { partnerId: string | null }

/** Names of the feature flags. */
export const FLAGS = [
  'enableHistoryCharting',
  'enableMobileResponsive',
  'enableDarkTheme',
  'enableNotifications',
  'enableThirdPartyApps',
  'enableTechSupport',
  'enableServiceBanner'
] as const
export type Flag = (typeof FLAGS)[number]
