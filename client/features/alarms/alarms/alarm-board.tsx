import './style.css'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { useIsLive } from '../../../lib/live/live.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { chipsOf } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { useSelection } from '../../../ui/list/selection/use-selection.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { customerCount, unreadCustomers } from '../../sites/customers/customers-read.tsx'
import { bandOf } from '../priorities/bands.ts'
import { AcknowledgeProgress, useProgress } from './acknowledge-progress.tsx'
import { PRESETS, type Preset } from './alarm.ts'
import { useAlarmActions } from './alarm-actions.ts'
import { useAcknowledgements } from './alarm-commands.ts'
import { AlarmDialogs, useAcknowledgeAtOnce, useAlarmDialog } from './alarm-dialogs.tsx'
import { AlarmDrawer } from './alarm-drawer.tsx'
import { useAlarmNotes } from './alarm-notes.ts'
import { AlarmSelection, acknowledgeable } from './alarm-selection.tsx'
import { FollowSwitch, NewAlarms, OrganizationFoot, UnreachableAlarms } from './board-foot.tsx'
import { alarmColumns, alarmTitle } from './columns.tsx'
import { alarmFilters, FIRST_VIEW, isAnyTime, presetOf, rangeLabel, useClasses } from './filters.tsx'
import { LiveState } from './live-state.tsx'
import { Presets } from './presets.tsx'
import type { AlarmScope } from './scope.ts'
import { useBoardAlarms } from './use-board-alarms.ts'
import { useOpenedAlarm } from './use-opened-alarm.ts'
import { pagingThrough, usePausedUpdates } from './use-paused-updates.ts'
import { usePointerOrFocus } from './use-pointer-or-focus.ts'

/** The readings of 1,000 customers, 100 alarms each, are the most that there can be. */
const ALARMS_MAX = 100_000

interface AlarmBoardProps {
  scope: AlarmScope
  /** The heading of a page; null on a tab, whose foot then says whether the list is live. */
  title: ((live: ReactNode) => ReactNode) | null
}

