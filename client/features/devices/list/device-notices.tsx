import type { Missing } from '#shared/entities.ts'
import { PLANS_MISSING, SUBSCRIPTIONS_MISSING } from '#shared/messages.ts'
import type { Load } from '../../../lib/http/query.ts'
import { Notice, StaleNotice } from '../../../ui/state/notice.tsx'

export interface DeviceNoticesProps {
  load: Load<unknown>
  partial: Missing[]
}

/** What is wrong with devices that still show. */
export default function DeviceNotices({ load, partial }: DeviceNoticesProps) {
  return (
    <>
      {load.error !== undefined && load.data !== undefined && (
        <StaleNotice error={load.error} what="The devices below" onRefresh={load.reload} />
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
