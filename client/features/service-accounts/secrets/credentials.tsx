import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { EXPIRY_DANGER_DAYS } from '#shared/limits.ts'
import { fileName, saveFile } from '../../../lib/csv.ts'
import { paths } from '../../../lib/paths.ts'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { Facts } from '../../../ui/list/card-list.tsx'
import { useSession } from '../../session/session.ts'
import { Section } from '../account/section.tsx'
import type { ServiceAccount } from '../api.ts'
import type { AccountsCustomer } from '../use-customer.ts'
import { calendarFile } from './calendar.ts'
import { RegenerateSecret } from './regenerate-secret.tsx'
import { SecretBadge } from './secret-badge.tsx'

interface CredentialsProps {
  customer: AccountsCustomer
  account: ServiceAccount
}

/** What a program signs in with. A notification about the end of a secret leads to its button (`?focus=secret`). */
export function Credentials({ customer, account }: CredentialsProps) {
  const { can, nowMs } = useSession()
  const [query] = useSearchParams()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const focus = query.get('focus') === 'secret'
  useEffect(() => {
    if (!focus) return
    button.current?.scrollIntoView({ block: 'center' })
    button.current?.focus()
  }, [focus])
  const { serviceName, clientId, secretExpires } = account
  // The dialog is beside the section, which is another element on a phone: turning it must not lose the secret.
  return (
    <>
      <Section title="Credentials">
        <Facts
          facts={[
            {
              name: 'Client ID',
              value: clientId ? (
                <span className="copied-value">
                  <span className="mono">{clientId}</span>
                  <CopyButton text={clientId} label="Copy Client ID" />
                </span>
              ) : (
                '–'
              )
            },
            {
              name: 'Secret',
              value: secretExpires ? (
                <>
                  <span aria-hidden="true">••••••••••••</span> <span className="muted">shown once only</span>
                </>
              ) : (
                'None yet'
              )
            },
            { name: 'Expires', value: <SecretBadge expires={secretExpires} nowMs={nowMs()} /> }
          ]}
        />
        <div className="form-actions">
          {can('service-accounts:regenerate-secret', customer.scope) && (
            <button
              ref={button}
              type="button"
              className={`button ${secretExpires ? '' : 'primary'}`}
              onClick={() => setOpen(true)}
            >
              {secretExpires ? 'Regenerate secret' : 'Generate secret'}
            </button>
          )}
          {secretExpires && Date.parse(secretExpires) > nowMs() && (
            <button
              type="button"
              className="button quiet"
              onClick={() => saveFile(fileName([serviceName, 'secret'], 'ics'), reminder(), 'text/calendar')}
            >
              <CalendarPlus />
              Add the end to a calendar
            </button>
          )}
        </div>
      </Section>
      {open && <RegenerateSecret customer={customer} account={account} onClose={() => setOpen(false)} />}
    </>
  )

  function reminder(): string {
    return calendarFile(
      {
        uid: `${account.id}@${window.location.host}`,
        title: `Secret of ${serviceName} expires`,
        text: `The secret of the service account ${serviceName} of ${customer.name} ends. Regenerate it in the portal.`,
        url: `${window.location.origin}${paths.serviceAccount(customer.path, account.id)}?focus=secret`,
        at: secretExpires ?? '',
        remindDaysBefore: EXPIRY_DANGER_DAYS
      },
      nowMs()
    )
  }
}
