import type { Missing } from '#shared/entities.ts'
import { PLANS_MISSING, SUBSCRIPTIONS_MISSING } from '#shared/messages.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import type { Load } from '../../../lib/http/query.ts'
import { Notice } from '../../../ui/state/notice.tsx'

export interface DeviceNoticesProps {
  load: Load<unknown>
  partial: Missing[]
}

/** What is wrong with devices that still show. */
export default function DeviceNotices({ load, partial }: DeviceNoticesProps) {
  return (
    <>
      {load.error !== undefined && load.data !== undefined && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: load.reload }}>
          {failureOf(load.error).title}. The devices below may be out of date.
        </Notice>
      )}
      {partial.includes('subscriptions') && (
        <Notice tone="warn" action={{ label: 'Retry', onAct: load.reload }}>
          {SUBSCRIPTIONS_MISSING}
        </Notice>
      )}
      {partial.includes('plans') && <Notice tone="info">{PLANS_MISSING}</Notice>}
    </>
  )
}