/** The alarms of a device, of a customer, or of all customers, with the details of one of them. */
export function AlarmBoard({ scope, title }: AlarmBoardProps) {
  const query = useListQuery({ ...FIRST_VIEW, ...scope.firstOrder })
  const { values, change } = query
  const { page } = values
  const [isFollowing, setFollowing] = useState(true)
  const list = useBoardAlarms(scope, values, isFollowing)
  const { data, counts } = list
  const rows = usePointerOrFocus()
  const { alarm: _alarm, at: _at, of: _of, ...view } = values
  const shown = usePausedUpdates({
    view: JSON.stringify([view, isFollowing]),
    data: data?.items,
    // The first alarms of a customer are not news: they join the rows unless somebody is working with them.
    joins: String(data?.totals.length),
    isInUse: rows.isInside,
    current: list.current,
    nowMs: useSession().nowMs
  })
  const customers = data ? [...data.totals.map(({ customer }) => customer), ...data.partial] : []
  const opening = useOpenedAlarm(scope, values, data && shown.items, customers, (place) =>
    change({ ...place, page }, true)
  )
  const { alarm: opened, index } = opening
  function reload() {
    list.refetch()
    opening.refetch()
  }
  const preset = presetOf(values, scope)
  // Alarms leave these lists only when they are acknowledged.
  const endsWithAck = preset !== 'active' && preset !== 'all' && values.states === ''
  const acks = useAcknowledgements(customerIdOf, reload, endsWithAck ? shown.gone : undefined)
  const notes = useAlarmNotes(customerIdOf, reload)
  const progressName = JSON.stringify([data?.totals.length, values.range])
  const progress = useProgress(progressName, counts.unacked, list.current && !list.isFetching)
  const chosen = useSelection<AlarmOfCustomer>(({ uuid }) => uuid, shown.items)
  const { dialog, setDialog, showFailure } = useAlarmDialog()
  const done = (alarms: readonly AlarmOfCustomer[]) => {
    chosen.drop(alarms.map(({ uuid }) => uuid))
    reload()
  }
  const [said, setSaid] = useState('')
  const acknowledgeAtOnce = useAcknowledgeAtOnce({
    onSend: acks.send,
    onFailed: showFailure,
    onSay: setSaid,
    onDone: done
  })
  /** Asks first if there are several. */
  const acknowledge = (alarms: readonly AlarmOfCustomer[]) => {
    const [alarm, ...others] = alarms
    if (alarm && others.length === 0) acknowledgeAtOnce(alarm)
    else setDialog({ kind: 'acknowledge', alarms })
  }
  const isOfMany = scope.organizationId !== null
  const openAlarm = useCallback(
    ({ uuid, timestamp, customer }: AlarmOfCustomer) =>
      change({ alarm: uuid, at: timestamp, of: isOfMany ? customer.id : '', page }),
    [change, page, isOfMany]
  )
  const closeAlarm = () => change({ alarm: '', at: '', of: '', page })
  const { ackOf } = acks
  const columns = useMemo(
    () => alarmColumns({ scope, ackOf, onOpen: openAlarm, onAcknowledge: acknowledgeAtOnce }),
    [scope, ackOf, openAlarm, acknowledgeAtOnce]
  )
  const board = useRef<HTMLDivElement>(null)
  const actions = useRowActions(scope, {
    ackOf,
    onOpen: setDialog,
    onDetails: openAlarm,
    onAcknowledge(alarm) {
      focusNextTick(board.current)
      acknowledgeAtOnce(alarm)
    }
  })
  const filters = alarmFilters(scope, useClasses(query, shown.items))
  const isFiltered = values.q !== '' || chipsOf(filters, query).length > 0
  const missing = data && unreadCustomers({ of: customerCount(data), partial: data.partial }, values.customer)
  const isLive = useIsLive()
  const liveState = (
    <LiveState
      customerId={scope.customer?.id ?? null}
      isFollowing={isFollowing}
      busy={list.isFetching}
      failed={list.error !== undefined}
    />
  )

  function pressKey(event: KeyboardEvent) {
    const isTyping = (event.target as HTMLElement).closest(
      'input:not([type="checkbox"]), textarea, select, dialog'
    )
    if (event.key.toLowerCase() !== 'a' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    const alarms = acknowledgeable(chosen.rows, shown.items, ackOf, scope.mayManage)
    if (alarms.length > 0) acknowledge(alarms)
  }

  if (scope.mayQuery === false)
    return (
      <>
        {title?.(null)}
        <Notice tone="warn">Your role does not include the alarms of this customer.</Notice>
      </>
    )
  if (list.error !== undefined && data === undefined)
    return (
      <>
        {title?.(null)}
        <ErrorPanel error={list.error} isFetching={list.isFetching} refetch={list.refetch} />
      </>
    )
  return (
    <>
      {title?.(liveState)}
      <p role="status" className="sr-only">
        {said}
      </p>
      <OpeningNotice opening={opening} onClose={closeAlarm} />
      <Presets
        presets={scope.presets}
        chosen={preset}
        counts={counts}
        atLeast={list.atLeast}
        rangeOf={(choice) => (choice === 'action' ? 'any time' : rangeLabel(values).toLowerCase())}
        onChoose={(show) => change({ show })}
      />
      <div className={opened ? 'alarms with-drawer' : 'alarms'}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the controls inside */}
        <div ref={board} onKeyDown={pressKey} {...rows.listeners}>
          <List
            noun="alarm"
            load={{ ...list, error: data ? undefined : list.error, isFetching: false, refetch: list.refresh }}
            page={data && { items: [...shown.items], page: data.page }}
            size={ALARM_LIST_SIZE}
            query={pagingThrough(query, shown)}
            firstOrder="desc"
            columns={columns}
            toolbar={{
              search: scope.organizationId === null ? 'Source or message' : 'Source, message or customer',
              filters,
              // One line also beside the details, so that opening them moves no row.
              fieldsMax: 1,
              file: {
                name: scope.organizationId === null ? 'alarms' : 'alarms of all customers',
                read: list.readAll
              }
            }}
            rows={{
              rowKey: ({ uuid }) => uuid,
              nameOf: alarmTitle,
              recycles: true,
              currentKey: opened?.uuid,
              actions,
              selection: scope.managesAny ? { chosen } : undefined,
              cardMark: ({ priority }) => <span className={`priority stripe ${bandOf(priority)?.id ?? ''}`} />
            }}
            empty={<NoAlarms preset={preset} missing={missing} />}
            missing={missing}
            notices={
              !isAnyTime(values) && (
                <p className="muted list-note">
                  {rangeLabel(values)}.{' '}
                  {list.older > 0 && (
                    <button type="button" className="link-button" onClick={() => change({ range: 'all' })}>
                      {formatNumber(list.older)} older
                    </button>
                  )}
                </p>
              )
            }
            foot={{
              selectionBar: scope.managesAny && (
                <AlarmSelection
                  rows={shown.items}
                  total={data?.page.totalElements ?? 0}
                  chosen={chosen}
                  ackOf={ackOf}
                  mayManage={scope.mayManage}
                  listName={list.listName}
                  readAll={(signal) => list.readAll(ALARMS_MAX, signal)}
                  onAcknowledge={acknowledge}
                  onNote={(alarms) => setDialog({ kind: 'note', alarms })}
                />
              ),
              note: data && (
                <>
                  <NewAlarms fresh={shown.fresh} onShow={shown.show} />
                  {isOfMany && <OrganizationFoot data={data} scope={scope} />}
                  <UnreachableAlarms data={data} />
                  <AcknowledgeProgress
                    progress={isFiltered ? null : progress}
                    onShowLeft={preset === 'unacked' ? undefined : () => change({ show: 'unacked' })}
                    moved={shown.moved}
                    onShowMoved={shown.showMoved}
                  />
                  <div className="row alarm-updates">
                    {title === null && liveState}
                    <FollowSwitch isLive={isLive} isFollowing={isFollowing} onChange={setFollowing} />
                  </div>
                </>
              )
            }}
          />
        </div>
        {opened && (
          <AlarmDrawer
            key={opened.uuid}
            alarm={opened}
            isInList={index >= 0}
            scope={scope}
            ack={ackOf(opened)}
            notes={notes.notesOf(opened)}
            onMove={(step) => {
              const next = shown.items[index + step]
              if (next) openAlarm(next)
            }}
            onAcknowledge={() => acknowledgeAtOnce(opened)}
            onNote={() => setDialog({ kind: 'note', alarms: [opened] })}
            onClose={closeAlarm}
          />
        )}
      </div>
      {dialog && (
        <AlarmDialogs
          key={dialog.alarms.map(({ uuid }) => uuid).join()}
          dialog={dialog}
          onSend={acks.send}
          onNote={notes.send}
          onFailed={showFailure}
          onClose={() => setDialog(null)}
          onDone={done}
        />
      )}
    </>
  )
}

