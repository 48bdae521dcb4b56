// Every page of the client's router, as a partner admin opens it.
import '#test/support/client/dom.ts'

import type { RouteObject } from 'react-router-dom'
import { routes } from '#client/app/router.tsx'
import { WORKLIST_NAMES } from '#shared/worklists.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Portal } from '#test/support/portal.ts'
import { deviceOf, pointOf } from './data-screens.ts'

const SKIPPED_PATHS = ['/logout', '/integrators/:organizationId']

/** Addresses of all pages. Throws for a route with a parameter that has no value in this function. */
export function pagesOf(portal: Portal): string[] {
  const device = deviceOf(portal, 'airHandler')
  const { deviceUuid } = device
  const { cloudId } = pointOf(device, 'Supply Air Temp')
  const values: Record<string, string> = {
    ':customerId': NOTABLE.northwind,
    ':userId': 'u-partner-user',
    ':serviceAccountId': 'sa-1001-2',
    ':error?': 'offline',
    ':list': 'services',
    '*': 'nowhere'
  }
  const queries: Record<string, string> = {
    'unsubscribe-email': '?eventTypeId=1',
    devicedetails: `?deviceUuid=${deviceUuid}`,
    pointdetails: `?deviceUuid=${deviceUuid}&cloudId=${cloudId}`,
    history: `?deviceUuid=${deviceUuid}&points=${deviceUuid}~${cloudId}`
  }
  return routePaths()
    .filter((path) => !SKIPPED_PATHS.some((prefix) => path.startsWith(prefix)))
    .map((path) => {
      const parts = path.split('/').map((part) => (/^[:*]/.test(part) ? values[part] : part))
      if (parts.includes(undefined)) throw new Error(`no value for a parameter of ${path}`)
      return parts.join('/') + (queries[parts.at(-1) ?? ''] ?? '')
    })
    .flatMap((address) =>
      address === '/worklists/services'
        ? [...WORKLIST_NAMES, 'devices'].map((list) => `/worklists/${list}`)
        : address
    )
    .flatMap((address) => (address.includes('/history?') ? [address, `${address}&view=paper`] : address))
}

/** The path of every route that has a screen. */
export function routePaths(level: readonly RouteObject[] = routes, parentPath = ''): string[] {
  return level.flatMap(({ path = '', children }) => {
    const fullPath = `${parentPath}/${path}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
    return children ? routePaths(children, fullPath) : [fullPath || '/']
  })
}
