import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { codeLabel } from '../../../lib/format.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'
import { usePoint } from '../../data/points/api.ts'
import { SlotPath } from '../../data/points/point-value.tsx'
import { CustomerScope, useCustomer } from '../../sites/customers/customer.tsx'
import { useDevice, useDeviceNames } from '../../sites/devices/api.ts'
import { bandOf } from '../priorities/bands.ts'
import { ACK_STATES, historyAround, isUnacked, type ShownAck } from './alarm.ts'
import { alarmFacts } from './alarm-facts.ts'
import type { ShownNote } from './alarm-notes.ts'
import { StateBadge } from './alarm-state.tsx'
import type { AlarmScope } from './scope.ts'

/** Without its code there is no chart, as for an alarm without a point. */
const AlarmChart = lazy(() => import('./alarm-chart.tsx').catch(() => ({ default: () => null })))

interface AlarmDrawerProps {
  alarm: AlarmOfCustomer
  scope: AlarmScope
  ack: ShownAck
  notes: readonly ShownNote[]
  /** False for an alarm that a link has opened. */
  isInList: boolean
  /** Opens the alarm `step` rows below. */
  onMove: (step: number) => void
  onAcknowledge: () => void
  onNote: () => void
  onClose: () => void
}

/** The details of an alarm: beside the list, or on a phone in a dialog. */
export function AlarmDrawer(props: AlarmDrawerProps) {
  const { alarm, onMove, onClose } = props
  const panel = useRef<HTMLElement>(null)
  const tablet = useTablet()
  const phone = useLayout() === 'mobile' && !tablet
  useEffect(() => {
    const previousFocus = document.activeElement as HTMLElement | null
    headingOf(panel.current)?.focus()
    document.querySelector('.alarms tr[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
    return () => previousFocus?.focus?.()
  }, [])

  if (phone) {
    return (
      <Modal title={alarm.sourceName} kind="screen" onClose={onClose}>
        <div className="modal-body">
          <OfCustomer {...props} />
        </div>
      </Modal>
    )
  }

  function onAcknowledge() {
    // The button is removed. The keys below work only while the details have the focus.
    headingOf(panel.current)?.focus()
    props.onAcknowledge()
  }

  function pressKey(event: KeyboardEvent) {
    if ((event.target as HTMLElement).closest('dialog, input, textarea')) return
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    if (key === 'Escape') onClose()
    else if (key === 'ArrowDown') onMove(1)
    else if (key === 'ArrowUp') onMove(-1)
    else if (key.toLowerCase() === 'a' && canAcknowledge(props)) onAcknowledge()
    else return
    event.preventDefault()
  }

  return (
    <aside
      className="card stack tight alarm-drawer"
      aria-labelledby="alarm-heading"
      ref={panel}
      onKeyDown={pressKey}
    >
      <div className="line spread alarm-drawer-head">
        <h2 id="alarm-heading" className="grow" tabIndex={-1}>
          {alarm.sourceName}
        </h2>
        <span className="line">
          <IconButton
            name="Previous alarm"
            Icon={ArrowUp}
            aria-keyshortcuts="ArrowUp"
            onPress={() => onMove(-1)}
          />
          <IconButton
            name="Next alarm"
            Icon={ArrowDown}
            aria-keyshortcuts="ArrowDown"
            onPress={() => onMove(1)}
          />
          <IconButton name="Close details" Icon={X} aria-keyshortcuts="Escape" onPress={onClose} />
        </span>
      </div>
      <OfCustomer {...props} onAcknowledge={onAcknowledge} />
    </aside>
  )
}

const headingOf = (panel: HTMLElement | null) => panel?.querySelector('h2')

/** The details of an alarm in a list of all customers have the rights at its customer. */
function OfCustomer({ alarm, ...others }: AlarmDrawerProps) {
  // The list does not know the devices of customers that nobody has opened yet.
  const names = useDeviceNames(alarm.device ? null : alarm.customer.id).data
  const props = { ...others, alarm: { ...alarm, device: alarm.device ?? names?.get(alarm.deviceId) ?? null } }
  if (props.scope.organizationId === null) return <Content {...props} />
  return (
    <CustomerScope customerId={alarm.customer.id} organizationId={props.scope.integratorId}>
      <Content {...props} />
    </CustomerScope>
  )
}

const canAcknowledge = ({ alarm, scope, ack }: AlarmDrawerProps) =>
  scope.mayManage(alarm) && isUnacked(alarm) && ack !== 'ackPending' && ack !== 'acked'

function Content(props: AlarmDrawerProps) {
  const { alarm, scope, ack, notes, isInList, onNote } = props
  const band = bandOf(alarm.priority)
  return (
    <>
      <Place {...props} />
      <p className="line alarm-drawer-state">
        <StateBadge alarm={alarm} />
        <strong>{ACK_STATES[ack]}</strong>
        <span className="muted">
          {[`${alarm.priority}${band ? ` ${band.label}` : ''}`, alarm.alarmClass].filter(Boolean).join(' · ')}
        </span>
      </p>
      <p>{alarm.messageText}</p>
      {!isInList && <NotInList alarm={alarm} />}
      <Suspense fallback={null}>
        <AlarmChart alarm={alarm} />
      </Suspense>
      <Actions {...props} />
      <Timeline alarm={alarm} ack={ack} />
      <AlarmFacts alarm={alarm} />
      <div className="line spread">
        <h3>Notes</h3>
        {scope.mayManage(alarm) && (
          <button type="button" className="button quiet" onClick={onNote}>
            Add note
          </button>
        )}
      </div>
      {notes.length === 0 ? <p className="muted">No notes yet.</p> : <Notes notes={notes} />}
    </>
  )
}

/** Whose alarm it is, and where its device is. */
function Place({ alarm, scope }: AlarmDrawerProps) {
  const { customer, device, deviceId } = alarm
  const customerPath = scope.customerPathOf(customer)
  const location = useDevice(customer.id, device?.deviceUuid ?? '').data?.location
  return (
    <p className="alarm-place">
      {scope.organizationId !== null && (
        <strong>
          <PrefetchLink to={customerPath}>{customer.orgName}</PrefetchLink>
        </strong>
      )}
      <span>
        {device ? (
          <PrefetchLink className="text-link" to={paths.device(customerPath, device.deviceUuid)}>
            {unbroken(device.deviceName)}
          </PrefetchLink>
        ) : (
          deviceId
        )}
        <span className="muted">
          {[device?.projectName, location].flatMap((text) => (text ? ` · ${text}` : [])).join('')}
        </span>
      </span>
    </p>
  )
}

/** Why the list does not have the alarm of a link. */
function NotInList({
  alarm: { sourceState, ackState, ackTime, normalTime }
}: Pick<AlarmDrawerProps, 'alarm'>) {
  if (sourceState !== 'normal' || ackState !== 'acked')
    return <p className="muted">It is not among the alarms that the list shows now.</p>
  const since = [ackTime, normalTime]
    .filter((time) => time !== null)
    .toSorted()
    .at(-1)
  return (
    <p role="status">
      It needs no action any more: normal and acknowledged
      {since && (
        <>
          {' '}
          since <Timestamp iso={since} />
        </>
      )}
      .
    </p>
  )
}

const NOTE_STATES = { sending: 'sending…', sent: 'sent to the device', unknown: 'not confirmed yet' }

function Notes({ notes }: Pick<AlarmDrawerProps, 'notes'>) {
  return (
    <ul className="lines alarm-notes" aria-live="polite">
      {notes.map(({ text, user, time, state }) => (
        <li key={`${time} ${text}`} data-state={state}>
          <p>{text}</p>
          <p className="muted">
            {user}, <Timestamp iso={time} as={state ? 'short-ago' : 'moment'} />
            {state && ` · ${NOTE_STATES[state]}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

function Timeline({ alarm, ack }: { alarm: Alarm; ack: ShownAck }) {
  return (
    <ol className="timeline" aria-label="Timeline">
      <li>
        <strong>Raised</strong> <Timestamp iso={alarm.timestamp} />
      </li>
      {alarm.ackTime && (
        <li>
          <strong>Acknowledged</strong> <Timestamp iso={alarm.ackTime} /> {alarm.user && `by ${alarm.user}`}
        </li>
      )}
      {ack === 'ackPending' && (
        <li>
          <strong>Acknowledgement sent</strong> waiting for the device
        </li>
      )}
      {alarm.normalTime && (
        <li>
          <strong>Back to normal</strong> <Timestamp iso={alarm.normalTime} />
        </li>
      )}
    </ol>
  )
}

function Actions(props: AlarmDrawerProps) {
  const { alarm, scope, ack, onAcknowledge } = props
  const { nowMs } = useSession()
  const { device } = alarm
  const customerPath = scope.customerPathOf(alarm.customer)
  return (
    <div className="row form-actions">
      {canAcknowledge(props) && (
        <button type="button" className="button primary" aria-keyshortcuts="A" onClick={onAcknowledge}>
          {ack === 'unconfirmed' ? 'Acknowledge again' : 'Acknowledge'}
        </button>
      )}
      {device && scope.mayOpenHistory(alarm) && (
        <PrefetchLink className="button" to={historyAround(alarm, customerPath, device.deviceUuid, nowMs())}>
          Open history
        </PrefetchLink>
      )}
    </div>
  )
}

function AlarmFacts({ alarm }: Pick<AlarmDrawerProps, 'alarm'>) {
  const { customerId, can } = useCustomer()
  const cloudId = alarm.alarmData?.cloudId
  const point = usePoint(
    customerId,
    can('data:query-model') ? alarm.systemGuid : null,
    typeof cloudId === 'string' ? cloudId : ''
  )
  const { facts, identifiers } = alarmFacts(alarm, point.data ?? null)
  return (
    <>
      <Facts
        facts={[
          { name: 'Transition', value: alarm.alarmTransition ? codeLabel(alarm.alarmTransition) : '–' },
          ...facts.map(({ name, text }) => ({ name, value: text }))
        ]}
      />
      <details>
        <summary>Identifiers</summary>
        <Facts
          facts={[
            ...identifiers.map(({ name, text }) => ({ name, value: <SlotPath path={text} /> })),
            { name: 'UUID', value: <Copyable text={alarm.uuid} label="Copy UUID" /> }
          ]}
        />
      </details>
    </>
  )
}
