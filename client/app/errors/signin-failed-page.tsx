import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { loadSupport, recallSupport } from '../../features/session/support.ts'
import { SupportContact, SupportContext } from '../../ui/state/error-panel.tsx'
import { PublicPanel } from './public-panel.tsx'

interface Reason {
  text: string
  /** A new attempt would fail as well. */
  final?: true
}

/** Keyed by the gateway's reason. The name of the failed system comes first, unless it is the sign-in service. */
const REASONS: Record<string, Reason> = {
  expired: { text: 'The sign-in page stayed open for too long, or was used twice. Start again.' },
  denied: { text: 'The sign-in was cancelled, or the sign-in service refused it.' },
  refused: { text: 'The sign-in service no longer accepts this sign-in. Start again.' },
  misconfigured: {
    text: 'The sign-in service does not accept this portal because of a wrong setting. Contact your administrator.',
    final: true
  },
  busy: { text: 'Too many sign-ins within a minute.' },
  failed: { text: 'The sign-in service failed. Try again in a minute.' },
  slow: { text: 'The sign-in service takes too long to answer. Try again in a minute.' },
  unavailable: {
    text: 'The sign-in service does not answer right now. Try again in a minute.'
  },
  'gateway refused': {
    text: 'The sign-in service sent an unexpected answer. Start again.'
  },
  'management-api refused': {
    text: 'You are signed in at the sign-in service, but your account cannot use this portal. Contact your administrator.',
    final: true
  },
  'management-api slow': {
    text: 'The service that knows your account and roles takes too long to answer. Try again in a minute.'
  },
  'management-api unavailable': {
    text: 'The service that knows your account and roles does not answer right now. Try again in a minute.'
  },
  'session-store unavailable': {
    text: 'The portal cannot store sessions right now. Try again in a minute.'
  }
}
/** Maximum wait that the gateway reports, in seconds. */
const WAIT_MAX = 60
const OTHER: Reason = { text: 'The sign-in failed for an unknown reason.' }

export default function SigninFailedPage() {
  const [query] = useSearchParams()
  const [support, setSupport] = useState(recallSupport)
  useEffect(() => {
    loadSupport().then(setSupport, () => {})
  }, [])
  const reason = query.get('reason') ?? ''
  const wait = Number(query.get('wait'))
  const { text, final } = reasonOf(`${query.get('by')} ${reason}`) ?? reasonOf(reason) ?? OTHER
  const requestId = query.get('request') ?? ''
  return (
    <PublicPanel icon={KeyRound} title="Sign-in did not finish" {...(final ? {} : { action: 'Try again' })}>
      <p>
        {text}
        {wait >= 1 && wait <= WAIT_MAX && ` Try again in ${Math.ceil(wait)} s.`}
      </p>
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

const reasonOf = (reason: string) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined)
