import type { Export } from '#shared/answers/files.ts'
import './style.css'
import Building from 'lucide-react/icons/building-2'
import Download from 'lucide-react/icons/download'
import FileDown from 'lucide-react/icons/file-down'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { type Action, mayAnywhere } from '#shared/permissions.ts'
import { customerScope, organizationScope } from '#shared/scopes.ts'
import { count } from '../../../lib/format.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useAllCustomers } from '../../sites/customers/api.ts'
import { CustomerChoice } from '../../sites/customers/customer-choice.tsx'
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
  const { seesAll, customers, startCustomers, may, load: customersLoad } = useExportCustomers(organization.id)
  const { q, status, owner } = query.values
  const onlyCustomer = customers?.length === 1 ? customers[0] : undefined
  const customerId = query.values.customerId || (onlyCustomer?.id ?? '')
  const createdBy = owner === 'me' ? user.fullName : ''
  const filter = { customerId, status, createdBy, keyword: q }
  const list = useExports(seesAll ? organization.id : null, filter, query.values, PAGE_SIZE)
  useListedExports(list)
  const needsCustomer = customers !== null && customerId === ''
  const storedDays = keptDays(list.data?.items ?? [])
  // The button is visible while the customers load, so that the page does not shift.
  const mayStart = startCustomers
    ? startCustomers.length > 0
    : mayAnywhere(user.roleAssignments, 'exports:initiate')
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
      {needsCustomer ? (
        <Panel
          icon={Building}
          title="Choose a customer"
          actions={
            <CustomerChoice
              organizationId={organization.id}
              among={customers}
              chosen={null}
              placeholder="Choose a customer"
              onChoose={(customer) =>
                query.change({ customerId: customer?.id ?? '', customerName: customer?.name ?? '' })
              }
            />
          }
        >
          <p>Your roles are at single customers. Choose one to see its exports.</p>
        </Panel>
      ) : (
        <List
          noun="export"
          load={seesAll || customerId ? list : customersLoad}
          page={list.data}
          size={PAGE_SIZE}
          query={query}
          columns={EXPORT_COLUMNS}
          toolbar={{
            search: 'Export name',
            filters: exportFilters(organization.id, seesAll ? null : (customers ?? [])),
            file: { name: 'exports', read: list.all }
          }}
          rows={{
            rowKey: ({ id }) => id,
            nameOf: ({ exportName }) => exportName,
            actions: (item) => actionsOf(item, may, setDialog),
            sheet: true,
            sheetOnDesk: true
          }}
          empty={
            <Panel icon={FileDown} headingLevel={3} title="No exports yet" actions={startButton}>
              <p>An export writes the history of any number of points to a file, in the background.</p>
            </Panel>
          }
          foot={{
            note: storedDays !== null && (
              <p className="muted">Files are kept for {count(storedDays, 'day')}.</p>
            )
          }}
        />
      )}
      {dialog && (
        <ExportDialogs
          dialog={dialog}
          organizationId={organization.id}
          customers={startCustomers}
          onClose={() => setDialog(null)}
          onReload={list.refetch}
        />
      )}
    </>
  )
}

type May = (action: Action, customerId: string) => boolean

/** The rights of a person who may see the exports of the whole organization, or only of some of its customers. */
function useExportCustomers(organizationId: string | null) {
  const session = useSession()
  const { can } = session
  const { only } = session.customers
  const seesAll = organizationId !== null && can('exports:view', organizationScope(organizationId))
  const load = useAllCustomers(seesAll || only ? null : organizationId)
  const cards = only ? [{ id: only.id, name: only.orgName, scope: only.scope }] : load.data
  const customersWith = (action: Action) =>
    seesAll || !cards ? null : cards.filter(({ scope }) => can(action, scope))
  const may: May = (action, customerId) => {
    const scope = seesAll
      ? customerScope(organizationId, customerId)
      : cards?.find(({ id }) => id === customerId)?.scope
    return scope !== undefined && can(action, scope)
  }
  return {
    seesAll,
    load,
    may,
    /** Null for all customers of the organization, and while the customers load. */
    customers: customersWith('exports:view'),
    startCustomers: customersWith('exports:initiate')
  }
}

function actionsOf(
  savedExport: Export,
  may: May,
  onOpen: (dialog: OpenDialog) => void
): (MenuItem | false)[] {
  const mayStart = may('exports:initiate', savedExport.customerId)
  return [
    may('exports:download', savedExport.customerId) && {
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
