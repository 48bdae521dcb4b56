import { type ReactNode, useCallback, useMemo } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { Device } from '#shared/answers/customers.ts'
import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useIsLive } from '../../../lib/live/live.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { chipsOf } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Updated } from '../../../ui/list/refresh-button.tsx'
import type { Chosen } from '../../../ui/list/selection/use-selection.ts'
import { useCustomer } from '../../sites/customers/customer.ts'
import { bandOf } from '../priorities/bands.ts'
import { AcknowledgeProgress } from './acknowledge-progress.tsx'
import { useAlarmActions } from './alarm-actions.ts'
import type { OpenDialog } from './alarm-dialogs.tsx'
import { AlarmSelection } from './alarm-selection.tsx'
import { allAlarms } from './api.ts'
import { type AlarmCells, alarmColumns, alarmTitle, besideDrawer } from './columns.tsx'
import { alarmFilters, rangeLabel, useClasses } from './filters.tsx'
import { NewAlarms } from './new-alarms.tsx'
import type { AlarmListState } from './use-alarm-list.ts'
import { pagingThrough } from './use-paused-updates.ts'

/** Maximum number of alarms that can be selected at once. */
const SELECTED_MAX = 5_000

interface AlarmTableProps extends Pick<AlarmCells, 'nameOf'> {
  alarms: AlarmListState
  device: Device | null
  manages: boolean
  chosen: Chosen<Alarm>
  onOpen: (dialog: OpenDialog) => void
  /** Whether the details of an alarm are open beside the table. */
  narrow: boolean
  empty: ReactNode
}

export function AlarmTable(props: AlarmTableProps) {
  const { alarms, device, manages, nameOf, chosen, onOpen, narrow, empty } = props
  const { query, list, shown, acks, filter, order, refresh } = alarms
  const { customerId, customerPath } = useCustomer()
  const { change, values } = query
  const { page } = values
  const openAlarm = useCallback(({ uuid }: Alarm) => change({ alarm: uuid, page }), [change, page])
  const withDevice = device === null
  const { ackOf } = acks
  const columns = useMemo(() => {
    const onAcknowledge = manages ? (alarm: Alarm) => onOpen({ kind: 'acknowledge', alarms: [alarm] }) : null
    const allColumns = alarmColumns({
      customerPathOf: () => customerPath,
      customerNameOf: null,
      nameOf,
      withDevice,
      ackOf,
      onOpen: openAlarm,
      onAcknowledge
    })
    return narrow ? besideDrawer(allColumns) : allColumns
  }, [customerPath, nameOf, withDevice, ackOf, openAlarm, manages, onOpen, narrow])
  const actionsOn = useAlarmActions<Alarm>()
  const actions = (alarm: Alarm) =>
    actionsOn(alarm, {
      manages,
      ack: ackOf(alarm),
      device: nameOf(alarm),
      customerPath,
      onOpen,
      onDetails: openAlarm
    })
  const filters = alarmFilters(withDevice ? customerId : null, useClasses(query, shown.items))
  const isFiltered = values.q !== '' || chipsOf(filters, query).length > 0
  return (
    <List
      noun="alarm"
      load={{ ...list, busy: false, reload: refresh }}
      page={list.data && { items: [...shown.items], page: list.data.page }}
      size={ALARM_LIST_SIZE}
      query={pagingThrough(query, shown)}
      firstOrder="desc"
      columns={columns}
      toolbar={{
        search: 'Source or message',
        filters,
        file: { name: 'alarms', read: (max, signal) => allAlarms(customerId, filter, order, max, signal) }
      }}
      rows={{
        rowKey: ({ uuid }) => uuid,
        nameOf: alarmTitle,
        recycles: true,
        actions,
        selection: manages ? { chosen } : undefined,
        cardMark: ({ priority }) => <span className={`priority stripe ${bandOf(priority)?.id ?? ''}`} />
      }}
      empty={empty}
      notices={
        <>
          {alarms.narrowed && (
            <p className="muted list-note">
              {rangeLabel(values)}.{' '}
              {alarms.older > 0 && (
                <button type="button" className="link-button" onClick={() => change({ range: 'all' })}>
                  {formatNumber(alarms.older)} older
                </button>
              )}
            </p>
          )}
          <NewAlarms fresh={shown.fresh} onShow={shown.show} />
        </>
      }
      foot={{
        selectionBar: manages && (
          <AlarmSelection
            rows={shown.items}
            total={list.data?.page.totalElements ?? 0}
            chosen={chosen}
            ackOf={ackOf}
            mayManage={() => manages}
            listName={JSON.stringify([customerId, filter])}
            readAll={(signal) => allAlarms(customerId, filter, order, SELECTED_MAX, signal)}
            onOpen={onOpen}
          />
        ),
        note: <AlarmListFoot alarms={alarms} isFiltered={isFiltered} />
      }}
    />
  )
}

function AlarmListFoot({ alarms, isFiltered }: { alarms: AlarmListState; isFiltered: boolean }) {
  const { query, list, shown, preset, progress, refreshing, setRefreshing } = alarms
  const page = list.data?.page
  const isLive = useIsLive()
  return (
    <>
      {page && page.totalPages * ALARM_LIST_SIZE < page.totalElements && (
        <p className="muted">Narrow the time or the filters to see the other alarms.</p>
      )}
      <AcknowledgeProgress
        progress={isFiltered ? null : progress}
        onShowLeft={preset === 'unacked' ? undefined : () => query.change({ show: 'unacked' })}
        moved={shown.moved}
        onShowMoved={shown.showMoved}
      />
      <div className="row alarm-updates">
        <Updated busy={list.busy} failed={list.error !== undefined} />
        <Checkbox
          kind="switch"
          label={isLive ? 'Live' : 'Refresh every 20 s'}
          checked={refreshing}
          onChange={setRefreshing}
        />
      </div>
    </>
  )
}
