import { failureOf } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useSession } from '../../session/session.ts'
import { type ServiceAccount, useActivityOf } from '../api.ts'
import type { AccountsCustomer } from '../use-customer.ts'
import { Section } from './section.tsx'

/** The last that was done to the account. */
export function Activity({ customer, account }: { customer: AccountsCustomer; account: ServiceAccount }) {
  const { nowMs } = useSession()
  const { data, error, reload } = useActivityOf(account.id, customer.id)
  return (
    <Section
      title="Activity"
      actions={
        <PrefetchLink
          to={`${paths.auditLog}?${new URLSearchParams({ resourceId: account.id, customerId: customer.id })}`}
          className="button quiet"
        >
          Audit log
        </PrefetchLink>
      }
    >
      {!data && error === undefined && <p role="status">Loading activity…</p>}
      {!data && error !== undefined && (
        <p className="field-error" role="alert">
          {failureOf(error).title}. The activity could not be loaded.{' '}
          <button type="button" className="link-button" onClick={reload}>
            Retry
          </button>
        </p>
      )}
      {data?.length === 0 && <p className="muted">Nothing has been done to it yet.</p>}
      {data && data.length > 0 && (
        <ul className="activity">
          {data.map(({ id, at, action, actor, outcome }) => (
            <li key={id}>
              <span>
                <strong>{sentence(action)}</strong> by {actor}
                {outcome !== 'SUCCESS' && <span className="badge warn">{sentence(outcome)}</span>}
              </span>
              <span className="muted">
                <Timestamp iso={at} as="ago" nowMs={nowMs()} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** `SECRET_GENERATED` → "Secret generated". */
function sentence(word: string): string {
  const text = word.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
