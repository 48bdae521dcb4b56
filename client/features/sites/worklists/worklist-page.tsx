import { useMemo } from 'react'
import { useParams } from 'react-router-dom'
import type { Worklists } from '#shared/answers/worklists.ts'
import { END_SORT, USAGE_SORT } from '#shared/devices.ts'
import { ORGANIZATION_LIST_SIZE } from '#shared/limits.ts'
import { WORKLIST_NAMES, WORKLISTS, type WorklistName } from '#shared/worklists.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { devicesAreSaved, NO_CUSTOMERS } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { pageNumber, useListQuery } from '../../../lib/use-list-query.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { List } from '../../../ui/list/list.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { CustomersRead, customerCount, unreadCustomers } from '../customers/customers-read.tsx'
import { maySeeWorklist, OrganizationLists } from '../customers/organization-lists.tsx'
import { type DeviceView, FIRST_VIEW as FIRST_DEVICE_VIEW, writeView } from '../devices/device-view.ts'
import { AllDevices } from './all-devices.tsx'
import { allRows, FILE_ROWS_MAX, useWorklist } from './api.ts'
import { backupColumns, type ListSetting, planColumns, serviceColumns } from './columns.tsx'
import { FIRST_VIEW, SEARCHED, type WorklistView, worklistFilters } from './filters.tsx'
import { NoRows } from './no-rows.tsx'
import { useListSetting } from './use-list-setting.ts'

type RowOf<Name extends WorklistName> = Worklists[Name]['items'][number]

interface ListTexts<Name extends WorklistName> {
  title: string
  noun: string
  /** The title of the list when it is empty. */
  none: string
  columns: (setting: ListSetting) => ListColumn<RowOf<Name>>[]
  rowKey: (row: RowOf<Name>) => string
  /** The number of devices as on the start page, if the filters are those of a count and a customer is read. */
  counted: (list: Worklists[Name], view: WorklistView) => string | null
  /** The page of the customer that shows all rows that the filters match; null if none does. */
  ofCustomer: (customerPath: string, view: WorklistView) => string | null
}

const LISTS: { readonly [Name in WorklistName]: ListTexts<Name> } = {
  services: {
    title: 'Services',
    noun: 'service',
    none: 'No service has ended or ends within 90 days',
    columns: serviceColumns,
    rowKey: ({ device, service }) => `${device.deviceUuid} ${service}`,
    // A device may have several services.
    counted: ({ totals }, view) => {
      const { days, service, q, customerId } = view
      if ((days !== '0' && days !== '30') || service !== '' || q.trim() !== '') return null
      const own = totals.filter(({ customer }) => customerId === '' || customer.id === customerId)
      if (own.length === 0) return null
      return count(
        own.reduce((sum, total) => sum + total[days === '0' ? 'ended' : 'ending'], 0),
        'device'
      )
    },
    ofCustomer(path, { days, service }) {
      if (days === '0' || days === '30') return devicesAt(path, { expires: days, service })
      // Without an end, the devices of a service are those where it is active.
      return devicesAt(path, { service: days === '' ? '' : service, sort: END_SORT })
    }
  },
  plans: {
    title: 'Plans',
    noun: 'plan',
    none: 'No plan is near or over its limit',
    columns: planColumns,
    rowKey: ({ device }) => device.deviceUuid,
    counted: () => null,
    ofCustomer: (path, { level }) =>
      level === '' ? null : devicesAt(path, { plan: level, sort: USAGE_SORT, order: 'desc' })
  },
  backups: {
    title: 'Backups',
    noun: 'missing backup',
    none: devicesAreSaved(),
    columns: backupColumns,
    rowKey: ({ device }) => device.deviceUuid,
    counted: () => null,
    ofCustomer: (path) => `${paths.savedBackups(path)}?missing=yes`
  }
}

