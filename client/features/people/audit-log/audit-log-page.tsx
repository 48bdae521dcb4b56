import type { AuditLogEntry } from '#shared/answers/management.ts'
import './style.css'
import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import { mayAnywhere } from '#shared/permissions.ts'
import { browserZone, chooseZone, useZone } from '../../../lib/time/time.ts'
import { listOf, useListQuery } from '../../../lib/use-list-query.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { ZoneChoice } from '../../../ui/input/zone-choice.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { Filters } from '../../../ui/list/filters/filter-sheet.tsx'
import { ActiveFilters } from '../../../ui/list/filters/filters.tsx'
import { ListExport } from '../../../ui/list/list-export.tsx'
import { ListFrame } from '../../../ui/list/list-frame.tsx'
import { Pager } from '../../../ui/list/pager.tsx'
import { RefreshButton } from '../../../ui/list/refresh-button.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useOrganization } from '../session/integrator.ts'
import { useSession } from '../session/session.ts'
import { useTrail } from '../session/use-trail.ts'
import { useAuditActions, useAuditLog } from './api.ts'
import { AuditRows } from './audit-rows.tsx'
import { objectName, sentenceOf } from './audit-sentences.ts'
import { type AuditQuery, auditFilters, FIRST_VIEW, filterOf } from './filters.tsx'

const PAGE_SIZE = 25
/** The maximum number of entries that the API returns for one filter. */
const ENTRIES_MAX = 10_000

/** Columns of the exported file. The page shows sentences instead. */
const AUDIT_COLUMNS: ListColumn<AuditLogEntry>[] = [
  fileColumn('Time', ({ timestamp }) => timestamp),
  fileColumn('Who', ({ actor }) => actor.name),
  fileColumn('E-mail', ({ actor }) => actor.email),
  fileColumn('Kind', ({ actor }) => actor.type),
  fileColumn('Action', ({ action }) => action),
  fileColumn('What', sentenceOf),
  fileColumn('Object type', ({ resource }) => resource.type),
  fileColumn('Object', objectName),
  fileColumn('Object id', ({ resource }) => resource.id),
  fileColumn('Device', ({ device }) => device?.name),
  fileColumn('Customer', ({ customerName }) => customerName),
  fileColumn('Outcome', ({ outcome }) => outcome),
  fileColumn('IP address', ({ ipAddress }) => ipAddress),
  fileColumn('Request', ({ correlationId }) => correlationId)
]

export default function AuditLogPage() {
  const organization = useOrganization()
  const { nowMs } = useSession()
  const query = useListQuery(FIRST_VIEW)
  // The range ends when the page was opened or refreshed, so that new entries do not move the rows.
  const [openedMs, setOpenedMs] = useState(nowMs)
  const zone = useZone()
  const filter = filterOf(query.values, openedMs, zone)
  const list = useAuditLog(organization.id, filter, query.values, PAGE_SIZE)
  const [zoneOpen, setZoneOpen] = useState(false)
  const trail = useTrail()
  return (
    <>
      <TitleBlock
        title="Audit Log"
        crumbs={[...trail, { label: 'Audit Log' }]}
        facts={
          <>
            {organization.name && `${organization.name} · `}
            Times shown in {zone} ·{' '}
            <button
              type="button"
              className="link-button"
              aria-haspopup="dialog"
              aria-label="Change the time zone"
              onClick={() => setZoneOpen(true)}
            >
              Change
            </button>
          </>
        }
        actions={
          organization.id && (
            <ListExport
              name="audit-log"
              noun="event"
              total={list.data?.page.totalElements ?? 0}
              columns={AUDIT_COLUMNS}
              read={list.all}
              json
            />
          )
        }
      />
      <AuditList
        organizationId={organization.id}
        list={list}
        query={query}
        onRefresh={() => setOpenedMs(nowMs())}
      />
      {zoneOpen && <ZoneDialog zone={zone} onClose={() => setZoneOpen(false)} />}
    </>
  )
}

interface AuditListProps {
  organizationId: string | null
  list: ReturnType<typeof useAuditLog>
  query: AuditQuery
  onRefresh: () => void
}

function AuditList({ organizationId, list, query, onRefresh }: AuditListProps) {
  const { user, customers } = useSession()
  const { data: actions = [] } = useAuditActions(organizationId)
  const filters = auditFilters({
    organizationId,
    actions: [...new Set([...actions, ...listOf(query.values.action)])],
    actors: mayAnywhere(user.roleAssignments, 'users:view'),
    customers: customers.only === null
  })
  const total = list.data?.page.totalElements ?? 0
  return (
    <ListFrame
      label="Audit log"
      load={list}
      size={PAGE_SIZE}
      toolbar={
        <>
          <SearchField
            label="Person, object or customer"
            value={query.values.q}
            onSearch={(q) => query.change({ q })}
          />
          <Filters query={query} filters={filters} />
          <div className="row toolbar-end">
            <RefreshButton busy={list.busy} onRefresh={onRefresh} />
          </div>
        </>
      }
      chips={<ActiveFilters query={query} filters={filters} />}
      empty={
        list.data?.items.length === 0 && (
          <Panel
            icon={SearchX}
            headingLevel={3}
            title="No activity in this range"
            actions={
              <button type="button" className="button" onClick={() => query.change({ range: '30d' })}>
                Show the last 30 days
              </button>
            }
          />
        )
      }
      foot={
        list.data && (
          <>
            {total > ENTRIES_MAX && (
              <p className="muted">Narrow the range or the filters to see older entries.</p>
            )}
            <Pager
              label="Pages of the audit log"
              page={list.data.page}
              onPage={(number) => query.change({ page: String(number + 1) })}
            />
          </>
        )
      }
    >
      <AuditRows rows={list.data?.items ?? []} total={total} busy={list.busy} query={query} />
    </ListFrame>
  )
}

function ZoneDialog({ zone, onClose }: { zone: string; onClose: () => void }) {
  return (
    <Modal title="Time zone" onClose={onClose}>
      <div className="modal-body">
        <p className="modal-text">
          The portal shows all times in this zone. Days begin and end at midnight in this zone.
        </p>
        <ZoneChoice
          zone={zone}
          onZone={(next) => {
            chooseZone(next === browserZone() ? null : next)
            onClose()
          }}
        />
      </div>
    </Modal>
  )
}
