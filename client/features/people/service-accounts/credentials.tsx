import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { fileName } from '#shared/csv.ts'
import { EXPIRY_DANGER_DAYS } from '#shared/limits.ts'
import { paths } from '../../../lib/paths.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useSession } from '../../../lib/session/session.ts'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { Section } from './accounts-frame.tsx'
import type { ServiceAccount } from './api.ts'
import { RegenerateSecret, SecretBadge } from './secret.tsx'

/** The client ID and the secret. A notification about an expiring secret links to the button (`?focus=secret`). */
export function Credentials({ account, onMade }: { account: ServiceAccount; onMade: () => void }) {
  const { nowMs } = useSession()
  const { can, customerPath, orgName } = useCustomer()
  const [query] = useSearchParams()
  const button = useRef<HTMLButtonElement>(null)
  const focusesSecret = query.get('focus') === 'secret'
  useEffect(() => {
    if (!focusesSecret) return
    button.current?.scrollIntoView({ block: 'center' })
    button.current?.focus()
  }, [focusesSecret])
  const { serviceName, clientId, secretExpiration } = account
  return (
    <Section title="Credentials">
      <Facts
        facts={[
          {
            name: 'Client ID',
            value: <Copyable text={clientId} label="Copy Client ID" />
          },
          {
            name: 'Secret',
            value: secretExpiration ? (
              <>
                <span aria-hidden="true">••••••••••••</span> <span className="muted">shown only once</span>
              </>
            ) : (
              'None yet'
            )
          },
          { name: 'Expires', value: <SecretBadge expires={secretExpiration} /> }
        ]}
      />
      <div className="row form-actions">
        {can('service-accounts:regenerate-secret') && (
          <button
            ref={button}
            type="button"
            className={`button ${secretExpiration ? '' : 'primary'}`}
            onClick={() =>
              showDialog((close) => <RegenerateSecret account={account} onClose={close} onMade={onMade} />)
            }
          >
            {secretExpiration ? 'Regenerate secret' : 'Generate secret'}
          </button>
        )}
        {secretExpiration && Date.parse(secretExpiration) > nowMs() && (
          <button
            type="button"
            className="button quiet"
            onClick={() => saveFile(fileName([serviceName, 'secret'], 'ics'), reminder(), 'text/calendar')}
          >
            <CalendarPlus />
            Add the expiry to a calendar
          </button>
        )}
      </div>
    </Section>
  )

  function reminder(): string {
    return calendarFile(
      {
        uid: `${account.id}@${window.location.host}`,
        title: `Secret of ${serviceName} expires`,
        text: `The secret of the service account ${serviceName} of ${orgName} expires. Regenerate it in the portal.`,
        url: `${window.location.origin}${paths.serviceAccount(customerPath, account.id)}?focus=secret`,
        at: secretExpiration ?? ''
      },
      nowMs()
    )
  }
}

interface CalendarEntry {
  /** Stable, so that a newer file replaces the entry. */
  uid: string
  title: string
  text: string
  url: string
  /** When the secret expires, as ISO 8601 UTC. */
  at: string
}

export function calendarFile(entry: CalendarEntry, nowMs: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//portal//secret expiry//EN',
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `DTSTAMP:${timestampOf(nowMs)}`,
    `DTSTART:${timestampOf(Date.parse(entry.at))}`,
    'DURATION:PT15M',
    `SUMMARY:${escapeText(entry.title)}`,
    `DESCRIPTION:${escapeText(entry.text)}`,
    `URL:${entry.url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(entry.title)}`,
    `TRIGGER:-P${EXPIRY_DANGER_DAYS}D`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR'
  ]
  return `${lines.join('\r\n')}\r\n`
}

function timestampOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
}

/** Escapes the characters listed in RFC 5545, section 3.3.11. */
function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
}
