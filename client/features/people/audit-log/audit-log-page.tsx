import type { AuditLogEntry } from '#shared/answers/management.ts'
import './style.css'
import SearchX from 'lucide-react/icons/search-x'
import { useCallback, useMemo, useState } from 'react'
import type { Page } from '#shared/answers/parts.ts'
import { mayAnywhere } from '#shared/permissions.ts'
import { codeLabel } from '../../../lib/format.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { browserZone, chooseZone, useZone } from '../../../lib/time/time.ts'
import { listOf, useListQuery } from '../../../lib/use-list-query.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { ZoneChoice } from '../../../ui/input/zone-choice.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useAuditActions, useAuditLog } from './api.ts'
import { useAuditLinks } from './audit-links.ts'
import { type AuditRow, isBulk, isSignInGroup, rowName, rowsOf, type WholeGroups } from './audit-rows.ts'
import { objectName } from './audit-sentences.ts'
import { auditColumns } from './columns.tsx'
import { type AuditQuery, auditFilters, FIRST_VIEW, filterOf, hidesSignIns, isRelative } from './filters.tsx'
import { useWholeGroups } from './use-whole-groups.ts'

const PAGE_SIZE = 25
/** The maximum number of entries that the API returns for one filter. */
const ENTRIES_MAX = 10_000

export default function AuditLogPage() {
  const organization = useOrganization()
  const zone = useZone()
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
      />
      <AuditList organizationId={organization.id} zone={zone} />
      {zoneOpen && <ZoneDialog zone={zone} onClose={() => setZoneOpen(false)} />}
    </>
  )
}

function AuditList({ organizationId, zone }: { organizationId: string | null; zone: string }) {
  const { user, customers, nowMs } = useSession()
  const listQuery = useListQuery(FIRST_VIEW)
  // A relative range begins before the time when the page was opened or refreshed, so that it is the same in each rendering.
  const [openedMs, setOpenedMs] = useState(nowMs)
  const { data: loadedActions, error: actionsError } = useAuditActions(organizationId)
  const actions = loadedActions ?? []
  const lacksActions = loadedActions === undefined && hidesSignIns(listQuery.values)
  const isReady = !lacksActions || actionsError !== undefined
  const filter = filterOf(listQuery.values, actions, openedMs, zone)
  const list = useAuditLog(isReady ? organizationId : null, filter, listQuery.values, PAGE_SIZE)
  const { query, wholeGroups } = useWholeGroups(organizationId, filter, listQuery, list.data)
  const { page, columns } = useAuditRows(list.data, wholeGroups, listQuery.change)
  const filters = auditFilters({
    organizationId,
    actions: [...new Set([...actions, ...listOf(query.values.action)])],
    actors: mayAnywhere(user.roleAssignments, 'users:view'),
    customers: customers.only === null
  })
  const empty = (
    <Panel
      icon={SearchX}
      headingLevel={3}
      title="No activity in this range"
      actions={
        <>
          <button type="button" className="button" onClick={() => query.change({ range: '30d' })}>
            Show the last 30 days
          </button>
          {hidesSignIns(query.values) && (
            <button type="button" className="button" onClick={() => query.change({ signIns: 'shown' })}>
              Show sign-ins
            </button>
          )}
        </>
      }
    />
  )
  return (
    <List
      noun="event"
      label="Audit log"
      className="audit-log"
      load={{
        ...list,
        refetch: () => (isRelative(listQuery.values) ? setOpenedMs(nowMs()) : void list.refetch())
      }}
      page={page}
      size={PAGE_SIZE}
      query={query}
      columns={columns}
      toolbar={{
        search: 'Person, object or customer',
        filters,
        file: { name: 'audit-log', read: list.all, json: true }
      }}
      notices={
        lacksActions &&
        isReady && (
          <p className="muted list-note">
            Sign-ins are included, because the list of actions could not be loaded.
          </p>
        )
      }
      rows={{
        rowKey,
        nameOf: rowName,
        actions: (row) => filterActions(row, query.change),
        sheet: true,
        sheetOnDesk: true
      }}
      empty={empty}
      noMatch={empty}
      foot={{
        note: (list.data?.page.totalElements ?? 0) > ENTRIES_MAX && (
          <p className="muted">Narrow the range or the filters to see older entries.</p>
        )
      }}
    />
  )
}

/** The loaded page with its entries in groups, and the columns, which can open a group. */
function useAuditRows(
  entries: Page<AuditLogEntry> | undefined,
  wholeGroups: WholeGroups,
  change: AuditQuery['change']
) {
  const [openGroups, setOpenGroups] = useState<ReadonlyMap<string, boolean>>(new Map())
  const links = useAuditLinks()
  const toggle = useCallback(
    ({ id, group }: AuditRow) => setOpenGroups((previous) => new Map(previous).set(id, !group?.isOpen)),
    []
  )
  const columns = useMemo(() => auditColumns(change, links, toggle), [change, links, toggle])
  const page = useMemo(
    () => entries && { ...entries, items: rowsOf(entries.items, PAGE_SIZE, openGroups, wholeGroups) },
    [entries, openGroups, wholeGroups]
  )
  return { page, columns }
}

const rowKey = ({ id, isMember }: AuditRow) => (isMember ? `${id} in its group` : id)

function filterActions(row: AuditRow, change: AuditQuery['change']): MenuItem[] {
  if (isSignInGroup(row)) return []
  const { action, resource } = row
  const onlyAction = { label: `Only “${codeLabel(action)}”`, onSelect: () => change({ action }) }
  if (isBulk(row)) return [onlyAction]
  const name = objectName(row)
  return [
    onlyAction,
    { label: `Only ${name}`, onSelect: () => change({ resourceId: resource.id, resourceName: name }) }
  ]
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
