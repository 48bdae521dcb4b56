import type { UserType } from '#shared/answers/people.ts'

export interface RoleRecord {
  id: string
  scope: string
  roleNumber: number
  roleName: string
}

export interface UserRecord {
  id: string
  username: string
  fullName: string
  email: string
  userType: UserType
  organizationId: string | null
  status: 'ACTIVE' | 'DISABLED'
  lastActiveDate: string | null
  roleAssignments: RoleRecord[]
}

export interface InvitationRecord {
  id: string
  email: string
  message: string | null
  partnerId: string
  customerId: string | null
  createdDate: string
  expiresDate: string
  invitedBy: string
  status: 'PENDING' | 'ACCEPTED' | 'REJECTED'
  roleAssignments: RoleRecord[]
}

export interface ServiceAccountRecord {
  id: string
  serviceName: string
  description: string
  clientId: string
  /** Null while the account has no secret. */
  secretExpiration: string | null
  createdBy: string
  createdDate: string
  lastUsedDate: string | null
  customerId: string
  roleAssignments: RoleRecord[]
}

export interface PreferenceRecord {
  eventTypeId: 1 | 2
  notificationType: 'email'
  subscribe: boolean
}

export interface NotificationRecord {
  notificationId: string
  subject: string
  content: string
  generatedDate: string
  readStatus: boolean
  substitutions: Record<string, string | null>
}
