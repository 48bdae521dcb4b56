import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { isOutcomeUnknown } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { SupportContact } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { EVENT_TYPES, readPreferences, savePreferences } from './api.ts'

/** `idle`: the preferences are loading. */
type State = 'idle' | 'confirm' | 'success' | 'error'

/** @param eventTypeId null if the link has no known event type */
function useUnsubscribe(eventTypeId: number | null) {
  const { user } = useSession()
  const [state, setState] = useState<State>('idle')
  const [busy, setBusy] = useState(false)
  const [lastStep, setLastStep] = useState<'read' | 'save'>('read')
  const [isRefused, setIsRefused] = useState(false)

  async function attempt(step: 'read' | 'save') {
    if (eventTypeId === null || busy) return
    setLastStep(step)
    setBusy(true)
    let isSaving = false
    try {
      const preferences = await readPreferences(user.id)
      const preference = preferences.find((setting) => setting.eventTypeId === eventTypeId)
      if (preference?.subscribe === false) return setState('success')
      if (step === 'read') return setState('confirm')
      isSaving = true
      await savePreferences(
        user.id,
        preferences.map((setting) => (setting === preference ? { ...setting, subscribe: false } : setting))
      )
      setState('success')
    } catch (error) {
      setIsRefused(isSaving && !isOutcomeUnknown(error))
      setState('error')
    } finally {
      setBusy(false)
    }
  }
  const read = useEffectEvent(() => void attempt('read'))
  useEffect(() => read(), [])
  return { state, busy, isRefused, save: () => void attempt('save'), retry: () => void attempt(lastStep) }
}

export function UnsubscribePrompt() {
  const { flags } = useSession()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const event = EVENT_TYPES.find(({ eventTypeId }) => String(eventTypeId) === query.get('eventTypeId'))
  const { state, busy, isRefused, save, retry } = useUnsubscribe(event?.eventTypeId ?? null)
  const onClose = () => void navigate(paths.home, { replace: true })

  if (!event || !flags.enableNotifications) {
    return (
      <Frame title="This link cannot be used" onClose={onClose}>
        <p>
          The link does not name a kind of e-mail that the portal sends. Choose which e-mails you want under
          Configure Notifications in the menu of your account.
        </p>
      </Frame>
    )
  }
  const topic = event.label.toLowerCase()
  const frames = {
    idle: (
      <Frame title="Unsubscribe from e-mail" onClose={onClose} closeLabel="Cancel">
        <Skeleton width="14rem" label="Looking up your settings" />
      </Frame>
    ),
    confirm: (
      <Frame
        title="Unsubscribe from e-mail?"
        onClose={onClose}
        closeLabel="Cancel"
        action={{ label: 'Proceed', busy, onAct: save }}
      >
        <p>
          You will get no more e-mail about <strong>{topic}</strong>. The bell in the portal still shows them.
        </p>
      </Frame>
    ),
    success: (
      <Frame title="You are unsubscribed" onClose={onClose}>
        <p>
          You get no e-mail about <strong>{topic}</strong> any more. You can subscribe again under Configure
          Notifications in the menu of your account.
        </p>
      </Frame>
    ),
    error: (
      <Frame
        title="Unable to connect to the service"
        onClose={onClose}
        action={{ label: 'Retry', busy, onAct: retry }}
      >
        <p role="alert">{isRefused && `You are still subscribed to e-mail about ${topic}. `}Please retry.</p>
        <SupportContact lead="If it keeps happening, contact support:" />
      </Frame>
    )
  }
  return frames[state]
}

interface FrameProps {
  title: string
  onClose: () => void
  closeLabel?: string
  action?: { label: string; busy: boolean; onAct: () => void }
  children: ReactNode
}

function Frame({ title, onClose, closeLabel = 'Close', action, children }: FrameProps) {
  return (
    <Modal title={title} onClose={onClose}>
      <div className="modal-body">
        <div className="modal-text">{children}</div>
      </div>
      <div className="row modal-actions">
        <button type="button" className="button" onClick={onClose}>
          {closeLabel}
        </button>
        {action && (
          <button
            type="button"
            className="button primary"
            aria-disabled={action.busy}
            aria-busy={action.busy}
            onClick={action.onAct}
          >
            {action.label}
          </button>
        )}
      </div>
    </Modal>
  )
}
