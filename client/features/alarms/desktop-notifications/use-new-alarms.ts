// Reports new alarms of all customers on this desktop, in one tab of the browser.
import { useEffect, useState } from 'react'
import type { AlarmsEvent } from '#shared/answers/events.ts'
import type { AlarmOfCustomer, OrganizationAlarms } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { browser, withTabLock } from '../../../lib/browser.ts'
import { count } from '../../../lib/format.ts'
import { request } from '../../../lib/http/request.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { bandOf } from '../priorities/bands.ts'
import { isMuted, isOn, priorityTo, useNotificationSettings } from './settings.ts'
import { playTones } from './tones.ts'

const LOCK = 'portal.alarm-notifications'
/** More new alarms at once are one notification, so that a failed building does not fill the screen. */
const SEPARATE_MAX = 3
const READ_MAX = 50

/** Whether this tab reports new alarms: one tab of those where it is switched on. It follows the stream also while hidden. */
export function useIsReporter(): boolean {
  const isWanted = isOn(useNotificationSettings())
  const [isReporter, setReporter] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    const untilStopped = new Promise<void>((resolve) =>
      stop.signal.addEventListener('abort', () => resolve())
    )
    const report = () => {
      setReporter(true)
      return untilStopped
    }
    void withTabLock(LOCK, report, stop.signal)
    return () => {
      stop.abort()
      setReporter(false)
    }
  }, [isWanted])
  return isReporter && isWanted
}

/** Returns a function that reports what is new in an event about a customer. The first event is the present state. */
export function useNewAlarms(): (event: AlarmsEvent, previous: AlarmsEvent | undefined) => void {
  const organizationId = useOrganization().id
  const integratorId = isGlobalAdmin(useSession()) ? (organizationId ?? undefined) : undefined
  const settings = useNotificationSettings()

  function report(newAlarms: readonly AlarmOfCustomer[]): void {
    if (newAlarms.length === 0 || isMuted(settings, Date.now())) return
    if (settings.sound) playTones()
    if (!settings.desktop) return
    if (newAlarms.length > SEPARATE_MAX) {
      const names = new Set(newAlarms.map(({ customer }) => customer.orgName))
      const address = paths.withIntegrator(paths.allAlarms, integratorId ?? null)
      notify(count(newAlarms.length, 'new alarm'), [...names].join(', '), 'portal.new-alarms', address)
      return
    }
    for (const { uuid, timestamp, sourceName, priority, customer, device, messageText } of newAlarms) {
      const place = [customer.orgName, device?.deviceName].filter(Boolean).join(' · ')
      const address = `${paths.alarms(paths.customer(customer.id, integratorId))}?${new URLSearchParams({ alarm: uuid, at: timestamp })}`
      notify(`${bandOf(priority)?.label ?? ''}: ${sourceName}`, `${place}\n${messageText}`, uuid, address)
    }
  }

  async function readNew(customerId: string, since: string): Promise<void> {
    if (organizationId === null) return
    const path = calls.organizationAlarms(organizationId, {
      customerId,
      priorityTo: priorityTo(settings),
      size: READ_MAX
    })
    const { items } = await request<OrganizationAlarms>(path, { background: true })
    report(items.filter(({ timestamp, ackState }) => timestamp > since && ackState === 'unacked'))
  }

  return ({ customerId, newestAt }, previous) => {
    if (newestAt === null || previous === undefined || newestAt <= (previous.newestAt ?? '')) return
    // A lost answer is not asked for again: the list and the number show the alarm.
    readNew(customerId, previous.newestAt ?? '').catch(() => {})
  }
}

/**
 * Shows a notification that opens the address.
 * @param tag the browser shows one notification for each tag
 */
function notify(title: string, body: string, tag: string, address: string): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag })
    notification.onclick = () => {
      window.focus()
      notification.close()
      browser.leaveTo(address)
    }
  } catch {
    // Browsers on phones have no notifications of a page.
  }
}
