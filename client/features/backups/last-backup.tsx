import { count } from '../../lib/format.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { useBackups } from './api.ts'

const NEWEST = { sort: 'backupDate', order: 'desc' }
const LOOKED_THROUGH = 50

/** When the device was last saved whole, and how much is kept of it. */
export function LastBackup({
  customerId,
  deviceUuid,
  nowMs
}: {
  customerId: string
  deviceUuid: string
  nowMs: number
}) {
  const { data } = useBackups(customerId, { deviceUuid }, NEWEST, 0, LOOKED_THROUGH)
  if (!data || data.page.totalElements === 0) return null
  const last = data.items.find(({ status }) => status === 'COMPLETE')
  return (
    <p className="last-backup">
      {last ? (
        <>
          Last good backup <Timestamp iso={last.backupDate} as="ago" nowMs={nowMs} />
        </>
      ) : (
        'No good backup among the latest'
      )}
      {' · '}
      {count(data.page.totalElements, 'backup')}
    </p>
  )
}
