import type { ComponentType } from 'react'
import { matchRoutes, type RouteObject } from 'react-router-dom'
import { loadBootstrap } from './api/bootstrap.ts'
import {
  CustomerGuard,
  IntegratorGuard,
  OrganizationGuard,
  RegistrationGuard,
  ServiceAccountsGuard,
  UsersGuard
} from './guards.tsx'
import { Landing } from './landing.tsx'
import { CustomersPage } from './screens/customers/customers-page.tsx'
import NotFoundPage from './screens/errors/not-found-page.tsx'
import { PortalFailed, ScreenFailed } from './screens/shell/failed.tsx'
import { Frame } from './screens/shell/frame.tsx'
import { FrameSkeleton } from './screens/shell/frame-skeleton.tsx'
import { Portal, RoleGate } from './screens/shell/portal.tsx'

const screen = (load: () => Promise<{ default: ComponentType }>) => ({
  lazy: async () => ({ Component: (await load()).default })
})

const Nothing = () => null

/** A page still to come, by its titles, outermost first. */
const pending = (...titles: string[]) => ({
  lazy: async () => {
    const { PendingPage } = await import('./screens/pending/pending-page.tsx')
    return { Component: () => <PendingPage titles={titles} /> }
  }
})

const pendingAlarms = {
  lazy: async () => {
    const [{ PendingPage }, { AlarmsGuard }] = await Promise.all([
      import('./screens/pending/pending-page.tsx'),
      import('./alarms-guard.tsx')
    ])
    const Component = () => (
      <AlarmsGuard>
        <PendingPage titles={['Alarms']} />
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
  { path: 'savedbackups', ...pending('Saved Backups') },
  { path: 'alarms', ...pendingAlarms },
  {
    path: 'serviceaccount',
    Component: ServiceAccountsGuard,
    children: [
      { index: true, ...pending('Service Accounts') },
      { path: 'create', ...pending('Service Accounts', 'Create Service Account') },
      { path: ':serviceAccountId', ...pending('Service Accounts', 'Service Account') }
    ]
  },
  { path: '*', Component: NotFoundPage }
]

const mainArea: RouteObject[] = [
  { index: true, Component: Landing },
  { path: 'unsubscribe-email', Component: CustomersPage },
  {
    path: 'users',
    Component: UsersGuard,
    children: [
      { index: true, ...pending('Users and Roles') },
      { path: 'adduser', ...pending('Users and Roles', 'Add User') },
      { path: 'adduser/rolesaccess', ...pending('Users and Roles', 'Add User') },
      { path: ':userId', ...pending('Users and Roles', 'User') },
      { path: ':userId/customer/:customerId', ...pending('Users and Roles', 'Manage Access') }
    ]
  },
  {
    path: 'registerdevice',
    Component: RegistrationGuard,
    children: [{ index: true, ...pending('Register Device') }]
  },
  {
    Component: OrganizationGuard,
    children: [
      { path: 'reports', ...screen(() => import('./screens/reports/reports-page.tsx')) },
      { path: 'auditlog', ...pending('Audit Log') },
      { path: 'exports', ...pending('Saved Exports') }
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
  { path: '*', Component: NotFoundPage }
]

export const routes: RouteObject[] = [
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
        element: <Frame navigation={false} />,
        children: [
          {
            path: 'errors/authorization',
            ...screen(() => import('./screens/errors/access-denied-page.tsx'))
          }
        ]
      },
      {
        Component: RoleGate,
        children: [{ Component: Frame, children: [{ ErrorBoundary: ScreenFailed, children: mainArea }] }]
      }
    ]
  }
]

/** Fetches the code of the screen at an address before it is asked for. */
export function prefetchScreen(to: string): void {
  for (const { route } of matchRoutes(routes, to.split(/[?#]/)[0] ?? '') ?? []) {
    if (typeof route.lazy === 'function') route.lazy().catch(() => {})
  }
}
