import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { useId, useState } from 'react'
import type { OwnSession, OwnSessions as Sessions } from '#shared/answers/session.ts'
import { count } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { consequenceText } from '../../lib/http/consequence.ts'
import { useMutation } from '../../lib/http/mutation.ts'
import { get, useQuery } from '../../lib/http/query.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { endOtherSessions, endOwnSession, OWN_SESSIONS } from './api.ts'

interface Ending {
  work: () => Promise<void>
  successText: string
}

export function OwnSessions({ onClose }: { onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(OWN_SESSIONS, get<Sessions>)
  const [outcome, setOutcome] = useState<{ tone: 'ok' | 'danger'; text: string } | null>(null)
  const { mutate: end, isPending: ending } = useMutation({
    mutationFn: ({ work }: Ending) => work(),
    onSuccess: (_result, { successText }) => setOutcome({ tone: 'ok', text: successText }),
    onError(failure) {
      const consequence = consequenceText(failure, 'Nothing was ended.', 'It may have ended anyway.')
      setOutcome({ tone: 'danger', text: `${failureOf(failure).title}. ${consequence} Try again.` })
    },
    onSettled: refetch
  })
  const otherCount = data?.sessions.filter(({ current }) => !current).length ?? 0

  return (
    <Modal title="Your sessions" onClose={onClose}>
      <div className="modal-body">
        <p className="modal-text">If you don’t recognize a session, end it and change your password.</p>
        {error !== undefined && <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />}
        {!data && error === undefined && <Skeleton width="100%" label="Loading your sessions" />}
        {data && (
          <ul className="ruled" aria-label="Your sessions">
            {data.sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                busy={ending}
                onEnd={() =>
                  end({
                    work: () => endOwnSession(session.id),
                    successText: `The session in ${nameOf(session)} has ended.`
                  })
                }
              />
            ))}
          </ul>
        )}
        <p
          role={outcome?.tone === 'danger' ? 'alert' : 'status'}
          className={`outcome ${outcome?.tone ?? ''}`}
        >
          {!ending && outcome?.text}
        </p>
      </div>
      <div className="row modal-actions">
        {otherCount > 1 && (
          <button
            type="button"
            className="button danger"
            aria-disabled={ending}
            aria-busy={ending}
            onClick={() =>
              end({
                work: endOtherSessions,
                successText: `${count(otherCount, 'other session')} ended. You stay signed in here.`
              })
            }
          >
            End all {otherCount} other sessions
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

interface RowProps {
  session: OwnSession
  busy: boolean
  onEnd: () => void
}

const PHONES = ['Android', 'iOS']

function SessionRow({ session, busy, onEnd }: RowProps) {
  const { current, since, lastUsed, system, network } = session
  const detailsId = useId()
  const Icon = PHONES.includes(system ?? '') ? Smartphone : Monitor
  return (
    <li className="row message">
      <Icon />
      <p>
        <strong>{nameOf(session)}</strong> {current && <span className="badge ok">This browser</span>}
        <br />
        <small id={detailsId}>
          Signed in <Timestamp iso={since} /> {network && `from\u00a0${network}`}
          <br />
          Last used <Timestamp iso={lastUsed} as="ago" />
        </small>
      </p>
      {!current && (
        <button
          type="button"
          className="button"
          aria-label={`End the session in ${nameOf(session)}`}
          aria-describedby={detailsId}
          aria-disabled={busy}
          onClick={onEnd}
        >
          End
        </button>
      )}
    </li>
  )
}

function nameOf({ browser, system }: OwnSession): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (system ? `A browser on ${system}` : 'A browser')
}
