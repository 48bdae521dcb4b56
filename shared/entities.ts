// Types that the gateway and the client share. The schemas of answers are in answers/.
import type { CustomerCard } from './answers/customers.ts'
import type { Organization as OrganizationRecord } from './answers/management.ts'
import type { User } from './answers/portal.ts'
import type { Action } from './permissions.ts'

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
export type { Me, Problem, RoleAssignment, User } from './answers/portal.ts'
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

export interface Link {
  label: string
  url: string
}

/** Contacts of the support. */
export interface Support {
  phone: string | null
  email: string | null
}

/** The data that the client needs before its first screen. */
export interface Bootstrap {
  user: User
  /** Actions allowed in at least one scope. `may(user.roleAssignments, action, scope)` decides for one scope. */
  actions: Action[]
  /** Customers that the user may see. `only` is set if there is exactly one: then `/` shows that customer. */
  customers: { count: number; only: CustomerCard | null }
  flags: Record<Flag, boolean>
  /** Text of the service banner; null if it has no text or its flag is off. */
  banner: string | null
  support: Support
  links: { remote: string | null; thirdPartyApp: Link | null; privacy: Link[]; licensing: string | null }
  session: { noticeSeconds: number }
  /** Time on the gateway's clock, ISO 8601 UTC. Subscriptions expire by this clock, not by the browser's. */
  now: string
}

/** One of the caller's sessions. Times are ISO 8601; `lastUsed` is exact to a minute. */
export interface OwnSession {
  /** The id in `/auth/sessions/{id}`, not the cookie's value. */
  id: string
  /** The browser at sign-in; null if unknown. */
  browser: string | null
  system: string | null
  /** The start of the address at sign-in, such as `203.0.113.*`; null if unknown. */
  network: string | null
  since: string
  lastUsed: string
  /** Whether the call was made in this session. */
  current: boolean
}

/** Answer of `GET /auth/sessions`, the most recently used session first. */
export interface OwnSessions {
  sessions: OwnSession[]
}

/** Answer of `GET /auth/session` and `POST /auth/session/renew`. `expires_in` is in seconds. */
export interface SessionState {
  authenticated: boolean
  expires_in: number
  expired: boolean
  /** The session cannot be extended: it has reached its maximum length or has no refresh token. */
  final?: boolean
  /** The session was ended by the authority, by the person in another browser, or by a newer sign-in. */
  ended?: 'authority' | 'person' | 'newer'
}
