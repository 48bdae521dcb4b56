import type { Missing } from '#shared/entities.ts'
import { SUBSCRIPTIONS_MISSING } from '#shared/messages.ts'
import { failureOf } from '../../api/api-error.ts'
import type { Load } from '../../api/use-load.ts'
import { Notice } from '../../components/notice.tsx'

interface DeviceNoticesProps {
  load: Load<unknown>
  partial: Missing[]
}

/** What is wrong with devices that still show. */
export function DeviceNotices({ load, partial }: DeviceNoticesProps) {
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
    </>
  )
}
