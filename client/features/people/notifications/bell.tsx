import './style.css'
import BellIcon from 'lucide-react/icons/bell'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useLayout } from '../../../lib/layout.ts'
import { useSession } from '../../../lib/session/session.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { useDisclosure } from '../../../ui/input/use-disclosure.ts'
import { useUnreadExports } from '../../data/exports/export-watch.ts'
import { useUnreadCount } from './api.ts'
import { openInvitation, useMyInvitations } from './invitations/api.ts'
import { NotificationPanel } from './notification-panel.tsx'

const COUNT_MAX = 99

export default function Bell({ onConfigure }: { onConfigure: () => void }) {
  const { user } = useSession()
  const unread = useUnreadCount(user.id)
  const layout = useLayout()
  const { open, setOpen, root, button, close } = useDisclosure()
  const exports = useUnreadExports()
  const { data: invitations = [] } = useMyInvitations()
  const count = unread.count + exports.length + invitations.length
  const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && close()
  const panel = (
    <NotificationPanel
      unread={unread}
      exports={exports}
      invitations={invitations}
      onAnswer={(id) => {
        close()
        openInvitation(id)
      }}
      onClose={() => setOpen(false)}
      onConfigure={() => {
        setOpen(false)
        onConfigure()
      }}
    />
  )

  return (
    <div className="anchor menu-root" ref={root}>
      <button
        ref={button}
        type="button"
        className="anchor button quiet icon"
        aria-label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
        aria-haspopup="dialog"
        aria-expanded={open}
        title="Notifications"
        onClick={() => setOpen(!open)}
        onKeyDown={closeOnEscape}
      >
        <BellIcon />
        {count > 0 && (
          <span className="header-count" aria-hidden="true">
            {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
          </span>
        )}
      </button>
      {open &&
        (layout === 'mobile' ? (
          <Modal title="Notifications" kind="screen" onClose={() => setOpen(false)}>
            {panel}
          </Modal>
        ) : (
          <Popup onKeyDown={closeOnEscape}>{panel}</Popup>
        ))}
    </div>
  )
}

function Popup({ onKeyDown, children }: { onKeyDown: (event: KeyboardEvent) => void; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section role="dialog" aria-label="Notifications" className="bell-popup" onKeyDown={onKeyDown}>
      <h2 ref={heading} tabIndex={-1}>
        Notifications
      </h2>
      {children}
    </section>
  )
}
