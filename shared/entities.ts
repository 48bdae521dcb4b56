// Types that the gateway and the client share. The schemas of answers are in answers/.
import type { Organization as OrganizationRecord } from './answers/management.ts'

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
