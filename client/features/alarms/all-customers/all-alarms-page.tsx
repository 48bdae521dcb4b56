import '../alarms/style.css'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { AlarmOfCustomer, OrganizationAlarms } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import { mayAnywhere } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { chipsOf } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { useSelection } from '../../../ui/list/selection/use-selection.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useOrganization } from '../../people/session/integrator.ts'
import { useSession } from '../../people/session/session.ts'
import { useTrail } from '../../people/session/use-trail.ts'
import { CustomerContext, useLoadedCustomer } from '../../sites/customers/customer.ts'
import { AcknowledgeProgress, useProgress } from '../alarms/acknowledge-progress.tsx'
import { PRESETS, type Preset } from '../alarms/alarm.ts'
import { useAlarmActions } from '../alarms/alarm-actions.ts'
import { useAcknowledgements } from '../alarms/alarm-commands.ts'
import { AlarmDialogs, type OpenDialog } from '../alarms/alarm-dialogs.tsx'
import { AlarmDrawer } from '../alarms/alarm-drawer.tsx'
import { AlarmSelection } from '../alarms/alarm-selection.tsx'
import { alarmTitle } from '../alarms/columns.tsx'
import { NewAlarms } from '../alarms/new-alarms.tsx'
import { Presets } from '../alarms/presets.tsx'
import { pagingThrough, usePausedUpdates } from '../alarms/use-paused-updates.ts'
import { NotifyButton } from '../desktop-notifications/notify-button.tsx'
import { bandOf } from '../priorities/bands.ts'
import { AllAlarmsFoot, PER_CUSTOMER_MAX } from './all-alarms-foot.tsx'
import { allOrganizationAlarms, useOrganizationAlarms } from './api.ts'
import { allAlarmsColumns } from './columns.tsx'
import { ALL_PRESETS, allAlarmsFilters, FIRST_VIEW, presetOf, queryOf } from './filters.tsx'

/** The readings of 1,000 customers, 100 alarms each, are the most that there can be. */
const ALARMS_MAX = 100_000

export default function AllAlarmsPage() {
  const organization = useOrganization()
  const trail = useTrail()
  return (
    <>
      <TitleBlock
        title="Alarms"
        crumbs={[...trail, { label: 'Alarms' }]}
        facts={[organization.name, 'all customers'].filter(Boolean).join(' · ')}
        actions={<NotifyButton />}
      />
      {organization.id !== null && <AllAlarms organizationId={organization.id} />}
    </>
  )
}

const customerIdOf = ({ customer }: AlarmOfCustomer) => customer.id

