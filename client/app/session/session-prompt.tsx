import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { count } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
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
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const seconds = useSecondsLeft(endsAtMs)
  useUrgentTitle(`(${seconds}) ${TITLE}`)

  async function stay() {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await watch.renew()
    } catch (error) {
      setFailure(`${failureOf(error).title}. Your session could not be extended. Try again.`)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal title={TITLE} role="alertdialog" onEnter={() => void stay()}>
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
        {failure && (
          <p className="field-error" role="alert">
            {failure}
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
          aria-disabled={busy}
          aria-busy={busy}
          onClick={() => void stay()}
        >
          Stay Connected
        </button>
      </div>
    </Modal>
  )
}

/** Seconds at which screen readers announce the countdown. */
const ANNOUNCED_AT = [30, 10, 5]
