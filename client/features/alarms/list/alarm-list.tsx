import '../../../ui/list/records.css'
import '../style.css'
import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { useSelection } from '../../../ui/list/selection/use-selection.ts'
import { Notice } from '../../../ui/state/notice.tsx'
import { useSession } from '../../session/session.ts'
import type { Alarm } from '../alarm.ts'
import { AlarmDialogs, type OpenDialog } from '../alarm-dialogs.tsx'
import { AlarmDrawer } from '../alarm-drawer.tsx'
import { AlarmTable } from './alarm-table.tsx'
import { PresetBar } from './preset-bar.tsx'
import { useAlarmList, useDeviceOfAlarm } from './use-alarm-list.ts'

interface AlarmListProps {
  customerId: string
  customerPath: string
  /** The customer's; null while not known. */
  scope: string | null
  /** Only this device's. */
  device: Device | null
}

export function AlarmList({ customerId, customerPath, scope, device }: AlarmListProps) {
  const { can } = useSession()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const chosen = useSelection<Alarm>(({ uuid }) => uuid)
  const allowed = scope !== null && can('alarms:query', scope)
  const manages = scope !== null && can('alarms:manage', scope)
  const nameOf = useDeviceOfAlarm(customerId, device)
  const alarms = useAlarmList(allowed ? customerId : null, device)
  const { query, shown, acks } = alarms

  if (scope !== null && !allowed) {
    return <Notice tone="warn">Your role does not include the alarms of this customer.</Notice>
  }

  const { alarm: opened, page } = query.values
  const at = shown.items.findIndex(({ uuid }) => uuid === opened)
  const drawer = opened ? (shown.items[at] ?? null) : null
  const move = (step: number) => {
    const next = shown.items[at + step]
    if (at >= 0 && next) query.change({ alarm: next.uuid, page })
  }
  return (
    <div className={drawer ? 'alarms with-drawer' : 'alarms'}>
      <div>
        <PresetBar
          presets={alarms.presets}
          chosen={alarms.preset}
          counts={alarms.counts}
          narrowed={alarms.narrowed}
          onChoose={(show) => query.change({ show })}
        />
        <AlarmTable
          {...{ alarms, customerId, customerPath, device, manages, nameOf, chosen }}
          narrow={drawer !== null}
          onOpen={setDialog}
        />
      </div>
      {drawer && (
        <AlarmDrawer
          key={drawer.uuid}
          alarm={drawer}
          device={nameOf(drawer)}
          customerPath={customerPath}
          ack={acks.ackOf(drawer)}
          manages={manages}
          onMove={move}
          onAct={setDialog}
          onClose={() => query.change({ alarm: '', page })}
        />
      )}
      {dialog && (
        <AlarmDialogs
          customerId={customerId}
          dialog={dialog}
          nameOf={nameOf}
          onSend={acks.send}
          onClose={() => setDialog(null)}
          onDone={(done) => {
            chosen.drop(done.map(({ uuid }) => uuid))
            alarms.reload()
          }}
        />
      )}
    </div>
  )
}
