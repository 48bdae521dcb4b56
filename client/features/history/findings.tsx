import { useState } from 'react'
import { failureOf } from '../../lib/http/api-error.ts'
import { useQuery } from '../../lib/http/query.ts'
import { dayStart } from '../../lib/time/calendar.ts'
import { CUSTOM_RANGE } from '../../lib/time/date-range.ts'
import { formatMoment } from '../../lib/time/time.ts'
import { LineSwatch } from '../../ui/chart/line-swatch.tsx'
import type { Point } from '../points/point.ts'
import { fetchLatestRecord } from './api.ts'
import { findingTexts } from './chart/history-samples.ts'
import type { ChosenPoint } from './use-histories.ts'
import type { History } from './use-history.ts'

interface FindingsProps {
  customerId: string
  history: History
}

/** What is wrong with the records: none, out of order, a wrong clock. */
export function Findings({ customerId, history }: FindingsProps) {
  const found = history.chosen.flatMap((one) => {
    const load = history.histories.of(one)
    if (load?.state !== 'ready') return []
    const { findings, times, truncated } = load.value
    const texts = [
      ...findingTexts(findings),
      ...(truncated ? ['There are more records than a chart takes: it ends before the range does.'] : [])
    ]
    const none = times.length === 0
    return none || texts.length > 0 ? [{ one, texts, none }] : []
  })
  if (found.length === 0) return null
  return (
    <ul className="findings" aria-label="About the records">
      {found.map(({ one, texts, none }) => (
        <li key={one.key}>
          <LineSwatch color={one.color} />
          <div>
            <strong>{one.point?.displayName}</strong>
            {none && (
              <p>
                No records for this point in the range. <Latest {...{ customerId, history, one }} />
              </p>
            )}
            {texts.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Latest({ customerId, history, one }: FindingsProps & { one: ChosenPoint }) {
  const { asOf, zone, change } = history
  const [asked, setAsked] = useState(false)
  const { device, point, key } = one
  const { data, error } = useQuery(
    asked && device && point ? `latest record of ${customerId} ${key} ${asOf}` : null,
    (_name, signal) =>
      fetchLatestRecord(
        { customerId, systemGuid: device?.systemGuid ?? '', point: point as Point, nowMs: asOf },
        signal
      ),
    { revalidateOnFocus: false }
  )
  if (error !== undefined) return <span role="alert">{failureOf(error).title}.</span>
  if (data === undefined)
    return (
      <button type="button" className="link-button" aria-busy={asked} onClick={() => setAsked(true)}>
        {asked ? 'Looking for it…' : 'Find the latest record'}
      </button>
    )
  if (data === null) return <span role="status">No record in the last year.</span>
  const day = { fromMs: dayStart(data, zone), toMs: dayStart(data, zone, 1) }
  return (
    <span role="status">
      Latest record: {formatMoment(data, zone)}.{' '}
      <button
        type="button"
        className="link-button"
        onClick={() => change({ filter: CUSTOM_RANGE, custom: day, zoom: null })}
      >
        Jump there
      </button>
    </span>
  )
}
