import type { Backup } from '#shared/answers/files.ts'
import './style.css'
import Archive from 'lucide-react/icons/archive'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { count } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session/session.ts'
import { dayBegin, dayEnd } from '../../../lib/time/calendar.ts'
import { useZone } from '../../../lib/time/time.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { Filters } from '../../../ui/list/filters/filter-sheet.tsx'
import { List } from '../../../ui/list/list.tsx'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import { type Chosen, useSelection } from '../../../ui/list/selection/use-selection.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { type Customer, useCustomer } from '../../sites/customers/customer.tsx'
import { useDevice } from '../../sites/devices/api.ts'
import { offeringProblem } from '../../sites/devices/service-links/device-services.ts'
import { useBackups } from './api.ts'
import { BackupDialogs, lockBackup, type OpenDialog } from './backup-dialogs.tsx'
import { backupColumns, backupTitle } from './columns.tsx'
import { DevicesWithoutBackup } from './devices-without-backup.tsx'
import { BACKUP_FILTERS, type BackupQuery, deviceFilters, FIRST_VIEW, MISSING } from './filters.tsx'

const PAGE_SIZE = 15

export default function BackupsPage() {
  const { customerId, list: customer, orgName, trail, can, error, isFetching, refetch } = useCustomer()
  const query = useListQuery(FIRST_VIEW)
  const { deviceUuid, missing, project } = query.values
  const { data: device = null } = useDevice(customerId, deviceUuid)
  const chosen = useSelection<Backup>(({ id }) => id)
  const deviceText = deviceUuid ? (device?.deviceName ?? null) : 'All devices'
  return (
    <>
      <TitleBlock
        title="Saved Backups"
        crumbs={[...trail, { label: 'Saved Backups' }]}
        facts={[deviceText, orgName].filter(Boolean).join(' of ')}
      />
      <Notice tone="info">
        A backup opens only with the passphrase of the station that it was made on. Keep that passphrase:
        nobody can recover it.
      </Notice>
      {error !== undefined ? (
        <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />
      ) : customer && !can('recover:view') ? (
        <Notice tone="warn">Your role does not include saved backups of this customer.</Notice>
      ) : (
        <>
          {deviceUuid && <LastBackup key={deviceUuid} customerId={customerId} deviceUuid={deviceUuid} />}
          {missing ? (
            <DevicesWithoutBackup
              projectId={project}
              toolbar={<Filters query={query} filters={[...deviceFilters(customerId), MISSING]} />}
            />
          ) : (
            <BackupList query={query} device={device} chosen={chosen} />
          )}
        </>
      )}
    </>
  )
}

const NEWEST = { sort: 'backupDate', order: 'desc', page: '1' }
const NEWEST_PAGE_SIZE = 50

function LastBackup({ customerId, deviceUuid }: { customerId: string; deviceUuid: string }) {
  const { data } = useBackups(customerId, { deviceUuid }, NEWEST, NEWEST_PAGE_SIZE)
  if (!data || data.page.totalElements === 0) return null
  const lastComplete = data.items.find(({ status }) => status === 'COMPLETE')
  return (
    <p className="muted last-backup">
      {lastComplete ? (
        <>
          Last good backup <Timestamp iso={lastComplete.backupDate} as="ago" />
        </>
      ) : (
        'None of the latest backups is good'
      )}
      {' · '}
      {count(data.page.totalElements, 'backup')}
    </p>
  )
}

interface BackupListProps {
  query: BackupQuery
  device: Device | null
  chosen: Chosen<Backup>
}

function BackupList({ query, device, chosen }: BackupListProps) {
  const { customerId, customerPath, can } = useCustomer()
  const zone = useZone()
  const { deviceUuid, project, kind, locked, from, to } = query.values
  const days = { from: dayBegin(from, zone), to: dayEnd(to, zone) }
  const filter = { deviceUuid, projectId: project, trigger: kind, retained: locked, ...days }
  const list = useBackups(can('recover:view') ? customerId : null, filter, query.values, PAGE_SIZE)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const columns = backupColumns(customerPath)
  const mayDelete = can('recover:delete')
  const onLock = (backup: Backup) =>
    void lockBackup(customerId, backup, !backup.retained).finally(list.refetch)
  return (
    <>
      <List
        noun="backup"
        load={list}
        page={list.data}
        size={PAGE_SIZE}
        query={query}
        columns={columns}
        toolbar={{
          filters: [...deviceFilters(customerId), ...BACKUP_FILTERS, MISSING],
          file: { name: 'backups', read: list.all }
        }}
        rows={{
          rowKey: ({ id }) => id,
          nameOf: backupTitle,
          actions: (backup) => backupActions(backup, can, setDialog, onLock),
          selection: mayDelete ? { chosen, refusalOf } : undefined,
          sheet: true,
          sheetOnDesk: true
        }}
        empty={<NoBackups device={deviceUuid ? device : null} />}
        foot={{
          selectionBar: mayDelete && (
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
        }}
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

function NoBackups({ device }: { device: Device | null }) {
  const { nowMs } = useSession()
  const problem = device && offeringProblem(device, 'Recover', nowMs())
  return (
    <Panel
      icon={Archive}
      headingLevel={3}
      title={device ? 'No backups for this device yet' : 'No backups yet'}
    >
      <p>{problem ? `${problem}.` : 'Backups are started on the station.'}</p>
    </Panel>
  )
}

const refusalOf = ({ retained }: Backup) => (retained ? 'locked backups cannot be deleted' : null)

function backupActions(
  backup: Backup,
  can: Customer['can'],
  onOpen: (dialog: OpenDialog) => void,
  onLock: (backup: Backup) => void
): (MenuItem | false)[] {
  const mayEdit = can('recover:edit')
  return [
    can('recover:download') && {
      label: 'Download',
      icon: <Download />,
      inline: true,
      disabledReason: backup.status === 'COMPLETE' ? null : 'There is no file yet',
      onSelect: () => onOpen({ kind: 'download', backup })
    },
    mayEdit && { label: 'Edit note', onSelect: () => onOpen({ kind: 'note', backup }) },
    mayEdit && { label: backup.retained ? 'Unlock' : 'Lock', onSelect: () => onLock(backup) },
    can('recover:delete') && {
      label: 'Delete',
      tone: 'danger',
      disabledReason: backup.retained ? 'Unlock the backup first' : null,
      onSelect: () => onOpen({ kind: 'delete', backups: [backup] })
    }
  ]
}