const devicesAt = (customerPath: string, view: Partial<DeviceView>) =>
  `${customerPath}?${writeView({ ...FIRST_DEVICE_VIEW, ...view })}`

/** A list over all customers: the rows behind the counts of the start page, or all devices. */
export default function WorklistPage() {
  const { list } = useParams()
  const { id } = useOrganization()
  const session = useSession()
  const name = WORKLIST_NAMES.find((known) => known === list)
  if (id !== null && list === 'devices') return <AllDevices organizationId={id} />
  if (id === null || name === undefined) return <NotFound />
  if (!maySeeWorklist(session, name)) return <NotIncluded name={name} />
  return <WorklistOf key={name} name={name} organizationId={id} />
}

function NotIncluded({ name }: { name: WorklistName }) {
  const { title } = LISTS[name]
  const trail = useTrail()
  return (
    <>
      <TitleBlock title={title} crumbs={[...trail, { label: title }]} />
      <OrganizationLists current={name} />
      <Notice tone="warn">Your role does not include the {title.toLowerCase()} of any customer.</Notice>
    </>
  )
}

function WorklistOf<Name extends WorklistName>({
  name,
  organizationId
}: {
  name: Name
  organizationId: string
}) {
  const texts: ListTexts<Name> = LISTS[name]
  const organization = useOrganization()
  const setting = useListSetting()
  const trail = useTrail()
  const query = useListQuery<WorklistView>({ ...FIRST_VIEW, ...WORKLISTS[name].order })
  const { values } = query
  const { q, customerId, service, days, level, sort, order } = values
  const rowQuery = { q, customerId, service, days, level, sort, order }
  const load = useWorklist(organizationId, name, {
    ...rowQuery,
    page: pageNumber(values.page),
    size: ORGANIZATION_LIST_SIZE
  })
  const { data } = load
  const columns = useMemo(() => texts.columns(setting), [texts, setting])
  const customers = data && { of: customerCount(data), partial: data.partial }
  const missing = customers && unreadCustomers(customers, customerId)
  const ofChosen = customerId ? texts.ofCustomer(setting.customerPathOf({ id: customerId }), values) : null
  const longer = data?.totals.filter(({ more }) => more > 0) ?? []

  return (
    <>
      <TitleBlock
        title={texts.title}
        crumbs={[...trail, { label: texts.title }]}
        facts={[
          organization.name,
          customerId ? values.customerName || null : 'all customers',
          data && texts.counted(data, values)
        ]
          .filter(Boolean)
          .join(' · ')}
      />
      <OrganizationLists current={name} />
      <List
        noun={texts.noun}
        label={texts.title}
        className="worklist"
        query={query}
        load={load}
        page={data}
        size={ORGANIZATION_LIST_SIZE}
        columns={columns}
        head={
          ofChosen && (
            <PrefetchLink to={ofChosen}>Show at {values.customerName || 'the customer'}</PrefetchLink>
          )
        }
        toolbar={{
          search: SEARCHED,
          filters: worklistFilters(name, organizationId),
          fieldsMax: 3,
          file: {
            name: texts.title.toLowerCase(),
            read: (max, signal) => allRows<RowOf<Name>>(organizationId, name, rowQuery, max, signal),
            max: FILE_ROWS_MAX
          }
        }}
        rows={{
          caption: `${texts.title} of all customers`,
          rowKey: texts.rowKey,
          nameOf: ({ device }) => device.deviceName,
          sheet: true
        }}
        empty={<NoRows title={customers?.of === 0 ? NO_CUSTOMERS : texts.none} missing={missing} />}
        missing={missing}
        foot={{
          note: data && customers && (
            <CustomersRead
              {...customers}
              readAt={data.readAt}
              longer={longer.map(({ customer, more }) => ({
                customer,
                more: `${formatNumber(more)} more`,
                to: texts.ofCustomer(setting.customerPathOf(customer), values)
              }))}
            />
          )
        }}
      />
    </>
  )
}