const customerIdOf = ({ customer }: AlarmOfCustomer) => customer.id

/** Moves the focus from the pressed tick, which disappears, to the next one, or after the last one to the next page. */
function focusNextTick(board: HTMLElement | null): void {
  const ticks = [...(board?.querySelectorAll<HTMLElement>('.inline-action') ?? [])]
  const index = ticks.indexOf(document.activeElement as HTMLElement)
  if (index < 0) return
  const nextPage = board?.querySelector<HTMLElement>('.pager [aria-label="Next page"]:not([aria-disabled])')
  const target = ticks[index + 1] ?? ticks[index - 1] ?? nextPage
  target?.focus()
}

interface RowActionOptions
  extends Pick<Parameters<ReturnType<typeof useAlarmActions>>[1], 'onOpen' | 'onDetails' | 'onAcknowledge'> {
  ackOf: ReturnType<typeof useAcknowledgements>['ackOf']
}

function useRowActions(scope: AlarmScope, { ackOf, ...options }: RowActionOptions) {
  const navigate = useNavigate()
  const actionsOn = useAlarmActions()
  return (alarm: AlarmOfCustomer): (MenuItem | false)[] => {
    const customerPath = scope.customerPathOf(alarm.customer)
    return [
      ...actionsOn(alarm, {
        ...options,
        manages: scope.mayManage(alarm),
        opensHistory: scope.mayOpenHistory(alarm),
        ack: ackOf(alarm),
        customerPath
      }),
      scope.organizationId !== null && {
        label: 'Alarms of this customer',
        onSelect: () => void navigate(paths.alarms(customerPath))
      }
    ]
  }
}

interface OpeningNoticeProps {
  opening: ReturnType<typeof useOpenedAlarm>
  onClose: () => void
}

/** Says why the alarm of a link is not open, or not yet. */
function OpeningNotice({ opening, onClose }: OpeningNoticeProps) {
  const { error, isFetching, missingFrom, isSearchingAll, refetch } = opening
  if (isSearchingAll)
    return (
      <Notice tone="info" action={{ label: 'Stop', onAct: onClose }}>
        Searching the alarm of this link at all customers…
      </Notice>
    )
  if (missingFrom !== null)
    return (
      <Notice tone="info" action={{ label: 'Close', onAct: onClose }}>
        The alarm of this link {missingFrom}
      </Notice>
    )
  if (error === undefined || isFetching) return null
  return (
    <Notice tone="warn" action={{ label: 'Retry', onAct: refetch }}>
      {failureOf(error).title}. The alarm of this link could not be read.
    </Notice>
  )
}

interface NoAlarmsProps {
  preset: Preset
  /** Names the customers whose alarms are missing. */
  missing: ReactNode
}

function NoAlarms({ preset, missing }: NoAlarmsProps) {
  const title =
    preset === 'action' ? 'No alarms need action' : `No alarms: ${PRESETS[preset].label.toLowerCase()}`
  return (
    <Panel
      icon={missing ? Hourglass : CircleCheck}
      headingLevel={3}
      title={missing ? `${title} so far` : title}
    >
      {missing}
    </Panel>
  )
}
