import '../../ui/list/records.css'
import Download from 'lucide-react/icons/download'
import { type ReactNode, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { dayBegin, dayEnd } from '../../lib/time/calendar.ts'
import { useZone } from '../../lib/time/time.ts'
import { useListQuery } from '../../lib/use-list-query.ts'
import type { MenuItem } from '../../ui/input/menu-button.tsx'
import { sortsOf } from '../../ui/list/columns/column.ts'
import { chipsOf, Filters, HeldFilters } from '../../ui/list/filters/filters.tsx'
import { List } from '../../ui/list/list.tsx'
import { NoMatch } from '../../ui/list/list-card.tsx'
import { ListExport } from '../../ui/list/list-export.tsx'
import { pageNumber } from '../../ui/list/pager.tsx'
import { SelectionBar } from '../../ui/list/selection/selection-bar.tsx'
import { type Chosen, useSelection } from '../../ui/list/selection/use-selection.ts'
import { Notice } from '../../ui/state/notice.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { useCustomer } from '../customers/customer.ts'
import { useDeviceOnce } from '../devices/api.ts'
import { useSession } from '../session/session.ts'
import { allBackups, type Backup, useBackups } from './api.ts'
import { BackupDialogs, type OpenDialog } from './backup-dialogs.tsx'
import { backupColumns, backupTitle } from './columns.tsx'
import { DevicesWithoutBackup } from './devices-without-backup.tsx'
import { BACKUP_FILTERS, type BackupQuery, deviceFilters, FIRST_VIEW, MISSING } from './filters.tsx'
import { LastBackup } from './last-backup.tsx'
import { NoBackups } from './no-backups.tsx'
import { type BackupRights, backupRights } from './rights.ts'

const PAGE_SIZE = 15

/** Saved backups of a customer's devices, or of one device (`?deviceUuid=`). */
export default function BackupsPage() {
  const { customerId, customerPath, list: customer, orgName, trail } = useCustomer()
  const session = useSession()
  const query = useListQuery(FIRST_VIEW)
  const { deviceUuid, missing } = query.values
  const scope = customer?.customer.scope ?? null
  const rights = backupRights(session, scope)
  const device = useDeviceOnce(customerId, deviceUuid || null)
  const chosen = useSelection<Backup>(({ id }) => id)

  const where = deviceUuid ? (device.data?.deviceName ?? null) : 'All devices'
  const list = { customerId, customerPath, query, device: device.data ?? null }
  return (
    <>
      <TitleBlock
        title="Saved Backups"
        crumbs={[...trail, { label: 'Saved Backups' }]}
        facts={[where, orgName].filter(Boolean).join(' of ')}
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
              customerPath={customerPath}
              nowMs={session.nowMs()}
              projectId={query.values.project}
              toolbar={<BackupToolbar {...list} />}
            />
          ) : (
            <BackupList {...list} rights={rights} chosen={chosen} />
          )}
        </>
      )}
    </>
  )
}

interface BackupListProps {
  customerId: string
  customerPath: string
  query: BackupQuery
  /** The one that the list is about. */
  device: Device | null
  rights: BackupRights
  chosen: Chosen<Backup>
}

function BackupList({ customerId, customerPath, query, device, rights, chosen }: BackupListProps) {
  const { nowMs } = useSession()
  const zone = useZone()
  const { deviceUuid, project, kind, locked, from, to, sort, order, page } = query.values
  const days = { from: dayBegin(from, zone), to: dayEnd(to, zone) }
  const filter = { deviceUuid, projectId: project, trigger: kind, retained: locked, ...days }
  const by = { sort, order }
  const list = useBackups(rights.view ? customerId : null, filter, by, pageNumber(page), PAGE_SIZE)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const columns = backupColumns(customerPath, nowMs())
  return (
    <>
      <List
        id="backups"
        label="Backups"
        many="backups"
        load={list}
        page={list.data}
        size={PAGE_SIZE}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        nameOf={backupTitle}
        actions={(backup) => backupActions(backup, rights, setDialog)}
        {...(rights.remove ? { selection: { chosen, refusalOf } } : {})}
        toolbar={
          <BackupToolbar customerId={customerId} query={query} device={device} sorts={sortsOf(columns)}>
            <ListExport
              file="backups"
              nouns={['backup', 'backups']}
              total={list.data?.page.totalElements ?? null}
              columns={columns}
              read={(max, signal) => allBackups(customerId, filter, by, max, signal)}
            />
          </BackupToolbar>
        }
        chips={<HeldFilters query={query} filters={BACKUP_FILTERS} />}
        empty={
          project || chipsOf(BACKUP_FILTERS, query).length > 0 ? (
            <NoMatch
              title="No backups match these filters"
              onClear={() => query.clear('project', 'kind', 'locked', 'from', 'to')}
            />
          ) : (
            <NoBackups device={deviceUuid ? device : null} nowMs={nowMs()} />
          )
        }
        bar={
          rights.remove && (
            <SelectionBar noun="backup" selection={chosen}>
              <button
                type="button"
                className="button"
                onClick={() => setDialog({ kind: 'delete', backups: [...chosen.rows] })}
              >
                Delete {chosen.rows.length === 1 ? 'it' : chosen.rows.length}
              </button>
            </SelectionBar>
          )
        }
      />
      {dialog && (
        <BackupDialogs
          customerId={customerId}
          dialog={dialog}
          onClose={() => setDialog(null)}
          onDeleted={chosen.drop}
        />
      )}
    </>
  )
}

interface BackupToolbarProps extends Pick<BackupListProps, 'customerId' | 'query' | 'device'> {
  sorts?: Record<string, string> | undefined
  /** What else can be done with the list. */
  children?: ReactNode
}

function BackupToolbar({ customerId, query, device, sorts, children }: BackupToolbarProps) {
  const whose = deviceFilters(customerId, device)
  return (
    <>
      <Filters
        query={query}
        defaults={FIRST_VIEW}
        filters={[...whose, ...(query.values.missing ? [] : BACKUP_FILTERS), MISSING]}
        sorts={sorts}
      />
      {children && <div className="toolbar-end">{children}</div>}
    </>
  )
}

const refusalOf = ({ retained }: Backup) => (retained ? 'locked backups cannot be deleted' : null)

function backupActions(
  backup: Backup,
  rights: BackupRights,
  onOpen: (dialog: OpenDialog) => void
): MenuItem[] {
  const items: MenuItem[] = []
  if (rights.download) {
    items.push({
      label: 'Download',
      icon: <Download />,
      inline: true,
      disabledReason: backup.status === 'COMPLETE' ? null : 'There is no file yet',
      onSelect: () => onOpen({ kind: 'download', backup })
    })
  }
  if (rights.edit) {
    items.push(
      { label: 'Edit note', onSelect: () => onOpen({ kind: 'note', backup }) },
      {
        label: backup.retained ? 'Unlock' : 'Lock',
        onSelect: () => onOpen({ kind: 'lock', backup, retained: !backup.retained })
      }
    )
  }
  if (rights.remove) {
    items.push({
      label: 'Delete',
      tone: 'danger',
      disabledReason: backup.retained ? 'Unlock it first' : null,
      onSelect: () => onOpen({ kind: 'delete', backups: [backup] })
    })
  }
  return items
}
