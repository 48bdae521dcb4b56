import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { EVENT_TYPES, readPreferences, savePreferences } from '../../api/notifications.ts'
import { Modal } from '../../components/modal.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { SupportContact } from '../../components/support-contact.tsx'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'

/** §4. `idle` looks whether there is anything to do. */
type State = 'idle' | 'confirm' | 'success' | 'error'

export function UnsubscribePrompt() {
  const { user, flags } = useSession()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const event = EVENT_TYPES.find(({ eventTypeId }) => String(eventTypeId) === query.get('eventTypeId'))
  const [state, setState] = useState<State>('idle')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<'look' | 'save'>('look')
  const close = () => void navigate(paths.home, { replace: true })

  async function attempt(step: 'look' | 'save') {
    if (!event || busy) return
    setTried(step)
    setBusy(true)
    try {
      const preferences = await readPreferences(user.id)
      const held = preferences.find(({ eventTypeId }) => eventTypeId === event.eventTypeId)
      if (held?.subscribe === false) return setState('success')
      if (step === 'look') return setState('confirm')
      await savePreferences(
        user.id,
        preferences.map((one) => (one === held ? { ...one, subscribe: false } : one))
      )
      setState('success')
    } catch {
      setState('error')
    } finally {
      setBusy(false)
    }
  }
  const look = useEffectEvent(() => void attempt('look'))
  useEffect(() => look(), [])

  if (!event || !flags.enableNotifications) {
    return (
      <Frame title="This link cannot be used" onClose={close} actions={<Close onClose={close} />}>
        <p>
          It names no kind of e-mail that the portal sends. Choose what you want e-mail about under Configure
          Notifications in the menu of your account.
        </p>
      </Frame>
    )
  }
  const about = event.label.toLowerCase()
  const shown = {
    idle: (
      <Frame
        title="Unsubscribe from e-mail"
        onClose={close}
        actions={<Close onClose={close} label="Cancel" />}
      >
        <Skeleton width="14rem" label="Looking up your settings" />
      </Frame>
    ),
    confirm: (
      <Frame
        title="Unsubscribe from e-mail?"
        onClose={close}
        actions={
          <>
            <Close onClose={close} label="Cancel" />
            <button
              type="button"
              className="button primary"
              aria-disabled={busy}
              aria-busy={busy}
              onClick={() => void attempt('save')}
            >
              Proceed
            </button>
          </>
        }
      >
        <p>
          You will get no more e-mail about <strong>{about}</strong>. The bell in the portal goes on telling
          you.
        </p>
      </Frame>
    ),
    success: (
      <Frame title="You are unsubscribed" onClose={close} actions={<Close onClose={close} />}>
        <p>
          You get no e-mail about <strong>{about}</strong> any more. You can turn it on again under Configure
          Notifications in the menu of your account.
        </p>
      </Frame>
    ),
    error: (
      <Frame
        title="Unable to connect to the service"
        onClose={close}
        actions={
          <>
            <Close onClose={close} />
            <button
              type="button"
              className="button primary"
              aria-disabled={busy}
              aria-busy={busy}
              onClick={() => void attempt(tried)}
            >
              Retry
            </button>
          </>
        }
      >
        <p role="alert">You are still subscribed to e-mail about {about}. Please retry.</p>
        <SupportContact lead="If it keeps happening, contact support:" />
      </Frame>
    )
  }
  return shown[state]
}

interface FrameProps {
  title: string
  onClose: () => void
  actions: ReactNode
  children: ReactNode
}

function Frame({ title, onClose, actions, children }: FrameProps) {
  return (
    <Modal title={title} onClose={onClose}>
      <div className="modal-body">
        <div className="modal-text">{children}</div>
      </div>
      <div className="modal-actions">{actions}</div>
    </Modal>
  )
}

function Close({ onClose, label = 'Close' }: { onClose: () => void; label?: string }) {
  return (
    <button type="button" className="button" onClick={onClose}>
      {label}
    </button>
  )
}
