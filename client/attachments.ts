import type { Attachments } from './screens/shell/attachments.ts'

export const attachments: Attachments = {
  attendants: () => import('./screens/session/attendants.tsx'),
  invitations: () => import('./screens/notifications/invitation-prompt.tsx'),
  bell: () => import('./screens/notifications/bell.tsx'),
  notificationSettings: () => import('./screens/notifications/settings-dialog.tsx')
}
