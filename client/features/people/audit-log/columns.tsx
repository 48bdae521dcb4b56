import Bot from 'lucide-react/icons/bot'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Cog from 'lucide-react/icons/cog'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { codeLabel, formatNumber } from '../../../lib/format.ts'
import { formatSecond, useZone } from '../../../lib/time/time.ts'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'
import { useDeviceNames } from '../../sites/devices/api.ts'
import { type AuditLinks, isDeleted } from './audit-links.ts'
import {
  type AuditRow,
  customerOf,
  deedOf,
  isBulk,
  isSignIn,
  isSignInGroup,
  isSummary,
  objectOf,
  personOf,
  rowName
} from './audit-rows.ts'
import { OUTCOMES, objectName, sentenceOf, unnamedDevice } from './audit-sentences.ts'
import { Changes } from './changes.tsx'
import type { AuditQuery } from './filters.tsx'

const FACT_ONLY = { table: false, csv: false } as const

/** A click on a person or customer filters the log by that name. */
export function auditColumns(
  change: AuditQuery['change'],
  links: AuditLinks,
  onToggle: (row: AuditRow) => void
): ListColumn<AuditRow>[] {
  return [
    {
      id: 'timestamp',
      header: 'Time',
      sort: 'time',
      first: 'desc',
      width: 11.5,
      whole: true,
      value: ({ timestamp }) => timestamp,
      cell: ({ timestamp, isMember }) => (
        <span className={isMember && 'audit-member'}>
          <Second iso={timestamp} />
        </span>
      ),
      card: { as: 'fact', cell: ({ timestamp }) => <Second iso={timestamp} /> }
    },
    {
      id: 'actor',
      header: 'Person',
      width: 8,
      value: ({ actor }) => actor.name,
      csv: 'Who',
      cell: (row) => <Person row={row} change={change} />,
      card: {
        as: 'more',
        cell: (row) =>
          isSignInGroup(row) ? null : <MaybeLink to={links.ofActor(row)} text={row.actor.name} />
      }
    },
    fileColumn('E-mail', ({ actor }) => actor.email),
    fileColumn('Kind', ({ actor }) => actor.type),
    fileColumn('Action', ({ action }) => action),
    {
      id: 'what',
      header: 'What',
      width: 10,
      value: sentenceOf,
      cell: (row) => (
        <>
          <Outcome row={row} /> <Deed row={row} onToggle={onToggle} />
        </>
      ),
      card: {
        as: 'heading',
        cell: (row) => (
          <span>
            <Outcome row={row} /> {rowName(row)} {row.group && <Toggle row={row} onToggle={onToggle} />}
          </span>
        )
      }
    },
    fileColumn('Object type', ({ resource }) => resource.type),
    {
      id: 'object',
      header: 'Object',
      width: 8.5,
      value: objectName,
      cell: (row) => <ObjectName row={row} links={links} />,
      card: {
        as: 'more',
        cell: (row) =>
          isSignInGroup(row) ? null : isBulk(row) ? (
            <ObjectName row={row} links={links} />
          ) : (
            <MaybeLink
              to={links.ofObject(row)}
              text={`${codeLabel(row.resource.type)} ${objectName(row)}${isDeleted(row) ? ' (deleted)' : ''}`}
            />
          )
      }
    },
    fileColumn('Object id', ({ resource }) => resource.id),
    fileColumn('Device', ({ device }) => device?.name),
    {
      id: 'customerName',
      header: 'Customer',
      width: 8,
      from: 'laptop',
      sort: 'customer',
      value: ({ customerName }) => customerName,
      cell: (row) => <CustomerName row={row} change={change} />,
      card: { as: 'fact', cell: customerOf }
    },
    {
      id: 'outcome',
      header: 'Outcome',
      sort: 'outcome',
      table: 'on-demand',
      value: ({ outcome }) => outcome,
      cell: ({ outcome }) => OUTCOMES[outcome]?.label ?? codeLabel(outcome)
    },
    fileColumn('IP address', ({ ipAddress }) => ipAddress),
    fileColumn('Request', ({ correlationId }) => correlationId),
    {
      id: 'changes',
      header: 'Changes',
      ...FACT_ONLY,
      card: {
        as: 'more',

        cell: (row) =>
          row.changes && row.changes.length > 0 && !isSummary(row) ? <Changes entry={row} /> : null
      }
    },
    {
      id: 'times',
      header: 'Times',
      ...FACT_ONLY,
      card: { as: 'more', cell: (row) => row.group && <Times row={row} entries={row.group.entries} /> }
    },
    ...factColumns(links)
  ]
}

/** The facts of one entry, for its sheet and its card. */
function factColumns(links: AuditLinks): ListColumn<AuditRow>[] {
  const factOf = (header: string, cell: NonNullable<ListColumn<AuditRow>['cell']>): ListColumn<AuditRow> => ({
    id: `fact ${header}`,
    header,
    ...FACT_ONLY,
    card: { as: 'more', cell: (row) => (isSummary(row) ? null : cell(row)) }
  })
  return [
    factOf('Object id', ({ resource }) => <Copyable text={resource.id} label="Copy object id" />),
    factOf('Device', (row) => {
      const device = unnamedDevice(row)
      return device && <MaybeLink to={links.ofDevice(row)} text={device.name} />
    }),
    factOf('Host id', (row) => {
      const device = links.deviceOf(row)
      return device && <HostId {...device} copyable />
    }),
    factOf('E-mail', ({ actor }) => actor.email || '–'),
    factOf('IP address', ({ ipAddress }) => ipAddress || '–'),
    factOf('Client', ({ userAgent }) => userAgent || '–'),
    factOf('Request', ({ correlationId }) =>
      correlationId ? <Copyable text={correlationId} label="Copy request id" /> : '–'
    )
  ]
}

