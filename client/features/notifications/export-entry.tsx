import { formatAgo } from '../../lib/time/ago.ts'
import { formatNotificationTime, useZone } from '../../lib/time/time.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { exportWatch, type UnreadExport } from '../exports/export-watch.ts'
import { exportAddress } from '../exports/unread-exports.ts'
import { useIntegrator } from '../session/integrator.ts'
import { useSession } from '../session/session.ts'

/** Of an export that has come to its end. This browser alone knows of it: once it is read it is gone. */
export function ExportEntry({ one, onFollow }: { one: UnreadExport; onFollow: () => void }) {
  const { id, exportName, failure, endedDate } = one
  const { user, nowMs } = useSession()
  const { chosen } = useIntegrator()
  const zone = useZone()
  const read = () => exportWatch.read(user.id, id)
  return (
    <li className="notification" data-unread>
      <div className="notification-head">
        <h3>
          <span className="sr-only">Unread: </span>
          {failure === null ? 'Export ready' : 'Export failed'}
        </h3>
      </div>
      <p className="notification-text">
        Export “
        <PrefetchLink
          to={exportAddress(exportName, chosen?.id ?? null)}
          onClick={() => {
            read()
            onFollow()
          }}
        >
          {exportName}
        </PrefetchLink>
        ” {failure === null ? 'is ready.' : failure ? `failed: ${failure}` : 'failed.'}
      </p>
      <div className="notification-facts">
        {endedDate && (
          <time dateTime={endedDate} title={`${formatAgo(endedDate, nowMs())}, ${zone}`}>
            {formatNotificationTime(endedDate, zone)}
          </time>
        )}
        <button
          type="button"
          className="link-button"
          onClick={({ currentTarget }) => {
            // The button goes with the entry: the focus must not fall out of the list.
            currentTarget
              .closest('.notifications')
              ?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
              ?.focus()
            read()
          }}
        >
          Mark as read<span className="sr-only">: {exportName}</span>
        </button>
      </div>
    </li>
  )
}