function AllAlarms({ organizationId }: { organizationId: string }) {
  const session = useSession()
  const query = useListQuery(FIRST_VIEW)
  const { values, change } = query
  const listQuery = queryOf(values)
  const list = useOrganizationAlarms(calls.organizationAlarms(organizationId, listQuery))
  // The first alarms of a customer are not news: they join the rows as soon as they are read.
  const viewName = JSON.stringify([listQuery, list.data?.totals.length])
  const shown = usePausedUpdates(viewName, list.data?.items, list.current, session.nowMs)
  const preset = presetOf(values)
  // Alarms leave these lists only when they are acknowledged.
  const endsWithAck = preset !== 'active' && values.state === ''
  const { ackOf, send } = useAcknowledgements(customerIdOf, list.reload, endsWithAck ? shown.gone : undefined)
  const { counts, atLeast } = presetCountsOf(list.data)
  const progress = useProgress(`${organizationId} ${list.data?.totals.length}`, counts.unacked, list.current)
  const chosen = useSelection<AlarmOfCustomer>(({ uuid }) => uuid)
  const [dialog, setDialog] = useState<OpenDialog<AlarmOfCustomer> | null>(null)
  const integratorId = isGlobalAdmin(session) ? organizationId : undefined
  const customerPathOf = useCallback(
    ({ customer }: Pick<AlarmOfCustomer, 'customer'>) => paths.customer(customer.id, integratorId),
    [integratorId]
  )
  const mayManage = useCallback(
    ({ customer }: AlarmOfCustomer) => session.can('alarms:manage', customer.scope),
    [session]
  )
  const { page } = values
  const openAlarm = useCallback(({ uuid }: AlarmOfCustomer) => change({ alarm: uuid, page }), [change, page])
  const index = shown.items.findIndex(({ uuid }) => uuid === values.alarm)
  const opened = values.alarm ? (shown.items[index] ?? null) : null
  const isNarrow = opened !== null
  const columns = useMemo(
    () =>
      allAlarmsColumns(isNarrow, {
        customerPathOf,
        ackOf,
        onOpen: openAlarm,
        onAcknowledge: (alarm) => setDialog({ kind: 'acknowledge', alarms: [alarm] })
      }),
    [isNarrow, customerPathOf, ackOf, openAlarm]
  )
  const navigate = useNavigate()
  const actionsOn = useAlarmActions<AlarmOfCustomer>()
  const actions = (alarm: AlarmOfCustomer): (MenuItem | false)[] => {
    const customerPath = customerPathOf(alarm)
    return [
      ...actionsOn(alarm, {
        manages: mayManage(alarm),
        ack: ackOf(alarm),
        device: alarm.device,
        customerPath,
        onOpen: setDialog,
        onDetails: openAlarm
      }),
      { label: 'Alarms of this customer', onSelect: () => void navigate(paths.alarms(customerPath)) }
    ]
  }
  // A person who may not manage any alarm has no use for a selection.
  const managesAny = mayAnywhere(session.user.roleAssignments, 'alarms:manage')
  const filters = useMemo(() => allAlarmsFilters(organizationId), [organizationId])
  const isFiltered = values.q !== '' || chipsOf(filters, query).length > 0

  if (list.error !== undefined && list.data === undefined)
    return <ErrorPanel error={list.error} busy={list.busy} reload={list.reload} />
  return (
    <div className={opened ? 'alarms with-drawer' : 'alarms'}>
      <div>
        <Presets
          presets={ALL_PRESETS}
          chosen={preset}
          counts={counts}
          atLeast={atLeast}
          rangeOf={() => 'any time'}
          onChoose={(show) => change({ show })}
        />
        <List
          noun="alarm"
          load={list}
          page={list.data && { items: [...shown.items], page: list.data.page }}
          size={ALARM_LIST_SIZE}
          query={pagingThrough(query, shown)}
          firstOrder="desc"
          columns={columns}
          toolbar={{
            search: 'Source, message or customer',
            filters,
            file: {
              name: 'alarms of all customers',
              read: (max, signal) => allOrganizationAlarms(organizationId, listQuery, max, signal)
            }
          }}
          rows={{
            rowKey: ({ uuid }) => uuid,
            nameOf: alarmTitle,
            recycles: true,
            actions,
            selection: managesAny ? { chosen } : undefined,
            cardMark: ({ priority }) => <span className={`priority stripe ${bandOf(priority)?.id ?? ''}`} />
          }}
          empty={<NoAlarms preset={preset} data={list.data} />}
          notices={<NewAlarms fresh={shown.fresh} onShow={shown.show} />}
          foot={{
            selectionBar: managesAny && (
              <AlarmSelection
                rows={shown.items}
                total={list.data?.page.totalElements ?? 0}
                chosen={chosen}
                ackOf={ackOf}
                mayManage={mayManage}
                listName={calls.organizationAlarms(organizationId, { ...listQuery, page: null })}
                readAll={(signal) => allOrganizationAlarms(organizationId, listQuery, ALARMS_MAX, signal)}
                onOpen={setDialog}
              />
            ),
            note: list.data && (
              <>
                <AllAlarmsFoot data={list.data} customerPathOf={customerPathOf} />
                <AcknowledgeProgress
                  progress={isFiltered ? null : progress}
                  onShowLeft={preset === 'unacked' ? undefined : () => change({ show: 'unacked' })}
                  moved={shown.moved}
                  onShowMoved={shown.showMoved}
                />
              </>
            )
          }}
        />
      </div>
      {opened && (
        <CustomerOfAlarm alarm={opened} integratorId={integratorId}>
          <AlarmDrawer
            key={opened.uuid}
            alarm={opened}
            device={opened.device}
            customerPath={customerPathOf(opened)}
            ack={ackOf(opened)}
            manages={mayManage(opened)}
            onMove={(step) => {
              const next = shown.items[index + step]
              if (next) openAlarm(next)
            }}
            onAct={({ kind }) => setDialog({ kind, alarms: [opened] })}
            onClose={() => change({ alarm: '', page })}
          />
        </CustomerOfAlarm>
      )}
      {dialog && (
        <AlarmDialogs
          dialog={dialog}
          nameOf={({ device }) => device}
          customerIdOf={customerIdOf}
          onSend={send}
          onClose={() => setDialog(null)}
          onDone={(done) => {
            chosen.drop(done.map(({ uuid }) => uuid))
            list.reload()
          }}
        />
      )}
    </div>
  )
}

interface CustomerOfAlarmProps {
  alarm: AlarmOfCustomer
  integratorId: string | undefined
  children: ReactNode
}

/** Gives the details of an alarm the customer that they belong to. */
function CustomerOfAlarm({ alarm, integratorId, children }: CustomerOfAlarmProps) {
  const customer = useLoadedCustomer(alarm.customer.id, integratorId)
  return <CustomerContext value={customer}>{children}</CustomerContext>
}

/** The number of alarms of each preset, without filters. `atLeast` is a preset of which there may be more. */
function presetCountsOf(data: OrganizationAlarms | undefined) {
  if (!data || data.totals.length === 0) return { counts: {} }
  const sumOf = (countOf: (total: OrganizationAlarms['totals'][number]) => number) =>
    data.totals.reduce((sum, total) => sum + countOf(total), 0)
  const isCut = data.totals.some(({ active }) => active > PER_CUSTOMER_MAX)
  return {
    counts: {
      action: sumOf((total) => total.count),
      active: sumOf(({ active }) => active),
      unacked: sumOf(({ unacked }) => unacked)
    },
    atLeast: isCut ? ('unacked' as const) : undefined
  }
}

interface NoAlarmsProps {
  preset: Preset
  data: OrganizationAlarms | undefined
}

function NoAlarms({ preset, data }: NoAlarmsProps) {
  const isReading = (data?.partial.length ?? 0) > 0
  const title =
    preset === 'action' ? 'No alarms need action' : `No alarms: ${PRESETS[preset].label.toLowerCase()}`
  return (
    <Panel
      icon={isReading ? Hourglass : CircleCheck}
      headingLevel={3}
      title={isReading ? `${title} so far` : title}
    >
      {isReading && <p>The alarms of {count(data?.partial.length ?? 0, 'customer')} are still being read.</p>}
    </Panel>
  )
}
