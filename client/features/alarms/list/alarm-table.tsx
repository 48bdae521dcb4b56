import { useCallback, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { sortsOf } from '../../../ui/list/columns/column.ts'
import { chipsOf, Filters, HeldFilters } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { ListExport } from '../../../ui/list/list-export.tsx'
import { RefreshButton } from '../../../ui/list/refresh-button.tsx'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import type { Chosen } from '../../../ui/list/selection/use-selection.ts'
import { Updated } from '../../../ui/list/updated.tsx'
import { type Alarm, bandOf, isOpen } from '../alarm.ts'
import type { OpenDialog } from '../alarm-dialogs.tsx'
import { historyAround } from '../alarm-history.ts'
import { allAlarms } from '../api.ts'
import { AlarmSwitches, useAlarmSound } from './alarm-switches.tsx'
import { type AlarmCells, alarmColumns, alarmTitle, besideDrawer } from './columns.tsx'
import { alarmFilters, chipFilters, FIRST_VIEW, useClasses } from './filters.tsx'
import { NoAlarms } from './no-alarms.tsx'
import { type AlarmListState, PAGE_SIZE } from './use-alarm-list.ts'

interface AlarmTableProps extends Pick<AlarmCells, 'customerPath' | 'nameOf'> {
  alarms: AlarmListState
  customerId: string
  /** Only this device's. */
  device: Device | null
  manages: boolean
  chosen: Chosen<Alarm>
  onOpen: (dialog: OpenDialog) => void
  /** Details of one stand beside it. */
  narrow: boolean
}

export function AlarmTable(props: AlarmTableProps) {
  const { alarms, customerId, customerPath, device, manages, nameOf, chosen, onOpen, narrow } = props
  const { query, list, shown, acks, filter, order, refresh } = alarms
  const view = query.values
  const { change } = query
  const { page } = view
  const open = useCallback(({ uuid }: Alarm) => change({ alarm: uuid, page }), [change, page])
  const withDevice = device === null
  const { ackOf } = acks
  const columns = useMemo(() => {
    const acknowledge = (alarm: Alarm) => onOpen({ kind: 'acknowledge', alarms: [alarm] })
    const onAcknowledge = manages ? acknowledge : null
    return alarmColumns({ customerPath, nameOf, withDevice, ackOf, onOpen: open, onAcknowledge })
  }, [customerPath, nameOf, withDevice, ackOf, open, manages, onOpen])
  const shownColumns = useMemo(() => (narrow ? besideDrawer(columns) : columns), [narrow, columns])
  const navigate = useNavigate()
  const classes = useClasses(query, shown.items)
  const withChips = chipFilters(classes)
  const small = useLayout() === 'mobile'
  const sound = useAlarmSound(shown.fresh)
  const switches = <AlarmSwitches {...refresh} sound={sound} />
  const age = <Updated busy={list.busy} failed={list.error !== undefined} />
  return (
    <List
      id="alarms"
      label="Alarms"
      many="alarms"
      load={list}
      page={list.data && { items: [...shown.items], page: list.data.page }}
      size={PAGE_SIZE}
      query={query}
      first="desc"
      columns={shownColumns}
      rowKey={({ uuid }) => uuid}
      nameOf={alarmTitle}
      recycles
      actions={(alarm) => actionsOf(alarm, props, { open, follow: (to) => void navigate(to) })}
      {...(manages ? { selection: { chosen } } : {})}
      mark={({ priority }) => <span className={`priority stripe ${bandOf(priority)?.id ?? ''}`} />}
      toolbar={
        <>
          <SearchField label="Source or message" value={view.q} onSearch={(q) => query.change({ q })} />
          <Filters
            query={query}
            defaults={FIRST_VIEW}
            filters={alarmFilters(customerId, device === null, classes)}
            sorts={sortsOf(columns)}
            settings={switches}
          />
          <div className="toolbar-end">
            {!small && age}
            {!small && switches}
            <RefreshButton busy={false} onRefresh={refresh.onRefresh} />
            <ListExport
              file="alarms"
              nouns={['alarm', 'alarms']}
              total={list.data?.page.totalElements ?? null}
              columns={columns}
              read={(max, signal) => allAlarms(customerId, filter, order, max, signal)}
            />
          </div>
        </>
      }
      chips={
        <>
          {alarms.narrowed && (
            <p className="list-note">
              {alarms.narrowed}.{' '}
              {alarms.older > 0 && (
                <button type="button" className="link-button" onClick={() => change({ range: 'all' })}>
                  {formatNumber(alarms.older)} older
                </button>
              )}
            </p>
          )}
          {chipsOf(withChips, query).length > 1 && (
            <p className="list-note">Alarms that match all of these:</p>
          )}
          <HeldFilters query={query} filters={withChips} />
        </>
      }
      empty={
        <NoAlarms
          preset={alarms.preset}
          filtered={[view.q, view.states, view.classes, view.band, view.device, view.project].some(Boolean)}
          device={device}
          nowMs={alarms.openedMs}
          onClear={() => query.clear('q', 'states', 'classes', 'band', 'device', 'project')}
          onWiden={view.range === 'all' ? null : () => query.change({ range: 'all' })}
        />
      }
      foot={
        <>
          {list.data && list.data.page.totalPages * PAGE_SIZE < list.data.page.totalElements && (
            <p className="muted">Narrow the time or the filters to see the others.</p>
          )}
          {small && age}
        </>
      }
      above={
        <div role="status">
          {shown.fresh > 0 && (
            <button type="button" className="button fresh-pill" onClick={shown.show}>
              Show {count(shown.fresh, 'new alarm')}
            </button>
          )}
        </div>
      }
      bar={manages && <AlarmSelection {...props} />}
    />
  )
}

/** What can be done with all that is ticked. */
function AlarmSelection({ alarms: { shown, acks }, chosen, onOpen }: AlarmTableProps) {
  const known = new Map(shown.items.map((alarm) => [alarm.uuid, alarm]))
  const selected = chosen.rows.map((alarm) => known.get(alarm.uuid) ?? alarm)
  const open = selected.filter((alarm) => isOpen(alarm) && acks.ackOf(alarm) !== 'ackPending')
  return (
    <SelectionBar noun="alarm" selection={chosen} note={`, ${open.length} can be acknowledged`}>
      <button
        type="button"
        className="button primary"
        aria-disabled={open.length === 0}
        onClick={() => open.length > 0 && onOpen({ kind: 'acknowledge', alarms: open })}
      >
        Acknowledge {open.length || ''}
      </button>
      <button type="button" className="button" onClick={() => onOpen({ kind: 'note', alarms: selected })}>
        Add note
      </button>
    </SelectionBar>
  )
}

interface Ways {
  open: (alarm: Alarm) => void
  follow: (address: string) => void
}

function actionsOf(alarm: Alarm, props: AlarmTableProps, { open, follow }: Ways): MenuItem[] {
  const { manages, alarms, nameOf, customerPath, onOpen } = props
  const device = nameOf(alarm)
  const items: MenuItem[] = [
    { label: 'Details', onSelect: () => open(alarm) },
    {
      label: 'Open history',
      disabledReason: device ? null : 'The device is not known',
      onSelect: () => device && follow(historyAround(alarm, customerPath, device.deviceUuid))
    }
  ]
  if (!manages) return items
  const ack = alarms.acks.ackOf(alarm)
  const reason = ack === 'ackPending' ? 'Waiting for the device' : isOpen(alarm) ? null : 'It is acknowledged'
  return [
    {
      label: ack === 'unconfirmed' ? 'Acknowledge again' : 'Acknowledge',
      disabledReason: reason,
      onSelect: () => onOpen({ kind: 'acknowledge', alarms: [alarm] })
    },
    { label: 'Add note', onSelect: () => onOpen({ kind: 'note', alarms: [alarm] }) },
    ...items
  ]
}
