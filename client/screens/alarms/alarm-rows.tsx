import { useNavigate } from 'react-router-dom'
import type { DeviceName } from '../../api/device-names.ts'
import { AlarmState } from '../../components/alarm-state.tsx'
import { CardList } from '../../components/card-list.tsx'
import { ColumnTable } from '../../components/column-table.tsx'
import { Checkbox } from '../../components/field.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { CardActions } from '../../components/row-actions.tsx'
import { type Alarm, bandOf, isOpen, type ShownAck } from '../../lib/alarms.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { paths } from '../../paths.ts'
import { alarmColumns, HIDDEN_COLUMNS, Priority, titleOf } from './alarm-columns.tsx'
import type { OpenDialog } from './alarm-dialogs.tsx'
import { historyAround } from './alarm-history.ts'
import type { AlarmQuery } from './alarm-view.ts'

interface AlarmRowsProps {
  rows: readonly Alarm[]
  total: number
  busy: boolean
  query: AlarmQuery
  customerPath: string
  withDevice: boolean
  nameOf: (alarm: Alarm) => DeviceName | null
  ackOf: (alarm: Alarm) => ShownAck
  manages: boolean
  chosen: ReadonlyMap<string, Alarm>
  onChosen: (chosen: ReadonlyMap<string, Alarm>) => void
  onOpen: (dialog: OpenDialog) => void
}

export function AlarmRows(props: AlarmRowsProps) {
  const { rows, total, busy, query, customerPath, withDevice, nameOf, ackOf, manages, chosen, onChosen } =
    props
  const { sort, order, page } = query.values
  const navigate = useNavigate()
  const follow = (address: string) => void navigate(address)
  const open = (alarm: Alarm) => query.change({ alarm: alarm.uuid, page })
  const source = (alarm: Alarm) => (
    <button type="button" className="link-button source" onClick={() => open(alarm)}>
      {alarm.sourceName}
    </button>
  )
  const device = (alarm: Alarm) => {
    const name = nameOf(alarm)
    if (!name) return <span className="muted">{alarm.deviceId}</span>
    return (
      <span className="stacked">
        <PrefetchLink to={paths.device(customerPath, name.deviceUuid)}>{name.deviceName}</PrefetchLink>
        <span className="muted">{name.projectName}</span>
      </span>
    )
  }
  if (useLayout() === 'mobile') {
    return (
      <CardList
        label="Alarms"
        level={2}
        rows={rows}
        rowKey={({ uuid }) => uuid}
        nameOf={titleOf}
        heading={source}
        lead={(alarm) => (
          <>
            <span className={`priority stripe ${bandOf(alarm.priority)?.id ?? ''}`} />
            {manages && (
              <Checkbox
                label={<span className="sr-only">Select {titleOf(alarm)}</span>}
                checked={chosen.has(alarm.uuid)}
                onChange={(on) => {
                  const next = new Map(chosen)
                  if (on) next.set(alarm.uuid, alarm)
                  else next.delete(alarm.uuid)
                  onChosen(next)
                }}
              />
            )}
          </>
        )}
        facts={(alarm) => [
          { name: 'State', value: <AlarmState alarm={alarm} ack={ackOf(alarm)} /> },
          { name: 'Message', value: alarm.messageText },
          { name: 'Time', value: <Moment iso={alarm.timestamp} /> }
        ]}
        more={(alarm) => [
          { name: 'Priority', value: <Priority alarm={alarm} /> },
          ...(withDevice ? [{ name: 'Device', value: device(alarm) }] : []),
          { name: 'Class', value: alarm.alarmClass }
        ]}
        actions={(alarm) => <CardActions items={actionsOf(alarm, props, { open, follow })} />}
      />
    )
  }
  const columns = alarmColumns({
    source,
    device: withDevice ? device : null,
    actions: (alarm) => actionsOf(alarm, props, { open, follow }),
    ackOf
  })
  return (
    <ColumnTable
      list="alarms"
      hidden={HIDDEN_COLUMNS}
      caption="Alarms"
      columns={columns}
      rows={rows}
      rowKey={({ uuid }) => uuid}
      recycles
      sort={sort}
      order={order === 'asc' ? 'asc' : 'desc'}
      onSort={(column) =>
        query.change({ sort: column, order: sort === column && order === 'desc' ? 'asc' : 'desc' })
      }
      busy={busy}
      status={`${rows.length} of ${formatNumber(total)} alarms`}
      {...(manages
        ? {
            selection: {
              keys: new Set(chosen.keys()),
              nameOf: titleOf,
              onChange: (keys: ReadonlySet<string>) =>
                onChosen(
                  new Map(
                    [...chosen.values(), ...rows]
                      .filter(({ uuid }) => keys.has(uuid))
                      .map((alarm) => [alarm.uuid, alarm])
                  )
                )
            }
          }
        : {})}
    />
  )
}

interface Ways {
  open: (alarm: Alarm) => void
  follow: (address: string) => void
}

function actionsOf(alarm: Alarm, props: AlarmRowsProps, { open, follow }: Ways): MenuItem[] {
  const { manages, ackOf, nameOf, customerPath, onOpen } = props
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
  const ack = ackOf(alarm)
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
