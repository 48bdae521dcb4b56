import ChevronDown from 'lucide-react/icons/chevron-down'
import { Fragment, useState } from 'react'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { organizationScope, parseScope } from '#shared/scopes.ts'
import { codeLabel, formatNumber } from '../../../lib/format.ts'
import { formatSecond, useZone } from '../../../lib/time/time.ts'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useAllCustomers } from '../../sites/customers/api.ts'
import { scopeNames } from '../access/roles.tsx'
import { useOrganization } from '../session/integrator.ts'
import { useSession } from '../session/session.ts'
import { type AuditLinks, isDeleted, useAuditLinks } from './audit-links.ts'
import {
  type AuditGroup,
  fieldLabel,
  groupsOf,
  OUTCOMES,
  objectName,
  ROLES_FIELD,
  sentenceOf,
  sentenceParts,
  shownValue,
  unnamedDevice
} from './audit-sentences.ts'
import type { AuditQuery } from './filters.tsx'

interface AuditRowsProps {
  rows: readonly AuditLogEntry[]
  total: number
  busy: boolean
  query: AuditQuery
}

/** Entries as sentences with expandable details. A click on a person or customer filters the log by that name. */
export function AuditRows({ rows, total, busy, query }: AuditRowsProps) {
  const links = useAuditLinks()
  return (
    <>
      <ol className="card-list" aria-busy={busy} aria-label="Entries">
        {groupsOf(rows).map((entries) => (
          <AuditRow key={entries[0].id} entries={entries} query={query} links={links} />
        ))}
      </ol>
      <p className="sr-only" role="status">
        {rows.length} of {formatNumber(total)} entries
      </p>
    </>
  )
}

interface AuditRowProps {
  entries: AuditGroup
  query: AuditQuery
  links: AuditLinks
}

function AuditRow({ entries, query, links }: AuditRowProps) {
  const [open, setOpen] = useState(false)
  const zone = useZone()
  const [entry] = entries
  const { actor } = entry
  const outcome = OUTCOMES[entry.outcome] ?? { label: codeLabel(entry.outcome), tone: 'plain' }
  const times = entries.length > 1 ? `, ${entries.length} times` : ''
  return (
    <li className="audit-row" data-open={open || undefined}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard uses the button of the row */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        className="audit-line"
        onClick={(event) => (event.target as Element).closest('a, button') || setOpen(!open)}
      >
        <time dateTime={entry.timestamp}>{formatSecond(entry.timestamp, zone)}</time>
        <p>
          <Sentence entry={entry} query={query} links={links} />
        </p>
        <span className="row">
          {entries.length > 1 && <span className="badge plain">{entries.length} times</span>}
          {entry.outcome !== 'SUCCESS' && <span className={`badge ${outcome.tone}`}>{outcome.label}</span>}
        </span>
        <IconButton
          name={`Details: ${actor.name} ${sentenceOf(entry)}${times}`}
          Icon={ChevronDown}
          title="Details"
          aria-expanded={open}
          onPress={() => setOpen(!open)}
        />
      </div>
      {open && <Details entries={entries} query={query} links={links} />}
    </li>
  )
}

function Details({ entries, query, links }: AuditRowProps) {
  const zone = useZone()
  const [entry] = entries
  const { actor, resource } = entry
  const name = objectName(entry)
  return (
    <div className="audit-details">
      {entries.length > 1 && (
        <p>
          {entries.map(({ id, timestamp }, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <time dateTime={timestamp}>{formatSecond(timestamp, zone)}</time>
            </Fragment>
          ))}
        </p>
      )}
      {entry.changes && entry.changes.length > 0 && <Changes entry={entry} />}
      <Facts
        facts={[
          {
            name: 'Object',
            value: (
              <MaybeLink
                to={links.ofObject(entry)}
                text={`${codeLabel(resource.type)} ${name}${isDeleted(entry) ? ' (deleted)' : ''}`}
              />
            )
          },
          { name: 'Object id', value: <Copyable text={resource.id} label="Copy object id" /> },
          ...(entry.device
            ? [{ name: 'Device', value: <MaybeLink to={links.ofDevice(entry)} text={entry.device.name} /> }]
            : []),
          { name: 'Who', value: <MaybeLink to={links.ofActor(entry)} text={actor.name} /> },
          { name: 'E-mail', value: actor.email || '–' },
          { name: 'IP address', value: entry.ipAddress || '–' },
          { name: 'Client', value: entry.userAgent || '–' },
          {
            name: 'Request',
            value: entry.correlationId ? <Copyable text={entry.correlationId} label="Copy request id" /> : '–'
          }
        ]}
      />
      <div className="row">
        <button type="button" className="link-button" onClick={() => query.change({ action: entry.action })}>
          Only “{codeLabel(entry.action)}”
        </button>
        <button
          type="button"
          className="link-button"
          onClick={() => query.change({ resourceId: resource.id, resourceName: name })}
        >
          Only {name}
        </button>
      </div>
    </div>
  )
}

function Sentence({
  entry,
  query: { change },
  links
}: { entry: AuditLogEntry } & Omit<AuditRowProps, 'entries'>) {
  const { actor, customerId, customerName } = entry
  const { before, name, after } = sentenceParts(entry)
  const device = unnamedDevice(entry)
  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-label={`Only what ${actor.name} did`}
        onClick={() => change({ actorId: actor.id, actorName: actor.name })}
      >
        {actor.name}
      </button>{' '}
      {actor.type !== 'USER' && <span className="badge plain">{codeLabel(actor.type)}</span>} {before}
      {name && <MaybeLink to={links.ofObject(entry)} text={name} />}
      {after}
      {device && (
        <>
          {' '}
          on <MaybeLink to={links.ofDevice(entry)} text={device.name} />
        </>
      )}
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
    </>
  )
}

function MaybeLink({ to, text }: { to: string | null; text: string }) {
  if (to === null) return <>{text}</>
  return (
    <PrefetchLink to={to} className="text-link">
      {text}
    </PrefetchLink>
  )
}

function Changes({ entry: { changes = [], customerId, customerName } }: { entry: AuditLogEntry }) {
  const { id: organizationId } = useOrganization()
  const { can } = useSession()
  const scope = organizationScope(organizationId ?? '')
  const needsNames = changes.some(({ field }) => field === ROLES_FIELD) && can('customers:view', scope)
  // All entries share this list.
  const { data: customers = [] } = useAllCustomers(needsNames ? organizationId : null)
  const namesOfScopes = scopeNames(scope, customers)
  const nameOf = (at: string) =>
    customerName && parseScope(at)?.customerId === customerId ? customerName : namesOfScopes(at)
  return (
    <table className="plain-table">
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
            <th scope="row">{fieldLabel(change.field)}</th>
            <td>{shownValue(change.field, change.before, nameOf)}</td>
            <td>{shownValue(change.field, change.after, nameOf)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
