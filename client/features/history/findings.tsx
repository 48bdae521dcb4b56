import { useState } from 'react'
import { failureOf, isAbort } from '../../lib/http/api-error.ts'
import { dayStart } from '../../lib/time/calendar.ts'
import { CUSTOM_RANGE } from '../../lib/time/date-range.ts'
import { formatMoment } from '../../lib/time/time.ts'
import { LineSwatch } from '../../ui/chart/line-swatch.tsx'
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

type LatestState = 'idle' | 'busy' | { ms: number | null } | { error: unknown }

function Latest({ customerId, history, one }: FindingsProps & { one: ChosenPoint }) {
  const { asOf, zone, change } = history
  const [state, setState] = useState<LatestState>('idle')
  async function find() {
    const { device, point } = one
    if (!device || !point || state === 'busy') return
    setState('busy')
    try {
      const query = { customerId, systemGuid: device.systemGuid, point, nowMs: asOf }
      setState({ ms: await fetchLatestRecord(query, new AbortController().signal) })
    } catch (error) {
      if (!isAbort(error)) setState({ error })
    }
  }
  if (state === 'idle' || state === 'busy')
    return (
      <button type="button" className="link-button" aria-busy={state === 'busy'} onClick={() => void find()}>
        {state === 'busy' ? 'Looking for it…' : 'Find the latest record'}
      </button>
    )
  if ('error' in state) return <span role="alert">{failureOf(state.error).title}.</span>
  const { ms } = state
  if (ms === null) return <span role="status">No record in the last year.</span>
  const day = { fromMs: dayStart(ms, zone), toMs: dayStart(ms, zone, 1) }
  return (
    <span role="status">
      Latest record: {formatMoment(ms, zone)}.{' '}
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
