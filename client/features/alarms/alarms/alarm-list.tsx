import type { Alarm } from '#shared/answers/alarms.ts'
import './style.css'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useCallback, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { useSelection } from '../../../ui/list/selection/use-selection.ts'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { useCustomer } from '../../sites/customers/customer.ts'
import { type DeviceName, useDeviceNames } from '../../sites/devices/api.ts'
import { PRESETS } from './alarm.ts'
import { AlarmDialogs, type OpenDialog } from './alarm-dialogs.tsx'
import { AlarmDrawer } from './alarm-drawer.tsx'
import { AlarmTable } from './alarm-table.tsx'
import { rangeLabel } from './filters.tsx'
import { Presets } from './presets.tsx'
import { type AlarmListState, useAlarmList } from './use-alarm-list.ts'

export function AlarmList({ device }: { device: Device | null }) {
  const { customerId, customerPath, list, can } = useCustomer()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const chosen = useSelection<Alarm>(({ uuid }) => uuid)
  const mayQuery = can('alarms:query')
  const manages = can('alarms:manage')
  const nameOf = useDeviceOf(customerId, device)
  const alarms = useAlarmList(mayQuery ? customerId : null, device)
  const { query, shown, acks } = alarms
  if (list && !mayQuery) {
    return <Notice tone="warn">Your role does not include the alarms of this customer.</Notice>
  }

  const { alarm: openUuid, page } = query.values
  const index = shown.items.findIndex(({ uuid }) => uuid === openUuid)
  const openAlarm = openUuid ? (shown.items[index] ?? null) : null
  return (
    <div className={openAlarm ? 'alarms with-drawer' : 'alarms'}>
      <div>
        <Presets
          presets={alarms.presets}
          chosen={alarms.preset}
          counts={alarms.counts}
          rangeOf={(preset) => (preset === 'action' ? 'any time' : rangeLabel(query.values).toLowerCase())}
          onChoose={(show) => query.change({ show })}
        />
        <AlarmTable
          alarms={alarms}
          device={device}
          manages={manages}
          nameOf={nameOf}
          chosen={chosen}
          narrow={openAlarm !== null}
          onOpen={setDialog}
          empty={<NoAlarms {...alarms} />}
        />
      </div>
      {openAlarm && (
        <AlarmDrawer
          key={openAlarm.uuid}
          alarm={openAlarm}
          device={nameOf(openAlarm)}
          customerPath={customerPath}
          ack={acks.ackOf(openAlarm)}
          manages={manages}
          onMove={(step) => {
            const next = shown.items[index + step]
            if (next) query.change({ alarm: next.uuid, page })
          }}
          onAct={setDialog}
          onClose={() => query.change({ alarm: '', page })}
        />
      )}
      {dialog && (
        <AlarmDialogs
          customerIdOf={() => customerId}
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

function useDeviceOf(customerId: string, device: Device | null): (alarm: Alarm) => DeviceName | null {
  const { data } = useDeviceNames(device ? null : customerId)
  return useCallback(({ deviceId }) => device ?? data?.get(deviceId) ?? null, [device, data])
}

function NoAlarms({ preset }: AlarmListState) {
  const title =
    preset === 'action' ? 'No alarms need action' : `No alarms: ${PRESETS[preset].label.toLowerCase()}`
  return <Panel icon={CircleCheck} headingLevel={3} title={title} />
}
