import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { browser } from '../../lib/browser.ts'
import { ApiError, UNREACHABLE_STATUS } from '../../lib/http/api-error.ts'
import { useNextRetryMs, useRetry } from '../../lib/http/retry.ts'
import { signInAddress } from '../../lib/http/sign-in.ts'
import { loadSupport, recallSupport } from '../../lib/session/support.ts'
import { RetryCountdown, SupportContact, SupportContext } from '../../ui/state/error-panel.tsx'
import { PublicPanel } from './public-panel.tsx'

interface Reason {
  text: string
  /** A new attempt would fail as well. */
  isPermanent?: true
  /** A new attempt may succeed after some time. */
  isTemporary?: true
}

/** Keyed by the gateway's reason. The name of the failed system comes first, unless it is the sign-in service. */
const REASONS: Record<string, Reason> = {
  expired: { text: 'The sign-in page stayed open for too long, or was used twice. Start again.' },
  denied: { text: 'The sign-in was cancelled, or the sign-in service refused it.' },
  refused: { text: 'The sign-in service no longer accepts this sign-in. Start again.' },
  misconfigured: {
    text: 'The sign-in service does not accept this portal because of a wrong setting. Contact your administrator.',
    isPermanent: true
  },
  busy: { text: 'Too many sign-ins within a minute.' },
  failed: { text: 'The sign-in service failed.', isTemporary: true },
  slow: { text: 'The sign-in service takes too long to answer.', isTemporary: true },
  unavailable: { text: 'The sign-in service does not answer right now.', isTemporary: true },
  'gateway busy': { text: 'Too many people are signing in at this moment.' },
  'gateway refused': {
    text: 'The sign-in service sent an unexpected answer. Start again.'
  },
  'management-api refused': {
    text: 'You are signed in at the sign-in service, but your account cannot use this portal. Contact your administrator.',
    isPermanent: true
  },
  'management-api slow': {
    text: 'The service that knows your account and roles takes too long to answer.',
    isTemporary: true
  },
  'management-api unavailable': {
    text: 'The service that knows your account and roles does not answer right now.',
    isTemporary: true
  },
  'session-store unavailable': { text: 'The portal cannot store sessions right now.', isTemporary: true }
}
/** Maximum wait that the gateway reports, in seconds. */
const WAIT_MAX = 60
/** The pause before a new attempt. It differs for each person, so that not all sign in at the same moment. */
const PAUSE_SECONDS = 10
const PAUSE_VARIES_BY_SECONDS = 10
const OTHER: Reason = { text: 'The sign-in failed for an unknown reason.' }

export default function SigninFailedPage() {
  const [query] = useSearchParams()
  const [support, setSupport] = useState(recallSupport)
  useEffect(() => {
    loadSupport().then(setSupport, () => {})
  }, [])
  const reason = query.get('reason') ?? ''
  const wait = Number(query.get('wait'))
  const { text, isPermanent, isTemporary } =
    reasonOf(`${query.get('by')} ${reason}`) ?? reasonOf(reason) ?? OTHER
  const requestId = query.get('request') ?? ''
  // Only a sign-in that has not begun has this parameter.
  const returnTo = query.get('returnTo')
  const signIn = returnTo === null ? '/auth/login' : signInAddress(returnTo)
  const isRepeated = isTemporary === true && returnTo !== null
  const retryAtMs = useRepeatedSignIn(isRepeated, signIn)
  return (
    <PublicPanel
      icon={KeyRound}
      title={isRepeated ? 'Sign-in is not available' : 'Sign-in did not finish'}
      to={signIn}
      {...(isPermanent ? {} : { action: isRepeated ? 'Try now' : 'Try again' })}
    >
      <p>
        {text}
        {isTemporary && !isRepeated && ' Try again in a minute.'}
        {wait >= 1 && wait <= WAIT_MAX && ` Try again in ${Math.ceil(wait)} s.`}
      </p>
      {retryAtMs !== null && <RetryCountdown untilMs={retryAtMs} />}
      <SupportContext value={support}>
        <SupportContact lead="If this continues, contact support:" />
      </SupportContext>
      {/* Anybody can link to this page, so only a valid request id shows. */}
      {/^[\da-f-]{36}$/.test(requestId) && (
        <p className="request-id">
          Request <span className="mono">{requestId}</span>
        </p>
      )}
    </PublicPanel>
  )
}

/** Starts the sign-in again after a pause. Returns the time of that; null while none is planned. */
function useRepeatedSignIn(isRepeated: boolean, address: string): number | null {
  const [failure] = useState(
    () => new ApiError(UNREACHABLE_STATUS, {}, PAUSE_SECONDS + Math.random() * PAUSE_VARIES_BY_SECONDS)
  )
  useRetry(isRepeated ? failure : null, false, () => browser.leaveTo(address))
  return useNextRetryMs()
}

const reasonOf = (reason: string) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined)
