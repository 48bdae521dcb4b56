import BellOff from 'lucide-react/icons/bell-off'
import Settings from 'lucide-react/icons/settings'
import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { NOTIFICATION_LAZY_LOAD_MS } from '../../../lib/limits.ts'
import { useSession } from '../../../lib/session/session.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { exportWatch, type UnreadExport } from '../../data/exports/export-watch.ts'
import type { NotificationFilter, Unread } from './api.ts'
import type { Invitation } from './invitations/api.ts'
import { InvitationEntry } from './invitations/words.tsx'
import { ExportEntry, NotificationEntry } from './notification-entry.tsx'
import { type Feed, useFeed } from './use-feed.ts'

interface NotificationPanelProps {
  unread: Unread
  exports: readonly UnreadExport[]
  /** Invitations count as unread until they are answered. */
  invitations: readonly Invitation[]
  onAnswer: (invitationId: string) => void
  onClose: () => void
  onConfigure: () => void
}

export function NotificationPanel(props: NotificationPanelProps) {
  const { unread, exports, invitations, onAnswer, onClose, onConfigure } = props
  const { user } = useSession()
  const [filter, setFilter] = useState<NotificationFilter>('all')
  const feed = useFeed(user.id, filter, unread)
  const markableCount = unread.count + exports.length
  const isAllRead = markableCount === 0
  const count = markableCount + invitations.length

  function markAll() {
    void exportWatch.read(user.id)
    if (unread.count > 0) feed.markAll()
  }

  return (
    <div className="notifications">
      <div className="row notification-tools">
        <button
          type="button"
          className="link-button"
          aria-disabled={isAllRead}
          onClick={() => isAllRead || markAll()}
        >
          Mark all as read
        </button>
        <IconButton name="Configure Notifications" Icon={Settings} onPress={onConfigure} />
      </div>
      <Tabs
        label="Notifications"
        tabs={[
          { id: 'all', label: 'All' },
          { id: 'unread', label: 'Unread', ...(count === 0 ? {} : { count: formatNumber(count) }) }
        ]}
        chosen={filter}
        onChoose={setFilter}
      >
        {invitations.length > 0 && (
          <ul aria-label="Invitations">
            {invitations.map((invitation) => (
              <InvitationEntry
                key={invitation.id}
                invitation={invitation}
                onOpen={() => onAnswer(invitation.id)}
              />
            ))}
          </ul>
        )}
        {exports.length > 0 && (
          <ul aria-label="Exports">
            {exports.map((unread) => (
              <ExportEntry key={unread.id} unread={unread} onFollow={onClose} />
            ))}
          </ul>
        )}
        <NotificationList
          feed={feed}
          filter={filter}
          isOnlyList={exports.length + invitations.length === 0}
          onFollow={onClose}
        />
      </Tabs>
      <div className="row spread notification-foot" role="status">
        {feed.done && (
          <>
            <span>{feed.done.text}</span>
            <button type="button" className="link-button" onClick={feed.done.undo}>
              Undo
            </button>
          </>
        )}
      </div>
      {feed.problem && (
        <p className="row spread notification-foot field-error" role="alert">
          {feed.problem}
        </p>
      )}
    </div>
  )
}

const EMPTY: Record<NotificationFilter, { title: string; text: string }> = {
  all: {
    title: 'No notifications',
    text: 'Notifications about subscriptions and service accounts appear here.'
  },
  unread: {
    title: 'No unread notifications',
    text: 'You have read all notifications. Older ones are under “All”.'
  }
}

interface NotificationListProps {
  feed: Feed
  filter: NotificationFilter
  /** Whether the panel shows only this list, so that an empty list shows a message. */
  isOnlyList: boolean
  onFollow: () => void
}

function NotificationList({ feed, filter, isOnlyList, onFollow }: NotificationListProps) {
  const { items, phase, error, reload } = feed
  const hasFailed = error !== undefined
  if (hasFailed && items.length === 0) return <ErrorPanel error={error} refetch={reload} />
  if (phase === 'loading') return <Placeholders />
  if (items.length === 0) {
    if (!isOnlyList) return null
    return (
      <Panel icon={BellOff} title={EMPTY[filter].title} headingLevel={3}>
        <p>{EMPTY[filter].text}</p>
      </Panel>
    )
  }
  return (
    <>
      <ul aria-busy={phase === 'more'}>
        {items.map((notification) => (
          <NotificationEntry
            key={notification.notificationId}
            notification={notification}
            onMark={(readStatus) => feed.mark([notification.notificationId], readStatus)}
            onFollow={onFollow}
          />
        ))}
      </ul>
      {hasFailed && (
        <p className="field-error" role="alert">
          {failureOf(error).title}. The next notifications could not be loaded.
        </p>
      )}
      {feed.hasMore && (
        <LoadMore
          label="Load more"
          busy={phase === 'more'}
          onScroll={!hasFailed}
          afterMs={NOTIFICATION_LAZY_LOAD_MS}
          onLoad={feed.loadMore}
        />
      )}
    </>
  )
}

function Placeholders() {
  return (
    <ul aria-busy="true">
      {[0, 1, 2].map((line) => (
        <li key={line} className="lines anchor notification">
          <Skeleton width="60%" {...(line === 0 ? { label: 'Loading notifications' } : {})} />
          <Skeleton width="90%" />
        </li>
      ))}
    </ul>
  )
}
