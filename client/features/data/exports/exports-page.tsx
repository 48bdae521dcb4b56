import type { Export } from '#shared/answers/files.ts'
import './style.css'
import Download from 'lucide-react/icons/download'
import FileDown from 'lucide-react/icons/file-down'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { mayAnywhere } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { isUnderWay, keptDays, useExports } from './api.ts'
import { EXPORT_COLUMNS, exportFilters, FIRST_VIEW } from './columns.tsx'
import { ExportDialogs, type OpenDialog } from './export-dialogs.tsx'
import { useListedExports } from './export-watch.ts'

const PAGE_SIZE = 15

export default function ExportsPage() {
  const { user } = useSession()
  const organization = useOrganization()
  const trail = useTrail()
  const query = useListQuery(FIRST_VIEW)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { q, status, customerId, owner } = query.values
  const createdBy = owner === 'me' ? user.fullName : ''
  const filter = { customerId, status, createdBy, keyword: q }
  const list = useExports(organization.id, filter, query.values, PAGE_SIZE)
  useListedExports(list)
  const storedDays = keptDays(list.data?.items ?? [])
  const mayStart = mayAnywhere(user.roleAssignments, 'exports:initiate')
  const mayDownload = mayAnywhere(user.roleAssignments, 'exports:download')
  const startButton = mayStart && (
    <button type="button" className="button primary" onClick={() => setDialog({ kind: 'new', like: null })}>
      <Plus />
      New export
    </button>
  )
  return (
    <>
      <TitleBlock
        title="Saved Exports"
        crumbs={[...trail, { label: 'Saved Exports' }]}
        facts={organization.name ?? undefined}
        actions={startButton}
      />
      <List
        noun="export"
        load={list}
        page={list.data}
        size={PAGE_SIZE}
        query={query}
        columns={EXPORT_COLUMNS}
        toolbar={{
          search: 'Export name',
          filters: exportFilters(organization.id),
          file: { name: 'exports', read: list.all }
        }}
        rows={{
          rowKey: ({ id }) => id,
          nameOf: ({ exportName }) => exportName,
          actions: (item) => actionsOf(item, { mayStart, mayDownload }, setDialog),
          sheet: true,
          sheetOnDesk: true
        }}
        empty={
          <Panel icon={FileDown} headingLevel={3} title="No exports yet" actions={startButton}>
            <p>An export writes the history of any number of points to a file, in the background.</p>
          </Panel>
        }
        foot={{
          note: storedDays !== null && <p className="muted">Files are kept for {count(storedDays, 'day')}.</p>
        }}
      />
      {dialog && (
        <ExportDialogs
          dialog={dialog}
          organizationId={organization.id}
          onClose={() => setDialog(null)}
          onReload={list.refetch}
        />
      )}
    </>
  )
}

function actionsOf(
  savedExport: Export,
  { mayStart, mayDownload }: { mayStart: boolean; mayDownload: boolean },
  onOpen: (dialog: OpenDialog) => void
): (MenuItem | false)[] {
  return [
    mayDownload && {
      label: 'Download',
      icon: <Download />,
      inline: true,
      disabledReason: savedExport.status === 'READY' ? null : downloadRefusal(savedExport),
      onSelect: () => onOpen({ kind: 'download', savedExport })
    },
    mayStart && { label: 'Run again', onSelect: () => onOpen({ kind: 'new', like: savedExport }) },
    mayStart &&
      isUnderWay(savedExport) && { label: 'Stop', onSelect: () => onOpen({ kind: 'stop', savedExport }) },
    mayStart && { label: 'Delete', tone: 'danger', onSelect: () => onOpen({ kind: 'delete', savedExport }) }
  ]
}

function downloadRefusal(savedExport: Export): string {
  if (isUnderWay(savedExport)) return 'The export is not finished'
  return savedExport.status === 'EXPIRED' ? 'The file has expired. Run the export again' : 'There is no file'
}
