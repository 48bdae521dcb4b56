import '../../style/records.css'
import { useState } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { failureOf, isNotFound } from '../../api/api-error.ts'
import { type Backup, useBackups } from '../../api/backups.ts'
import { useDevice } from '../../api/device-search.ts'
import { useProjects } from '../../api/projects.ts'
import { ListCard } from '../../components/list-card.tsx'
import { useZone } from '../../components/moment.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { dayBegin, dayEnd } from '../../lib/day-range.ts'
import { count } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { useListQuery } from '../../session/use-list-query.ts'
import { useTrail } from '../../session/use-trail.ts'
import { BackupDialogs, type OpenDialog } from './backup-dialogs.tsx'
import { BackupExport } from './backup-export.tsx'
import { BackupChips, BackupToolbar, FIRST_VIEW } from './backup-filters.tsx'
import { BackupRows } from './backup-rows.tsx'
import { DevicesWithoutBackup } from './devices-without-backup.tsx'
import { LastBackup } from './last-backup.tsx'
import { NoBackups } from './no-backups.tsx'
import { backupRights } from './rights.ts'

const PAGE_SIZE = 15

/** Saved backups of a customer's devices, or of one device (T7: `?deviceUuid=`). */
export default function BackupsPage() {
  const { customerId = '', organizationId } = useParams()
  const { pathname } = useLocation()
  const session = useSession()
  const query = useListQuery(FIRST_VIEW)
  const { deviceUuid, kind, locked, from, to, sort, order, page, missing } = query.values
  const customer = useProjects(customerId)
  const scope = customer.data?.customer.scope ?? null
  const rights = backupRights(session, scope)
  const device = useDevice(customerId, deviceUuid || null)
  const zone = useZone()
  const filter = {
    deviceUuid,
    trigger: kind,
    retained: locked,
    from: dayBegin(from, zone),
    to: dayEnd(to, zone)
  }
  const list = useBackups(
    rights.view && missing === '' ? customerId : null,
    filter,
    { sort, order },
    Math.max(Number(page) - 1, 0) || 0,
    PAGE_SIZE
  )
  const [chosen, setChosen] = useState<ReadonlyMap<string, Backup>>(new Map())
  const [dialog, setDialog] = useState<OpenDialog | null>(null)

  const trail = useTrail(customer.data?.customer.orgName)

  if (isNotFound(customer.error)) return <NotFound path={pathname} home={paths.home} />
  const filtered = [kind, locked, from, to].some(Boolean)
  const where = deviceUuid ? (device.data?.deviceName ?? null) : 'All devices'
  return (
    <>
      <TitleBlock
        title="Saved Backups"
        crumbs={[...trail, { label: 'Saved Backups' }]}
        facts={[where, customer.data?.customer.orgName].filter(Boolean).join(' of ')}
      />
      <Notice tone="info">
        A backup opens only with the passphrase of the station that it was made on. Keep that passphrase:
        nobody can recover it.
      </Notice>
      {scope !== null && !rights.view ? (
        <Notice tone="warn">Your role does not include saved backups of this customer.</Notice>
      ) : (
        <>
          {deviceUuid && (
            <LastBackup customerId={customerId} deviceUuid={deviceUuid} nowMs={session.nowMs()} />
          )}
          {missing ? (
            <DevicesWithoutBackup
              customerId={customerId}
              customerPath={paths.customer(customerId, organizationId)}
              nowMs={session.nowMs()}
              toolbar={<BackupToolbar customerId={customerId} query={query} device={device.data ?? null} />}
            />
          ) : (
            <ListCard
              label="Backups"
              loaded={list.data !== undefined}
              failure={list.error === undefined ? null : failureOf(list.error)}
              busy={list.busy}
              onReload={list.reload}
              toolbar={
                <BackupToolbar customerId={customerId} query={query} device={device.data ?? null}>
                  <BackupExport
                    customerId={customerId}
                    filter={filter}
                    order={{ sort, order }}
                    total={list.data?.page.totalElements ?? null}
                  />
                </BackupToolbar>
              }
              chips={<BackupChips query={query} />}
              empty={
                list.data?.page.totalElements === 0 && (
                  <NoBackups
                    device={deviceUuid ? (device.data ?? null) : null}
                    filtered={filtered}
                    nowMs={session.nowMs()}
                    onClear={() => query.clear('kind', 'locked', 'from', 'to')}
                  />
                )
              }
              foot={
                list.data && (
                  <Pager
                    label="Pages of backups"
                    page={list.data.page}
                    onPage={(number) => query.change({ page: String(number + 1) })}
                  />
                )
              }
            >
              {rights.remove && chosen.size > 0 && (
                <div className="batch-bar" role="toolbar" aria-label="Chosen backups">
                  <span role="status">{count(chosen.size, 'backup')} chosen</span>
                  <button
                    type="button"
                    className="button"
                    onClick={() => setDialog({ kind: 'delete', backups: [...chosen.values()] })}
                  >
                    Delete {chosen.size === 1 ? 'it' : chosen.size}
                  </button>
                  <button type="button" className="link-button" onClick={() => setChosen(new Map())}>
                    Clear selection
                  </button>
                </div>
              )}
              <BackupRows
                rows={list.data?.items ?? []}
                total={list.data?.page.totalElements ?? 0}
                customerPath={paths.customer(customerId, organizationId)}
                busy={list.busy}
                query={query}
                rights={rights}
                nowMs={session.nowMs()}
                chosen={chosen}
                onChosen={setChosen}
                onOpen={setDialog}
              />
            </ListCard>
          )}
        </>
      )}
      {dialog && (
        <BackupDialogs
          customerId={customerId}
          dialog={dialog}
          onClose={() => setDialog(null)}
          onDeleted={(ids) => setChosen((before) => new Map([...before].filter(([id]) => !ids.includes(id))))}
        />
      )}
    </>
  )
}
