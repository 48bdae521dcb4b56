import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { LiveValue } from '../api.ts'
import type { CommandState } from './use-command.ts'

interface CommandOutcomeProps {
  state: CommandState
  taken: (last: LiveValue) => string
  notTaken: (last: LiveValue | null) => string
  onRetry: () => void
}

/** Where a command is, and in the end whether the device obeyed. */
export function CommandOutcome({ state, taken, notTaken, onRetry }: CommandOutcomeProps) {
  if (state.step === 'refused')
    return (
      <p className="outcome danger" role="alert">
        <CircleAlert />
        {state.reason}
      </p>
    )
  return (
    <div role="status">
      {state.step === 'sending' && <p className="outcome">Sending to the device…</p>}
      {state.step === 'reading' && (
        <p className="outcome">
          {state.lost ? 'The answer was lost.' : 'Sent.'} Reading back whether the device took it, for up to
          10 seconds…
        </p>
      )}
      {state.step === 'taken' && (
        <p className="outcome ok">
          <CircleCheck />
          {taken(state.last)}
        </p>
      )}
      {state.step === 'not-taken' && (
        <p className="outcome warn">
          <CircleAlert />
          <span>
            {notTaken(state.last)} {state.lost && 'The answer was lost, so it may still do it. '}
            <button type="button" className="link-button" onClick={onRetry}>
              Retry
            </button>
          </span>
        </p>
      )}
    </div>
  )
}
