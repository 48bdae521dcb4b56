import { useMemo } from 'react'
import { DEVICE_ORDER, unsearchableCharacters } from '#shared/devices.ts'
import { ORGANIZATION_LIST_SIZE } from '#shared/limits.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { pageNumber, useListQuery } from '../../../lib/use-list-query.ts'
import { List } from '../../../ui/list/list.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { CustomersRead, unreadCustomers } from '../customers/customers-read.tsx'
import { OrganizationLists } from '../customers/organization-lists.tsx'
import { NoDeviceMatches } from '../devices/no-match.tsx'
import { allDevices, FILE_ROWS_MAX, useOrganizationDevices } from './api.ts'
import { allDeviceColumns } from './columns.tsx'
import { FIRST_VIEW, SEARCHED, worklistFilters } from './filters.tsx'
import { NoRows } from './no-rows.tsx'
import { useListSetting } from './use-list-setting.ts'

/** The devices of all customers. */
export function AllDevices({ organizationId }: { organizationId: string }) {
  const organization = useOrganization()
  const setting = useListSetting()
  const trail = useTrail()
  const query = useListQuery({ ...FIRST_VIEW, ...DEVICE_ORDER })
  const { q, customerId, service, sort, order, page } = query.values
  const rowQuery = { q, customerId, service, sort, order }
  const load = useOrganizationDevices(organizationId, {
    ...rowQuery,
    page: pageNumber(page),
    size: ORGANIZATION_LIST_SIZE
  })
  const { data } = load
  const columns = useMemo(() => allDeviceColumns(setting), [setting])
  const missing = data && unreadCustomers({ of: data.customers.of, partial: data.partial }, customerId)

  return (
    <>
      <TitleBlock
        title="Devices"
        crumbs={[...trail, { label: 'Devices' }]}
        facts={[organization.name, 'all customers'].filter(Boolean).join(' · ')}
      />
      <OrganizationLists current="devices" />
      <List
        noun="customer device"
        label="Devices of all customers"
        className="worklist"
        query={query}
        load={load}
        page={data}
        size={ORGANIZATION_LIST_SIZE}
        columns={columns}
        toolbar={{
          search: SEARCHED,
          filters: worklistFilters('devices', organizationId),
          file: {
            name: 'devices',
            read: (max, signal) => allDevices(organizationId, rowQuery, max, signal),
            max: FILE_ROWS_MAX
          }
        }}
        rows={{
          caption: 'Devices of all customers',
          rowKey: ({ deviceUuid }) => deviceUuid,
          nameOf: ({ deviceName }) => deviceName,
          sheet: true
        }}
        empty={<NoRows title="No devices yet" missing={missing} />}
        noMatch={
          unsearchableCharacters(q).length > 0 ? (
            <NoDeviceMatches
              title={`No customer devices match “${q}”`}
              keyword={q}
              onSearch={(text) => query.change({ q: text })}
            />
          ) : undefined
        }
        missing={missing}
        foot={{
          note: data && <CustomersRead readAt={data.readAt} of={data.customers.of} partial={data.partial} />
        }}
      />
    </>
  )
}
