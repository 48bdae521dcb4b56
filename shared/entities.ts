// Customers, projects, devices, users and sessions as the portal's own endpoints give them. Upstream shapes are mapped
// to these in server/upstreams.
import type { DeviceFields } from './devices.ts'
import type { Action, Assignment } from './permissions.ts'
import type { Match } from './text-search.ts'

/** Paged answers of the portal's endpoints; numbers from 0. */
export interface Page<T> {
  items: T[]
  page: { number: number; size: number; totalPages: number; totalElements: number }
}

/** INTERNAL is a global admin. */
export const USER_TYPES = ['PARTNER', 'CUSTOMER', 'INTERNAL', 'UNASSIGNED'] as const
export type UserType = (typeof USER_TYPES)[number]

export interface User {
  id: string
  organizationId: string | null
  organizationName: string | null
  fullName: string
  email: string | null
  userType: UserType
  roleAssignments: RoleAssignment[]
}

export interface RoleAssignment extends Assignment {
  id: string
}

export interface Organization {
  id: string
  orgName: string
  isTechViewEnabled: boolean
  projectCount: number
  deviceCount: number
  /** The integrator of a customer; null for an integrator. */
  partnerId: string | null
}

/** A card of the customers page. `scope` is the customer's scope path. */
export interface CustomerCard {
  id: string
  orgName: string
  projectCount: number
  deviceCount: number
  scope: string
}

export type OfferingCode = 'NDS' | 'Remote' | 'Recover'

export interface Subscription {
  offeringCode: OfferingCode | (string & {})
  /** ISO 8601 UTC. */
  startDate: string
  /** ISO 8601 UTC. */
  endDate: string
  /** Plan limit in GB, of NDS only. */
  planLimit?: number
}

export interface Device extends DeviceFields {
  /** Null when the device is in no known project. */
  projectId: string | null
  subscriptions: Subscription[]
  /** Data usage in percent of the plan limit, where devices are chosen by it. */
  usagePercent?: number
}

export interface Project {
  id: string
  projectName: string
}

/** What an aggregate could not fetch; empty when all is there. */
export type Missing = 'subscriptions' | 'plans'

export interface ProjectList {
  customer: { id: string; orgName: string; scope: string }
  projects: (Project & { deviceCount: number })[]
  totals: { projects: number; devices: number }
  partial: Missing[]
}

export interface DevicePage extends Page<Device> {
  partial: Missing[]
}

export type CustomerName = Pick<CustomerCard, 'id' | 'orgName' | 'scope'>

/** A device that a search over customers has found. */
export interface FoundDevice {
  match: Match
  device: Omit<Device, 'subscriptions'>
  customer: CustomerName
}

/** What a search over customers has found; of a stream of them, each tells what the ones before did not. */
export interface DeviceSearch {
  /** The best of all that match, the closest first. */
  items: FoundDevice[]
  /** How many match in the customers read so far. */
  total: number
  /** How many customers the caller may view, and how many of them were searched so far. */
  customers: { read: number; of: number }
  /** Customers that could not be read. */
  partial: CustomerName[]
}

export interface CustomerTree {
  customerId: string
  /** ISO 8601 UTC. */
  assembledAt: string
  partial: Missing[]
  projects: (Project & { devices: Device[] })[]
  /** Devices of no known project. */
  unassigned: Device[]
}

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
  /** The gateway's clock, ISO 8601 UTC: subscriptions expire by it, whatever the browser's clock says. */
  now: string
}

/** Who the caller is now, and what they may do somewhere. */
export type Me = Pick<Bootstrap, 'user' | 'actions'>

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

/** RFC 9457, with the upstream's code where it gave one. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code?: string
  requestId: string
}
