import '../../style/records.css'
import '../../style/alarms.css'
import { useMemo, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { type AlarmFilter, useAlarmCounts, useAlarms } from '../../api/alarms.ts'
import { failureOf } from '../../api/api-error.ts'
import { type DeviceName, useDeviceNames } from '../../api/device-names.ts'
import { ListCard } from '../../components/list-card.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { type Alarm, isOpen, PRESETS, type Preset } from '../../lib/alarms.ts'
import { count } from '../../lib/format.ts'
import { useSession } from '../../session/session.ts'
import { useListQuery } from '../../session/use-list-query.ts'
import { AlarmDialogs, type OpenDialog } from './alarm-dialogs.tsx'
import { AlarmDrawer } from './alarm-drawer.tsx'
import { AlarmChips, AlarmToolbar, PresetBar } from './alarm-filters.tsx'
import { AlarmRows } from './alarm-rows.tsx'
import { FIRST_VIEW, filterOf, presetOf } from './alarm-view.ts'
import { NoAlarms } from './no-alarms.tsx'
import { useAcknowledgements } from './use-acknowledgements.ts'
import { useCalmRows } from './use-calm-rows.ts'

const PAGE_SIZE = 25
const REFRESH_MS = 20_000
const COUNT_MS = 60_000

interface AlarmListProps {
  customerId: string
  customerPath: string
  /** The customer's; null while not known. */
  scope: string | null
  /** Only this device's. */
  device: Device | null
}

export function AlarmList({ customerId, customerPath, scope, device }: AlarmListProps) {
  const { can, nowMs } = useSession()
  const query = useListQuery(FIRST_VIEW)
  const view = query.values
  const preset = presetOf(view)
  const [openedMs, setOpenedMs] = useState(nowMs)
  const [refreshing, setRefreshing] = useState(true)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Alarm>>(new Map())
  const [dialog, setDialog] = useState<OpenDialog | null>(null)

  const allowed = scope !== null && can('alarms:query', scope)
  const manages = scope !== null && can('alarms:manage', scope)
  const names = useDeviceNames(device ? null : customerId)
  const systemGuid = device?.systemGuid ?? (view.device || null)
  const filter = filterOf(view, preset, systemGuid, openedMs)
  const order = { sort: view.sort, order: view.order === 'asc' ? ('asc' as const) : ('desc' as const) }
  const page = Math.max(Number(view.page) - 1, 0) || 0
  const refreshMs = refreshing ? REFRESH_MS : 0
  const wanted = { filter, order, page, size: PAGE_SIZE, atMs: openedMs, refreshMs }
  const list = useAlarms({ ...wanted, customerId: allowed ? customerId : null })
  const { alarm: opened, ...rest } = view
  const calm = useCalmRows(JSON.stringify([rest, systemGuid, openedMs]), list.data?.items, list.current)
  const counted = useMemo(() => countedPresets(device), [device])
  const counts = useAlarmCounts(
    allowed ? customerId : null,
    Object.fromEntries(
      counted.map((each): [string, AlarmFilter] => [
        each,
        filterOf({ ...FIRST_VIEW, range: view.range }, each, systemGuid, openedMs)
      ])
    ),
    COUNT_MS
  )
  const acks = useAcknowledgements(customerId, calm.items, () => {
    list.reload()
    counts.reload()
  })

  if (scope !== null && !allowed) {
    return <Notice tone="warn">Your role does not include the alarms of this customer.</Notice>
  }

  const known = new Map(calm.items.map((alarm) => [alarm.uuid, alarm]))
  const selected = [...chosen.values()].map((alarm) => known.get(alarm.uuid) ?? alarm)
  const acknowledgeable = selected.filter((alarm) => isOpen(alarm) && acks.ackOf(alarm) !== 'ackPending')
  const nameOf = (alarm: Alarm): DeviceName | null =>
    device
      ? { deviceUuid: device.deviceUuid, deviceName: device.deviceName, projectName: device.projectName }
      : (names.data?.get(alarm.deviceId) ?? null)
  const drawer = opened ? (known.get(opened) ?? null) : null
  const move = (step: number) => {
    const at = calm.items.findIndex(({ uuid }) => uuid === opened)
    const next = calm.items[at + step]
    if (at >= 0 && next) query.change({ alarm: next.uuid, page: view.page })
  }

  return (
    <div className={drawer ? 'alarms with-drawer' : 'alarms'}>
      <div>
        <PresetBar
          presets={counted}
          chosen={preset}
          counts={counts.data ?? {}}
          onChoose={(show) => query.change({ show })}
        />
        <ListCard
          label="Alarms"
          loaded={list.data !== undefined}
          failure={list.error === undefined ? null : failureOf(list.error)}
          busy={list.busy}
          onReload={list.reload}
          toolbar={
            <AlarmToolbar
              query={query}
              names={device ? null : (names.data ?? new Map())}
              customerId={customerId}
              withDevice={device === null}
              rows={calm.items}
              refresh={{
                refreshing,
                onRefreshing: setRefreshing,
                onRefresh: () => {
                  setOpenedMs(nowMs())
                  counts.reload()
                },
                busy: list.busy,
                failed: list.error !== undefined,
                fresh: calm.fresh
              }}
              exported={{ filter, order, total: list.data?.page.totalElements ?? null, nameOf }}
            />
          }
          chips={<AlarmChips query={query} />}
          empty={
            list.data?.page.totalElements === 0 && (
              <NoAlarms
                preset={preset}
                filtered={[view.q, view.states, view.classes, view.band, view.device].some(Boolean)}
                device={device}
                nowMs={openedMs}
                onClear={() => query.clear('q', 'states', 'classes', 'band', 'device')}
                onWiden={view.range === 'all' ? null : () => query.change({ range: 'all' })}
              />
            )
          }
          foot={
            list.data && (
              <>
                {list.data.page.totalPages * PAGE_SIZE < list.data.page.totalElements && (
                  <p className="muted">Narrow the time or the filters to see the others.</p>
                )}
                <Pager
                  label="Pages of alarms"
                  page={list.data.page}
                  onPage={(number) => query.change({ page: String(number + 1) })}
                />
              </>
            )
          }
        >
          <div role="status">
            {calm.fresh > 0 && (
              <button type="button" className="button fresh-pill" onClick={calm.show}>
                Show {count(calm.fresh, 'new alarm')}
              </button>
            )}
          </div>
          {manages && chosen.size > 0 && (
            <div className="batch-bar" role="toolbar" aria-label="Chosen alarms">
              <span role="status">
                {chosen.size} selected, {acknowledgeable.length} can be acknowledged
              </span>
              <button
                type="button"
                className="button primary"
                aria-disabled={acknowledgeable.length === 0}
                onClick={() =>
                  acknowledgeable.length > 0 && setDialog({ kind: 'acknowledge', alarms: acknowledgeable })
                }
              >
                Acknowledge {acknowledgeable.length || ''}
              </button>
              <button
                type="button"
                className="button"
                onClick={() => setDialog({ kind: 'note', alarms: selected })}
              >
                Add note
              </button>
              <button type="button" className="link-button" onClick={() => setChosen(new Map())}>
                Clear selection
              </button>
            </div>
          )}
          <AlarmRows
            rows={calm.items}
            total={list.data?.page.totalElements ?? 0}
            busy={list.busy}
            query={query}
            customerPath={customerPath}
            withDevice={device === null}
            nameOf={nameOf}
            ackOf={acks.ackOf}
            manages={manages}
            chosen={chosen}
            onChosen={setChosen}
            onOpen={setDialog}
          />
        </ListCard>
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
          onClose={() => query.change({ alarm: '', page: view.page })}
        />
      )}
      {dialog && (
        <AlarmDialogs
          customerId={customerId}
          dialog={dialog}
          nameOf={nameOf}
          onSend={acks.send}
          onClose={() => setDialog(null)}
          onDone={(alarms) => {
            setChosen(
              (before) => new Map([...before].filter(([uuid]) => !alarms.some((one) => one.uuid === uuid)))
            )
            list.reload()
            counts.reload()
          }}
        />
      )}
    </div>
  )
}

function countedPresets(device: Device | null): Preset[] {
  return device ? ['action', 'all'] : (Object.keys(PRESETS) as Preset[])
}
