import './style.css'
import BellIcon from 'lucide-react/icons/bell'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLayout } from '../../lib/layout.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { useUnreadExports } from '../exports/export-watch.ts'
import { useSession } from '../session/session.ts'
import { useUnreadCount } from './api.ts'
import { useMyInvitations, want } from './invitations/api.ts'
import { NotificationPanel } from './notification-panel.tsx'

const COUNT_MAX = 99

export default function Bell({ onConfigure }: { onConfigure: () => void }) {
  const { user } = useSession()
  const unread = useUnreadCount(user.id)
  const [open, setOpen] = useState(false)
  const layout = useLayout()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const exports = useUnreadExports()
  const { data: invitations = [] } = useMyInvitations()
  const count = (unread.count ?? 0) + exports.length + invitations.length
  const close = () => setOpen(false)
  const panel = open && (
    <NotificationPanel
      unread={{ unread: unread.count ?? 0, shift: unread.shift }}
      exports={exports}
      invitations={invitations}
      onAnswer={(id) => {
        close()
        button.current?.focus()
        want(id)
      }}
      onClose={close}
      onConfigure={() => {
        close()
        onConfigure()
      }}
    />
  )

  useEffect(() => {
    if (!open || layout === 'mobile') return
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    const within = root.current
    document.addEventListener('pointerdown', closeOutside)
    within?.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      within?.removeEventListener('keydown', closeByKey)
    }
  }, [open, layout])

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
      >
        <BellIcon />
        {count > 0 && (
          <span className="bell-count" aria-hidden="true">
            {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
          </span>
        )}
      </button>
      {panel &&
        (layout === 'mobile' ? (
          <Modal title="Notifications" kind="screen" onClose={close}>
            {panel}
          </Modal>
        ) : (
          <Popup
            onLeave={(to) => {
              if (!root.current?.contains(to)) close()
            }}
          >
            {panel}
          </Popup>
        ))}
    </div>
  )
}

function Popup({ onLeave, children }: { onLeave: (to: Node) => void; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section
      role="dialog"
      aria-label="Notifications"
      className="bell-popup"
      onBlur={(event) => event.relatedTarget && onLeave(event.relatedTarget)}
    >
      <h2 ref={heading} tabIndex={-1}>
        Notifications
      </h2>
      {children}
    </section>
  )
}
