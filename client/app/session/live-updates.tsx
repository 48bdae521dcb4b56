import { useEffect, useEffectEvent, useRef } from 'react'
import { useParams } from 'react-router-dom'
import type { AlarmsEvent, LiveEvent } from '#shared/answers/events.ts'
import { calls } from '#shared/calls.ts'
import { outdatedAlarmKeys } from '../../features/alarms/alarms/api.ts'
import { useIsReporter, useNewAlarms } from '../../features/alarms/desktop-notifications/use-new-alarms.ts'
import { useSeen } from '../../lib/browser.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { reportForbidden } from '../../lib/http/sign-in.ts'
import { followEvents } from '../../lib/live/follow-events.ts'
import { forgetAlarms, live, storeAlarms } from '../../lib/live/live.ts'
import { useOrganization } from '../../lib/session/organization.ts'
import { useSession } from '../../lib/session/session.ts'

/** Follows the live stream while the page is visible or reports new alarms, and reloads what it reports as changed. */
export function LiveUpdates() {
  const { nowMs, user } = useSession()
  const organizationId = useOrganization().id ?? undefined
  const { customerId } = useParams()
  const isReporter = useIsReporter()
  const isWatching = useSeen() || isReporter
  const react = useReactions(organizationId, isReporter)
  const onEvent = useEffectEvent(react)
  useEffect(() => {
    if (!isWatching) return
    // The first data may have been read long before the stream opens.
    const pageStartMs = nowMs() - performance.now()
    return followEvents(calls.events({ customerId, organizationId }), {
      onEvent: (event) => onEvent(event, pageStartMs),
      onLive: (isLive) => live.setState({ state: isLive ? 'live' : 'polling' })
    })
  }, [isWatching, customerId, organizationId, nowMs])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other roles see other alarms
  useEffect(() => forgetAlarms, [user])
  return null
}

/** Returns a function that reloads what an event reports as changed. */
function useReactions(
  organizationId: string | undefined,
  isReporter: boolean
): (event: LiveEvent, pageStartMs: number) => void {
  const reloadSoon = useReloadSoon()
  const reportNew = useNewAlarms()
  /** The last tag of each customer's inventory. */
  const inventoryTags = useRef(new Map<string, string>())
  const rolesTag = useRef<string>(undefined)

  return ({ event, data }, pageStartMs) => {
    switch (event) {
      case 'alarms': {
        const previous = storeAlarms(data)
        if (isReporter) reportNew(data, previous)
        if (!hasChanged(data, previous, pageStartMs)) return
        reloadSoon(...outdatedAlarmKeys(data.customerId))
        if (organizationId !== undefined)
          reloadSoon(calls.organizationAlarms(organizationId), calls.attention(organizationId))
        return
      }
      case 'counts':
        return reloadSoon(calls.attention(data.organizationId))
      case 'inventory': {
        const { customerId, tag } = data
        const knownTag = inventoryTags.current.get(customerId)
        inventoryTags.current.set(customerId, tag)
        // The page has loaded the customer only just before the first event.
        if (knownTag === undefined || knownTag === tag) return
        return reloadSoon(calls.customer(customerId), calls.organizations)
      }
      case 'roles': {
        const knownTag = rolesTag.current
        rolesTag.current = data.tag
        // The roles have changed while no stream was open.
        if (knownTag !== undefined && knownTag !== data.tag) reportForbidden()
        return
      }
      case 'end':
        if (data.reason === 'session' || data.reason === 'roles') reportForbidden()
        return
    }
  }
}

/** Returns `useRefresh` for several events: those that arrive together reload each answer once. */
function useReloadSoon(): (...paths: string[]) => void {
  const refresh = useRefresh()
  const waitingPaths = useRef(new Set<string>())
  return (...paths) => {
    if (waitingPaths.current.size === 0)
      queueMicrotask(() => {
        const reloaded = [...waitingPaths.current]
        waitingPaths.current.clear()
        void refresh(...reloaded)
      })
    for (const path of paths) waitingPaths.current.add(path)
  }
}

/** Whether the alarms have changed since the last event about the customer or, without one, since the page began to load. */
function hasChanged(alarms: AlarmsEvent, previous: AlarmsEvent | undefined, pageStartMs: number): boolean {
  if (previous !== undefined) return previous.tag !== alarms.tag
  return alarms.readAt !== null && Date.parse(alarms.readAt) >= pageStartMs
}
