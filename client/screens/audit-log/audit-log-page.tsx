import '../../style/records.css'
import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import { failureOf } from '../../api/api-error.ts'
import { useAuditLog } from '../../api/audit-log.ts'
import { ListCard } from '../../components/list-card.tsx'
import { useZone } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { Panel } from '../../components/panel.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { useSession } from '../../session/session.ts'
import { useListQuery } from '../../session/use-list-query.ts'
import { useOrganization } from '../../session/use-organization.ts'
import { useTrail } from '../../session/use-trail.ts'
import { AuditExport } from './audit-export.tsx'
import { AuditChips, AuditToolbar, FIRST_VIEW, filterOf } from './audit-filters.tsx'
import { AuditRows } from './audit-rows.tsx'
import { ZoneDialog } from './zone-dialog.tsx'

const PAGE_SIZE = 25
/** Further back an organization's log is found by narrowing the range. */
const REACHABLE = 10_000

export default function AuditLogPage() {
  const organization = useOrganization()
  const { nowMs } = useSession()
  const query = useListQuery(FIRST_VIEW)
  // The range ends where the page was opened: rows do not move while somebody reads.
  const [openedMs, setOpenedMs] = useState(nowMs)
  const { sort, order, page } = query.values
  const zone = useZone()
  const filter = filterOf(query.values, openedMs, zone)
  const list = useAuditLog(
    organization.id,
    filter,
    { sort, order },
    Math.max(Number(page) - 1, 0) || 0,
    PAGE_SIZE
  )
  const [zoning, setZoning] = useState(false)
  const trail = useTrail()
  const total = list.data?.page.totalElements ?? 0
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
              onClick={() => setZoning(true)}
            >
              Change
            </button>
          </>
        }
        actions={
          organization.id && (
            <AuditExport
              organizationId={organization.id}
              filter={filter}
              order={{ sort, order }}
              total={total}
            />
          )
        }
      />
      <ListCard
        label="Audit log"
        loaded={list.data !== undefined}
        failure={list.error === undefined ? null : failureOf(list.error)}
        busy={list.busy}
        onReload={list.reload}
        toolbar={
          <AuditToolbar
            organizationId={organization.id}
            query={query}
            busy={list.busy}
            onRefresh={() => setOpenedMs(nowMs())}
          />
        }
        chips={<AuditChips query={query} />}
        empty={
          list.data?.items.length === 0 && (
            <Panel
              icon={SearchX}
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
              {total > REACHABLE && (
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
      </ListCard>
      {zoning && <ZoneDialog zone={zone} onClose={() => setZoning(false)} />}
    </>
  )
}
