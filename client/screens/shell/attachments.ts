import type { ComponentType } from 'react'

type Part<P = object> = () => Promise<{ default: ComponentType<P> }>

/** What other areas put around the screens. Each part is fetched after the first screen, or when it is asked for. */
export interface Attachments {
  attendants: Part
  invitations: Part
  bell: Part<{ onConfigure: () => void }>
  notificationSettings: Part<{ onClose: () => void }>
}
