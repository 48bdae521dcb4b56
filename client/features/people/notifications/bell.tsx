import './style.css'
import BellIcon from 'lucide-react/icons/bell'
import { useRef, useState } from 'react'
import { useLayout } from '../../../lib/layout.ts'
import { useSession } from '../../../lib/session/session.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { usePopup } from '../../../ui/input/use-popup.ts'
import { useUnreadExports } from '../../data/exports/export-watch.ts'
import { useUnreadCount } from './api.ts'
import { openInvitation, useMyInvitations } from './invitations/api.ts'
import { NotificationPanel } from './notification-panel.tsx'

const COUNT_MAX = 99

export default function Bell({ onConfigure }: { onConfigure: () => void }) {
  const { user } = useSession()
  const unread = useUnreadCount(user.id)
  const isPhone = useLayout() === 'mobile'
  const [isSheetOpen, setSheetOpen] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { open, close, button, popup } = usePopup({ focusTarget: () => heading.current })
  const exports = useUnreadExports()
  const { data: invitations = [] } = useMyInvitations()
  const count = unread.count + exports.length + invitations.length
  function leave() {
    setSheetOpen(false)
    close()
  }
  const panel = (
    <NotificationPanel
      unread={unread}
      exports={exports}
      invitations={invitations}
      onAnswer={(id) => {
        leave()
        openInvitation(id)
      }}
      onClose={leave}
      onConfigure={() => {
        leave()
        onConfigure()
      }}
    />
  )

  const sheetButton = { 'aria-expanded': isSheetOpen, onClick: () => setSheetOpen(true) }
  return (
    <>
      <button
        {...(isPhone ? sheetButton : button)}
        type="button"
        className="anchor button quiet icon"
        aria-label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
        aria-haspopup="dialog"
        title="Notifications"
      >
        <BellIcon />
        {count > 0 && (
          <span className="header-count" aria-hidden="true">
            {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
          </span>
        )}
      </button>
      <section {...popup} role="dialog" aria-label="Notifications" className="bell-popup">
        {open && (
          <>
            <h2 ref={heading} tabIndex={-1}>
              Notifications
            </h2>
            {panel}
          </>
        )}
      </section>
      {isSheetOpen && (
        <Modal title="Notifications" kind="screen" onClose={() => setSheetOpen(false)}>
          {panel}
        </Modal>
      )}
    </>
  )
}
