import '../../../../ui/list/list.css'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { failureOf } from '../../../../lib/http/api-error.ts'
import type { QueryResult } from '../../../../lib/http/query.ts'
import { momentWithOffset } from '../../../../lib/time/offset.ts'
import type { AlarmsOfPeriod } from '../api.ts'
import { alarmsText, LISTED_ALARMS_MAX } from './period-alarms.ts'

interface PaperAlarmsProps {
  /** Null if the person may not read alarms. */
  load: QueryResult<AlarmsOfPeriod> | null
  range: TimeRange
  zone: string
  nowMs: number
  deviceNames: ReadonlyMap<string, string>
}

/** The alarms of the devices that lasted for some time of the period. */
export function PaperAlarms({ load, range, zone, nowMs, deviceNames }: PaperAlarmsProps) {
  const data = load?.data
  const rows = data?.alarms.slice(0, LISTED_ALARMS_MAX) ?? []
  const withDevice = deviceNames.size > 1
  const at = (iso: string | null) => (iso === null ? null : momentWithOffset(Date.parse(iso), zone))
  return (
    <section aria-labelledby="paper-alarms">
      <h2 id="paper-alarms">Alarms in this period</h2>
      {load === null && <p>Your role does not include alarms.</p>}
      {load?.error !== undefined && !data && (
        <p role="alert">{failureOf(load.error).title}. Alarms are missing here.</p>
      )}
      {data && <p>{alarmsText(data, range, nowMs)}</p>}
      {rows.length > 0 && (
        <table className="plain-table">
          <caption className="sr-only">Alarms in this period</caption>
          <thead>
            <tr>
              <th scope="col">Raised</th>
              <th scope="col">Normal again</th>
              <th scope="col">Source</th>
              <th scope="col">Message</th>
              <th scope="col">Acknowledged</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((alarm) => (
              <tr key={alarm.uuid}>
                <td className="paper-time">{at(alarm.timestamp)}</td>
                <td className="paper-time">{at(alarm.normalTime) ?? 'Still active'}</td>
                <th scope="row">
                  {alarm.sourceName}
                  {withDevice && <small> {deviceNames.get(alarm.systemGuid)}</small>}
                </th>
                <td>{alarm.messageText}</td>
                <td>{acknowledgement(alarm, at(alarm.ackTime))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function acknowledgement({ ackState, user }: Alarm, moment: string | null): string {
  if (ackState === 'unacked') return 'No'
  const who = [user, moment].filter(Boolean).join(', ')
  return ackState === 'acked' ? who || 'Yes' : 'Waiting for the device'
}
