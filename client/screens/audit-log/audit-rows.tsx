import { useState } from 'react'
import { Facts } from '../../components/card-list.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useZone } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { type AuditEntry, actionName, OUTCOMES, sentenceOf, shownValue } from '../../lib/audit-sentences.ts'
import { formatNumber } from '../../lib/format.ts'
import { formatMoment, wallTime } from '../../lib/time.ts'
import type { AuditQuery } from './audit-filters.tsx'
import { type AuditPlaces, isDeleted, useAuditPlaces } from './audit-places.ts'

interface AuditRowsProps {
  rows: readonly AuditEntry[]
  total: number
  busy: boolean
  query: AuditQuery
}

/** Each entry is a sentence; what is behind it opens below. Clicking a name filters by it. */
export function AuditRows({ rows, total, busy, query }: AuditRowsProps) {
  const places = useAuditPlaces()
  return (
    <>
      <ol className="audit-rows" aria-busy={busy} aria-label="Entries">
        {rows.map((entry) => (
          <AuditRow key={entry.id} entry={entry} query={query} places={places} />
        ))}
      </ol>
      <p className="sr-only" role="status">
        {rows.length} of {formatNumber(total)} entries
      </p>
    </>
  )
}

interface AuditRowProps {
  entry: AuditEntry
  query: AuditQuery
  places: AuditPlaces
}

function AuditRow({ entry, query: { change }, places }: AuditRowProps) {
  const [open, setOpen] = useState(false)
  const zone = useZone()
  const { actor, resource, customerId, customerName, outcome } = entry
  const told = OUTCOMES[outcome] ?? { label: actionName(outcome), tone: 'plain' }
  return (
    <li className="audit-row">
      <div className="audit-line">
        <time dateTime={entry.timestamp}>{moment(entry.timestamp, zone)}</time>
        <p>
          <button
            type="button"
            className="link-button"
            aria-label={`Only what ${actor.name} did`}
            onClick={() => change({ actorId: actor.id, actorName: actor.name })}
          >
            {actor.name}
          </button>{' '}
          {actor.type !== 'USER' && <span className="badge plain">{actionName(actor.type)}</span>}{' '}
          {sentenceOf(entry)}
          {customerName && customerId && (
            <span className="muted">
              {' '}
              ·{' '}
              <button
                type="button"
                className="link-button quiet"
                aria-label={`Only ${customerName}`}
                onClick={() => change({ customerId, customerName })}
              >
                {customerName}
              </button>
            </span>
          )}
        </p>
        <span className={`badge ${told.tone}`}>{told.label}</span>
        <button
          type="button"
          className="button small-text"
          aria-expanded={open}
          aria-label={`Details: ${actor.name} ${sentenceOf(entry)}`}
          onClick={() => setOpen(!open)}
        >
          Details
        </button>
      </div>
      {open && (
        <div className="audit-details">
          {entry.changes && entry.changes.length > 0 && <Changes entry={entry} />}
          <Facts
            facts={[
              {
                name: 'Object',
                value: (
                  <Place
                    to={places.ofObject(entry)}
                    text={`${actionName(resource.type)} ${resource.name ?? ''} (${resource.id})${isDeleted(entry) ? ' (deleted)' : ''}`}
                  />
                )
              },
              { name: 'Who', value: <Place to={places.ofActor(entry)} text={actor.name} /> },
              { name: 'E-mail', value: actor.email || '–' },
              { name: 'IP address', value: entry.ipAddress || '–' },
              { name: 'Client', value: entry.userAgent || '–' },
              {
                name: 'Request',
                value: entry.correlationId ? (
                  <span className="checksum">
                    <span className="mono">{entry.correlationId}</span>
                    <CopyButton text={entry.correlationId} label="Copy request id" />
                  </span>
                ) : (
                  '–'
                )
              }
            ]}
          />
          <div className="audit-narrow">
            <button type="button" className="link-button" onClick={() => change({ action: entry.action })}>
              Only “{actionName(entry.action)}”
            </button>
            <button
              type="button"
              className="link-button"
              onClick={() => change({ resourceId: resource.id, resourceName: resource.name ?? resource.id })}
            >
              Only {resource.name ?? resource.id}
            </button>
          </div>
        </div>
      )}
    </li>
  )
}

function Place({ to, text }: { to: string | null; text: string }) {
  if (to === null) return <>{text}</>
  return (
    <PrefetchLink to={to} className="text-link">
      {text}
    </PrefetchLink>
  )
}

function Changes({ entry: { changes = [] } }: { entry: AuditEntry }) {
  return (
    <table className="audit-changes">
      <caption className="sr-only">What was changed</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{change.field}</th>
            <td>{shownValue(change, change.before)}</td>
            <td>{shownValue(change, change.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** With seconds: the order of what happened matters here. */
function moment(iso: string, zone: string): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  return `${formatMoment(iso, zone)}:${String(wallTime(ms, zone).second).padStart(2, '0')}`
}
