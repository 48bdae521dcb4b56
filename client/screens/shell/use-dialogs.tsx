import { type ReactNode, useState } from 'react'
import { browser } from '../../lib/browser.ts'
import { toasts } from '../../lib/toasts.ts'
import { useLater } from '../../lib/use-later.ts'
import type { Attachments } from './attachments.ts'

/** The dialogs of the header. */
export type DialogName = 'notificationSettings' | 'recentMessages'

/** One of the header's dialogs, whose code is fetched when it is first asked for. */
export function useDialogs(attachments: Attachments): {
  dialog: ReactNode
  open: (name: DialogName) => void
} {
  const [name, open] = useState<DialogName | null>(null)
  const failed = () => {
    open(null)
    toasts.failed('This part of the portal could not be fetched.', {
      label: 'Reload',
      onAct: () => browser.reload()
    })
  }
  const Settings = useLater(attachments.notificationSettings, name === 'notificationSettings', failed)
  const Messages = useLater(() => import('./recent-messages.tsx'), name === 'recentMessages', failed)
  const close = () => open(null)
  return {
    open,
    dialog: (
      <>
        {name === 'notificationSettings' && Settings && <Settings onClose={close} />}
        {name === 'recentMessages' && Messages && <Messages onClose={close} />}
      </>
    )
  }
}
