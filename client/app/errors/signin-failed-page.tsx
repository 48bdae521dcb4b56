import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { loadSupport, recallSupport } from '../../features/session/support.ts'
import { SupportContact, SupportContext } from '../../ui/state/error-panel.tsx'
import { PublicPanel } from './public-panel.tsx'

interface Reason {
  text: string
  /** Nothing is different the next time. */
  final?: true
}

/** By the gateway's word for it; behind the system that failed where that is not the sign-in service. */
const REASONS: Record<string, Reason> = {
  expired: { text: 'The sign-in page stayed open for too long, or was used twice. Starting again helps.' },
  denied: { text: 'The sign-in was cancelled, or the sign-in service did not let you in.' },
  refused: { text: 'The sign-in service did not accept this sign-in any more. Starting again helps.' },
  misconfigured: {
    text: 'The sign-in service does not accept this portal: one of them is set up wrongly. Only those who run the portal can mend it.',
    final: true
  },
  busy: { text: 'Too many sign-ins began here within a minute. Nothing is lost.' },
  failed: { text: 'The sign-in service failed on its side. Try again in a minute.' },
  slow: { text: 'The sign-in service takes too long to answer. Nothing is lost; try again in a minute.' },
  unavailable: {
    text: 'The sign-in service does not answer right now. Nothing is lost; try again in a minute.'
  },
  'gateway refused': {
    text: 'The sign-in service answered something else than was asked for. Starting again may help.'
  },
  'management-api refused': {
    text: 'You are signed in at the sign-in service, but your account may not use this portal. Ask your administrator.',
    final: true
  },
  'management-api slow': {
    text: 'The service that knows your account and roles takes too long to answer. Nothing is lost; try again in a minute.'
  },
  'management-api unavailable': {
    text: 'The service that knows your account and roles does not answer right now. Nothing is lost; try again in a minute.'
  },
  'session-store unavailable': {
    text: 'The portal cannot keep sessions right now. The sign-in service works; try again in a minute.'
  }
}
/** The longest wait that the gateway names, in seconds. */
const WAIT_MAX = 60
const OTHER: Reason = { text: 'Something got in the way between the sign-in service and the portal.' }

export default function SigninFailedPage() {
  const [query] = useSearchParams()
  const [support, setSupport] = useState(recallSupport)
  useEffect(() => {
    loadSupport().then(setSupport, () => {})
  }, [])
  const reason = query.get('reason') ?? ''
  const wait = Number(query.get('wait'))
  const { text, final } = known(`${query.get('by')} ${reason}`) ?? known(reason) ?? OTHER
  const requestId = query.get('request') ?? ''
  return (
    <PublicPanel icon={KeyRound} title="Sign-in did not finish" {...(final ? {} : { action: 'Try again' })}>
      <p>
        {text}
        {wait >= 1 && wait <= WAIT_MAX && ` Try again in ${Math.ceil(wait)} s.`}
      </p>
      <SupportContext value={support}>
        <SupportContact lead="If it goes on, contact support:" />
      </SupportContext>
      {/* Anybody can make a link to this page: nothing but an id of ours is shown. */}
      {/^[\da-f-]{36}$/.test(requestId) && (
        <p className="request-id">
          Request <span className="mono">{requestId}</span>
        </p>
      )}
    </PublicPanel>
  )
}

const known = (reason: string) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined)