interface HostIdProps {
  customerId: string
  deviceId: string
  copyable?: boolean
}

/** The host id of a device; nothing for a device that is gone. */
function HostId({ customerId, deviceId, copyable = false }: HostIdProps) {
  const hostId = useDeviceNames(customerId).data?.get(deviceId)?.hostId
  if (!hostId) return copyable ? '–' : '\u00a0'
  return copyable ? <Copyable text={hostId} label="Copy host id" /> : hostId
}

function Second({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatSecond(iso, useZone())}</time>
}

function Times({ row, entries }: { row: AuditRow; entries: readonly AuditLogEntry[] }) {
  return (
    <ul className="lines">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Second iso={entry.timestamp} />
          {isSignInGroup(row) && `, ${entry.actor.name} ${sentenceOf(entry)}`}
          {isBulk(row) && ` ${sentenceOf(entry)}`}
        </li>
      ))}
    </ul>
  )
}

function Person({ row, change }: { row: AuditRow; change: AuditQuery['change'] }) {
  const { actor, group } = row
  const person = personOf(row)
  if (person !== actor.name) {
    const names = new Set(group?.entries.map((entry) => entry.actor.name))
    return <span title={[...names].join(', ')}>{person}</span>
  }
  return (
    <>
      <button
        type="button"
        className="link-button quiet"
        aria-label={`Only what ${actor.name} did`}
        onClick={() => change({ actorId: actor.id, actorName: actor.name })}
      >
        {actor.name}
      </button>
      <ActorType type={actor.type} />
    </>
  )
}

const ACTOR_ICONS = { SERVICE_ACCOUNT: Bot, SYSTEM: Cog, SUPPORT: LifeBuoy }

/** Marks an actor that is not a user. */
function ActorType({ type }: { type: AuditRow['actor']['type'] }) {
  if (type === 'USER') return null
  const Icon = ACTOR_ICONS[type]
  return (
    <span title={codeLabel(type)}>
      <Icon />
      <span className="sr-only"> ({codeLabel(type)})</span>
    </span>
  )
}

function Outcome({ row: { outcome } }: { row: AuditRow }) {
  if (outcome === 'SUCCESS') return null
  const { label, tone } = OUTCOMES[outcome] ?? { label: codeLabel(outcome), tone: 'plain' }
  return <span className={`badge ${tone}`}>{label}</span>
}

interface ToggleProps {
  row: AuditRow
  onToggle: (row: AuditRow) => void
}

function Deed({ row, onToggle }: ToggleProps) {
  if (!row.group) return <span className={isSignIn(row.action) ? 'sign-in' : undefined}>{deedOf(row)}</span>
  return <Toggle row={row} onToggle={onToggle} />
}

/** Opens and closes a group: "4 sign-ins", or "wrote point · 2 times". */
function Toggle({ row, onToggle }: ToggleProps) {
  if (!row.group) return null
  const { entries, isOpen } = row.group
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      className={`link-button quiet audit-toggle ${isSignIn(row.action) ? 'sign-in' : ''}`}
      aria-expanded={isOpen}
      onClick={() => onToggle(row)}
    >
      {deedOf(row)}
      {!isSummary(row) && <span className="muted"> · {entries.length} times</span>}
      <Icon />
    </button>
  )
}

function ObjectName({ row, links }: { row: AuditRow; links: AuditLinks }) {
  if (isSignInGroup(row)) return null
  const name = objectOf(row)
  if (isBulk(row))
    return (
      <span className="stacked">
        <span>{name}</span>
        <GroupNote row={row} />
      </span>
    )
  const unnamed = unnamedDevice(row)
  const device = links.deviceOf(row)
  return (
    <span className="stacked">
      <span>
        {name && <MaybeLink to={links.ofObject(row)} text={name} />}
        {unnamed && (
          <span className="muted">
            {name && ' on '}
            <MaybeLink to={links.ofDevice(row)} text={unnamed.name} />
          </span>
        )}
      </span>
      {device && (
        <small className="mono">
          <HostId {...device} />
        </small>
      )}
    </span>
  )
}

/** What is not known of a group's objects, and where the group begins. */
function GroupNote({ row: { group } }: { row: AuditRow }) {
  if (!group) return null
  const { total, entries, isContinued } = group
  const notes = [
    total === null && 'on this page',
    total !== null && total > entries.length && `and more, ${formatNumber(total)} entries in this minute`,
    isContinued && 'continued from an earlier page'
  ].filter(Boolean)
  return notes.length > 0 && <small>{notes.join(', ')}</small>
}

function CustomerName({ row, change }: { row: AuditRow; change: AuditQuery['change'] }) {
  const { customerId, customerName } = row
  const customer = customerOf(row)
  if (!customerId || !customerName || customer !== customerName) return customer
  return (
    <button
      type="button"
      className="link-button quiet"
      aria-label={`Only ${customerName}`}
      onClick={() => change({ customerId, customerName })}
    >
      {customerName}
    </button>
  )
}

function MaybeLink({ to, text }: { to: string | null; text: string }) {
  if (to === null) return <>{unbroken(text)}</>
  return (
    <PrefetchLink to={to} className="text-link">
      {unbroken(text)}
    </PrefetchLink>
  )
}
