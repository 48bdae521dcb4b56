import { useStore } from 'zustand'
import { formatClock } from '../../lib/time/time.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { TOAST_ICONS, ToastAction } from '../../ui/state/toaster.tsx'
import { toastStore } from '../../ui/state/toasts.ts'

const TONES = { ok: 'Done', danger: 'Failed', info: 'Note' }

/** Lists the messages shown since the page was opened, with their actions. */
export function RecentMessages({ onClose }: { onClose: () => void }) {
  const { recent } = useStore(toastStore)
  return (
    <Modal title="Recent messages" onClose={onClose}>
      <div className="modal-body">
        {recent.length === 0 && (
          <p className="modal-text">No messages yet. The portal confirms your actions here.</p>
        )}
        <ul className="ruled">
          {recent.map(({ id, tone, text, action, atMs }) => {
            const Icon = TOAST_ICONS[tone]
            return (
              <li key={id} className={`row message ${tone}`}>
                <Icon />
                <p>
                  <span className="sr-only">{TONES[tone]}: </span>
                  {text}
                </p>
                <ToastAction action={action?.brief ? undefined : action} onActed={onClose} />
                <time className="hint" dateTime={new Date(atMs).toISOString()}>
                  {formatClock(atMs, Date.now())}
                </time>
              </li>
            )
          })}
        </ul>
      </div>
    </Modal>
  )
}
