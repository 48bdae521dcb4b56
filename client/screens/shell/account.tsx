import { useRef, useState } from 'react'
import { useIdle, useLater } from '../../lib/use-later.ts'
import { useSession } from '../../session/session.ts'
import { AccountName } from './account-name.tsx'
import type { DialogName } from './use-dialogs.tsx'

/** The account menu. Until its code is there a button like it stands in its place, and keeps a click or the focus for it. */
export function Account({ onOpen }: { onOpen: (dialog: DialogName) => void }) {
  const { user } = useSession()
  const [asked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const start = useRef<'open' | 'focused'>(undefined)
  const Menu = useLater(async () => {
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
