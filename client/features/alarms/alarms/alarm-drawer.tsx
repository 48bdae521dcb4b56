import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { codeLabel } from '../../../lib/format.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import { paths } from '../../../lib/paths.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { usePoint } from '../../data/points/api.ts'
import { WholePath } from '../../data/points/point-value.tsx'
import { useSession } from '../../people/session/session.ts'
import { useCustomer } from '../../sites/customers/customer.ts'
import type { DeviceName } from '../../sites/devices/api.ts'
import { bandOf } from '../priorities/bands.ts'
import { historyAround, isUnacked, type ShownAck } from './alarm.ts'
import type { OpenDialog } from './alarm-dialogs.tsx'
import { alarmFacts } from './alarm-facts.ts'
import { AlarmState } from './alarm-state.tsx'

const AlarmChart = lazy(() => import('../../data/history/chart/alarm-chart.tsx'))

interface AlarmDrawerProps {
  alarm: Alarm
  device: DeviceName | null
  customerPath: string
  ack: ShownAck
  manages: boolean
  /** Opens the alarm `step` rows below. */
  onMove: (step: number) => void
  onAct: (dialog: OpenDialog) => void
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
    panel.current?.querySelector('h2')?.focus()
    return () => previousFocus?.focus?.()
  }, [])

  if (phone) {
    return (
      <Modal title={alarm.sourceName} kind="screen" onClose={onClose}>
        <div className="modal-body">
          <Content {...props} />
        </div>
      </Modal>
    )
  }

  function moveByKey(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'ArrowDown') onMove(1)
    else if (event.key === 'ArrowUp') onMove(-1)
    else return
    event.preventDefault()
  }

  return (
    <aside
      className="card stack alarm-drawer"
      aria-labelledby="alarm-heading"
      ref={panel}
      onKeyDown={moveByKey}
    >
      <div className="row spread">
        <h2 id="alarm-heading" className="grow" tabIndex={-1}>
          {alarm.sourceName}
        </h2>
        <span>
          <IconButton name="Previous alarm" Icon={ArrowUp} onPress={() => onMove(-1)} />
          <IconButton name="Next alarm" Icon={ArrowDown} onPress={() => onMove(1)} />
          <IconButton name="Close details" Icon={X} onPress={onClose} />
        </span>
      </div>
      <Content {...props} />
    </aside>
  )
}

function Content(props: AlarmDrawerProps) {
  const { alarm, ack, manages, onAct } = props
  return (
    <>
      <AlarmState alarm={alarm} ack={ack} />
      <p>{alarm.messageText}</p>
      <Timeline alarm={alarm} ack={ack} />
      <Actions {...props} />
      <Suspense fallback={null}>
        <AlarmChart alarm={alarm} />
      </Suspense>
      <AlarmFacts {...props} />
      <div className="row spread">
        <h3>Notes</h3>
        {manages && (
          <button
            type="button"
            className="button quiet"
            onClick={() => onAct({ kind: 'note', alarms: [alarm] })}
          >
            Add note
          </button>
        )}
      </div>
      {alarm.notes.length === 0 ? (
        <p className="muted">No notes yet.</p>
      ) : (
        <ul className="lines">
          {alarm.notes.map((note) => (
            <li key={`${note.time} ${note.text}`}>
              <p>{note.text}</p>
              <p className="muted">
                {note.user}, <Timestamp iso={note.time} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
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

function Actions({ alarm, device, customerPath, ack, manages, onAct }: AlarmDrawerProps) {
  const { nowMs } = useSession()
  return (
    <div className="row form-actions">
      {manages && isUnacked(alarm) && ack !== 'ackPending' && (
        <button
          type="button"
          className="button primary"
          onClick={() => onAct({ kind: 'acknowledge', alarms: [alarm] })}
        >
          {ack === 'unconfirmed' ? 'Acknowledge again' : 'Acknowledge'}
        </button>
      )}
      {device && (
        <PrefetchLink className="button" to={historyAround(alarm, customerPath, device.deviceUuid, nowMs())}>
          Open history
        </PrefetchLink>
      )}
    </div>
  )
}

function AlarmFacts({ alarm, device, customerPath }: AlarmDrawerProps) {
  const { customerId, can } = useCustomer()
  const cloudId = alarm.alarmData?.cloudId
  const point = usePoint(
    customerId,
    can('data:query-model') ? alarm.systemGuid : null,
    typeof cloudId === 'string' ? cloudId : ''
  )
  const band = bandOf(alarm.priority)
  const { facts, identifiers } = alarmFacts(alarm, point.data ?? null)
  return (
    <>
      <Facts
        facts={[
          {
            name: 'Device',
            value: device ? (
              <PrefetchLink to={paths.device(customerPath, device.deviceUuid)}>
                {device.deviceName}
              </PrefetchLink>
            ) : (
              alarm.deviceId
            )
          },
          { name: 'Priority', value: `${alarm.priority}${band ? `, ${band.label}` : ''}` },
          { name: 'Class', value: alarm.alarmClass },
          { name: 'Transition', value: alarm.alarmTransition ? codeLabel(alarm.alarmTransition) : '–' },
          ...facts.map(({ name, text }) => ({ name, value: text }))
        ]}
      />
      <details>
        <summary>Identifiers</summary>
        <Facts
          facts={[
            ...identifiers.map(({ name, text }) => ({ name, value: <WholePath path={text} /> })),
            { name: 'UUID', value: <Copyable text={alarm.uuid} label="Copy UUID" /> }
          ]}
        />
      </details>
    </>
  )
}
