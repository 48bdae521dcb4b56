import type { ComponentType } from 'react'
import { type createBrowserRouter, matchRoutes, type RouteObject } from 'react-router-dom'
import { loadBootstrap } from './api/bootstrap.ts'
import { attachments } from './attachments.ts'
import type { Ways } from './components/prefetch-link.tsx'
import {
  CustomerGuard,
  IntegratorGuard,
  OrganizationGuard,
  PartnerGuard,
  RegistrationGuard,
  ServiceAccountsGuard,
  UsersGuard
} from './guards.tsx'
import { Landing } from './landing.tsx'
import { CustomersPage } from './screens/customers/customers-page.tsx'
import { PortalFailed, ScreenFailed } from './screens/shell/failed.tsx'
import { Frame } from './screens/shell/frame.tsx'
import { FrameSkeleton } from './screens/shell/frame-skeleton.tsx'
import { Portal, RoleGate } from './screens/shell/portal.tsx'

const screen = (load: () => Promise<{ default: ComponentType }>) => ({
  lazy: async () => ({ Component: (await load()).default })
})

const notFound = screen(() => import('./screens/errors/not-found-page.tsx'))

const Nothing = () => null

const alarms = {
  lazy: async () => {
    const [{ default: AlarmsPage }, { AlarmsGuard }] = await Promise.all([
      import('./screens/alarms/alarms-page.tsx'),
      import('./alarms-guard.tsx')
    ])
    const Component = () => (
      <AlarmsGuard>
        <AlarmsPage />
      </AlarmsGuard>
    )
    return { Component }
  }
}

const customerArea: RouteObject[] = [
  { index: true, ...screen(() => import('./screens/projects/projects-page.tsx')) },
  { path: 'devicedetails', ...screen(() => import('./screens/device-details/device-page.tsx')) },
  {
    path: 'devicedetails/pointdetails',
    ...screen(() => import('./screens/device-details/point-page.tsx'))
  },
  { path: 'devicedetails/history', ...screen(() => import('./screens/history/history-page.tsx')) },
  { path: 'dataservice', ...screen(() => import('./screens/data-services/data-service-page.tsx')) },
  { path: 'savedbackups', ...screen(() => import('./screens/backups/backups-page.tsx')) },
  { path: 'alarms', ...alarms },
  {
    path: 'serviceaccount',
    Component: ServiceAccountsGuard,
    children: [
      { index: true, ...screen(() => import('./screens/service-accounts/service-accounts-page.tsx')) },
      { path: 'create', ...screen(() => import('./screens/service-accounts/create-page.tsx')) },
      { path: ':serviceAccountId', ...screen(() => import('./screens/service-accounts/account-page.tsx')) }
    ]
  },
  { path: '*', ...notFound }
]

const mainArea: RouteObject[] = [
  { index: true, Component: Landing },
  {
    Component: PartnerGuard,
    children: [{ path: 'unsubscribe-email', ...screen(() => import('./unsubscribe.tsx')) }]
  },
  {
    path: 'users',
    Component: UsersGuard,
    children: [
      { index: true, ...screen(() => import('./screens/users/users-page.tsx')) },
      { path: 'adduser', ...screen(() => import('./screens/users/add-user-page.tsx')) },
      { path: 'adduser/rolesaccess', ...screen(() => import('./screens/users/add-user-access-page.tsx')) },
      { path: ':userId', ...screen(() => import('./screens/users/user-page.tsx')) },
      {
        path: ':userId/customer/:customerId',
        ...screen(() => import('./screens/users/manage-access-page.tsx'))
      }
    ]
  },
  {
    path: 'registerdevice',
    Component: RegistrationGuard,
    children: [{ index: true, ...screen(() => import('./screens/registration/register-device-page.tsx')) }]
  },
  {
    Component: OrganizationGuard,
    children: [
      { path: 'reports', ...screen(() => import('./screens/reports/reports-page.tsx')) },
      { path: 'auditlog', ...screen(() => import('./screens/audit-log/audit-log-page.tsx')) },
      { path: 'exports', ...screen(() => import('./screens/exports/exports-page.tsx')) }
    ]
  },
  {
    path: 'integrators/:organizationId',
    Component: IntegratorGuard,
    children: [
      { index: true, Component: CustomersPage },
      { path: 'customers/:customerId', children: customerArea }
    ]
  },
  { path: 'customers/:customerId', Component: CustomerGuard, children: customerArea },
  { path: '*', ...notFound }
]

export const routes: RouteObject[] = [
  {
    path: '/logout',
    HydrateFallback: Nothing,
    ...screen(() => import('./screens/session/logout-page.tsx'))
  },
  {
    path: '/signed-out',
    HydrateFallback: Nothing,
    ...screen(() => import('./screens/errors/signed-out-page.tsx'))
  },
  {
    path: '/signin-failed',
    HydrateFallback: Nothing,
    ...screen(() => import('./screens/errors/signin-failed-page.tsx'))
  },
  {
    path: '/',
    loader: loadBootstrap,
    shouldRevalidate: () => false,
    Component: Portal,
    HydrateFallback: FrameSkeleton,
    ErrorBoundary: PortalFailed,
    children: [
      {
        element: <Frame navigation={false} attachments={attachments} />,
        children: [
          {
            path: 'errors/authorization',
            ...screen(() => import('./screens/errors/access-denied-page.tsx'))
          },
          {
            path: 'errors/remote/:error?/*',
            ...screen(() => import('./screens/errors/remote-error-page.tsx'))
          }
        ]
      },
      {
        Component: RoleGate,
        children: [
          {
            element: <Frame attachments={attachments} />,
            children: [{ ErrorBoundary: ScreenFailed, children: mainArea }]
          }
        ]
      }
    ]
  }
]

/** Fetches the code of the screen at an address before it is asked for. */
function prefetchScreen(to: string): void {
  for (const { route } of matchRoutes(routes, to.split(/[?#]/)[0] ?? '') ?? []) {
    if (typeof route.lazy === 'function') route.lazy().catch(() => {})
  }
}

/** How links lead on by a router of these routes. */
export function waysOf(router: ReturnType<typeof createBrowserRouter>): Ways {
  return { go: (to, options) => void router.navigate(to, options), prefetch: prefetchScreen }
}
