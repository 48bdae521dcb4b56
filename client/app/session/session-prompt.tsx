import { useNavigate } from 'react-router-dom'
import { count } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { useMutation } from '../../lib/http/mutation.ts'
import { useUrgentTitle } from '../../lib/page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSecondsLeft } from '../../lib/time/seconds-left.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import type { SessionWatch } from './session-watch.ts'

export const TITLE = 'Session Expiring'

interface SessionPromptProps {
  watch: SessionWatch
  endsAtMs: number
}

export function SessionPrompt({ watch, endsAtMs }: SessionPromptProps) {
  const navigate = useNavigate()
  const { mutate: stay, isPending, error } = useMutation({ mutationFn: () => watch.renew() })
  const seconds = useSecondsLeft(endsAtMs)
  useUrgentTitle(`(${seconds}) ${TITLE}`)

  return (
    <Modal title={TITLE} role="alertdialog" onEnter={() => stay()}>
      <div className="modal-body">
        <p className="modal-text">
          Nothing has happened for a while. You will be signed out, here and in your other tabs, unless you
          stay connected.
        </p>
        <p className="countdown" role="timer" aria-live="off">
          <strong>{seconds}</strong> {seconds === 1 ? 'second' : 'seconds'} left
        </p>
        <p className="sr-only" role="status">
          {ANNOUNCED_AT.includes(seconds) && `${count(seconds, 'second')} left`}
        </p>
        {error !== undefined && (
          <p className="field-error" role="alert">
            {failureOf(error).title}. Your session could not be extended. Try again.
          </p>
        )}
      </div>
      <div className="row modal-actions">
        <button type="button" className="button" onClick={() => navigate(paths.logOut)}>
          Log Out
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={isPending}
          aria-busy={isPending}
          onClick={() => stay()}
        >
          Stay Connected
        </button>
      </div>
    </Modal>
  )
}

/** Seconds at which screen readers announce the countdown. */
const ANNOUNCED_AT = [30, 10, 5]
