import { useRef, useState } from 'react'
import { useSession } from '../../features/session/session.ts'
import { initials } from '../../lib/format.ts'
import { useIdle, useLazy } from '../../lib/use-lazy.ts'

/** The dialogs that the account menu opens. */
export type DialogName = 'notificationSettings' | 'recentMessages' | 'ownSessions'

/** The account menu. A button that looks the same comes first, and keeps a click or the focus for the menu until its code is there. */
export function Account({ onOpen }: { onOpen: (dialog: DialogName) => void }) {
  const { user } = useSession()
  const [asked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const start = useRef<'open' | 'focused'>(undefined)
  const Menu = useLazy(async () => {
    const loaded = await import('./account-menu.tsx')
    if (document.activeElement === button.current && button.current) start.current ??= 'focused'
    return loaded
  }, useIdle() || asked)
  if (Menu) return <Menu start={start.current} onOpen={onOpen} />
  return (
    <button
      ref={button}
      type="button"
      className="account-button"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => {
        start.current = 'open'
        setAsked(true)
      }}
    >
      <AccountName fullName={user.fullName} />
    </button>
  )
}

/** What the account menu's button shows. */
export function AccountName({ fullName }: { fullName: string }) {
  return (
    <>
      <span className="avatar" data-initials={initials(fullName)} />
      <span className="sr-only">Account of </span>
      <span className="account-name">{fullName}</span>
    </>
  )
}
