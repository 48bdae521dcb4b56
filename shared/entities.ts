// Types that the gateway and the client share. What the gateway's own endpoints answer is in answers.ts.
import type { CustomerCard } from './answers/customers.ts'
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

export interface Organization {
  id: string
  orgName: string
  isTechViewEnabled: boolean
  projectCount: number
  deviceCount: number
  /** The integrator of a customer; null for an integrator. */
  partnerId: string | null
}

export type OfferingCode = 'NDS' | 'Remote' | 'Recover'

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

/** Where help is to be had. */
export interface Support {
  phone: string | null
  email: string | null
}

/** All that the client needs to know before its first screen. */
export interface Bootstrap {
  user: User
  /** What the user may do somewhere; where exactly is `may(user.roleAssignments, action, scope)`. */
  actions: Action[]
  /** Customers that the user may see; `only` when it is exactly one (`/` is then that customer's area). */
  customers: { count: number; only: CustomerCard | null }
  flags: Record<Flag, boolean>
  /** Text of the service banner; null when there is none or its flag is off. */
  banner: string | null
  support: Support
  links: { remote: string | null; thirdPartyApp: Link | null; privacy: Link[]; licensing: string | null }
  session: { noticeSeconds: number }
  /** The gateway's clock, ISO 8601 UTC: subscriptions expire by it, not by the browser's clock. */
  now: string
}

/** One of the caller's own sessions. Times in ISO 8601; `lastUsed` is true to a minute. */
export interface OwnSession {
  /** Names it in `/auth/sessions/{id}`; it is not the cookie's. */
  id: string
  /** What the browser called itself at sign-in; null when it did not say. */
  browser: string | null
  system: string | null
  since: string
  lastUsed: string
  /** The one that asks. */
  current: boolean
}

/** `GET /auth/sessions`, the last used first. */
export interface OwnSessions {
  sessions: OwnSession[]
}

/** `GET /auth/session` and `POST /auth/session/renew`. `expires_in` in seconds. */
export interface SessionState {
  authenticated: boolean
  expires_in: number
  expired: boolean
  /** No call prolongs it: its longest time is reached, or it has no token to renew. */
  final?: boolean
  /** Who ended a session that is over: the authority, its person elsewhere, or a newer sign-in of theirs. */
  ended?: 'authority' | 'person' | 'newer'
}
