import type { ComponentType } from 'react'
import { matchRoutes, type RouteObject } from 'react-router-dom'
import { CustomersPage } from '../features/customers/customers-page.tsx'
import { loadBootstrap } from '../features/session/api.ts'
import { PortalFailed, ScreenFailed } from './errors/failed.tsx'
import { NotFoundPage } from './errors/instead.tsx'
import { Frame } from './frame/frame.tsx'
import { FrameSkeleton } from './frame/frame-skeleton.tsx'
import {
  AlarmsGuard,
  CustomerGuard,
  IntegratorGuard,
  OrganizationGuard,
  RegistrationGuard,
  ServiceAccountsGuard,
  UsersGuard
} from './guards.tsx'
import { Landing } from './landing.tsx'
import { Portal, RoleGate } from './session/portal.tsx'

const screen = (load: () => Promise<{ default: ComponentType }>) => ({
  lazy: async () => ({ Component: (await load()).default })
})

const Nothing = () => null

const customerArea: RouteObject[] = [
  { index: true, ...screen(() => import('../features/projects/projects-page.tsx')) },
  { path: 'devicedetails', ...screen(() => import('../features/device-details/device-page.tsx')) },
  {
    path: 'devicedetails/pointdetails',
    ...screen(() => import('../features/device-details/point/point-page.tsx'))
  },
  { path: 'devicedetails/history', ...screen(() => import('../features/history/history-page.tsx')) },
  { path: 'dataservice', ...screen(() => import('../features/data-service/data-service-page.tsx')) },
  { path: 'savedbackups', ...screen(() => import('../features/backups/backups-page.tsx')) },
  {
    path: 'alarms',
    Component: AlarmsGuard,
    children: [{ index: true, ...screen(() => import('../features/alarms/alarms-page.tsx')) }]
  },
  {
    path: 'serviceaccount',
    Component: ServiceAccountsGuard,
    children: [
      { index: true, ...screen(() => import('../features/service-accounts/service-accounts-page.tsx')) },
      { path: 'create', ...screen(() => import('../features/service-accounts/create-page.tsx')) },
      {
        path: ':serviceAccountId',
        ...screen(() => import('../features/service-accounts/account-page.tsx'))
      }
    ]
  },
  { path: '*', Component: NotFoundPage }
]

const mainArea: RouteObject[] = [
  { index: true, Component: Landing },
  { path: 'unsubscribe-email', ...screen(() => import('./unsubscribe.tsx')) },
  {
    path: 'users',
    Component: UsersGuard,
    children: [
      { index: true, ...screen(() => import('../features/users/users-page.tsx')) },
      { path: 'adduser', ...screen(() => import('../features/users/invitations/add-user-page.tsx')) },
      {
        path: 'adduser/rolesaccess',
        ...screen(() => import('../features/users/invitations/add-user-access-page.tsx'))
      },
      { path: ':userId', ...screen(() => import('../features/users/person/user-page.tsx')) },
      {
        path: ':userId/customer/:customerId',
        ...screen(() => import('../features/users/person/manage-access-page.tsx'))
      }
    ]
  },
  {
    path: 'registerdevice',
    Component: RegistrationGuard,
    children: [{ index: true, ...screen(() => import('../features/registration/register-device-page.tsx')) }]
  },
  {
    Component: OrganizationGuard,
    children: [
      { path: 'reports', ...screen(() => import('../features/reports/reports-page.tsx')) },
      { path: 'auditlog', ...screen(() => import('../features/audit-log/audit-log-page.tsx')) },
      { path: 'exports', ...screen(() => import('../features/exports/exports-page.tsx')) }
    ]
  },
  {
    path: 'integrators/:organizationId',
    children: [
      { index: true, Component: CustomersPage },
      { path: 'customers/:customerId', Component: CustomerGuard, children: customerArea }
    ]
  },
  { path: 'customers/:customerId', Component: CustomerGuard, children: customerArea },
  { path: '*', Component: NotFoundPage }
]

export const routes: RouteObject[] = [
  {
    path: '/logout',
    HydrateFallback: Nothing,
    ...screen(() => import('./session/logout-page.tsx'))
  },
  {
    path: '/signed-out',
    HydrateFallback: Nothing,
    ...screen(() => import('./errors/signed-out-page.tsx'))
  },
  {
    path: '/signin-failed',
    HydrateFallback: Nothing,
    ...screen(() => import('./errors/signin-failed-page.tsx'))
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
            ...screen(() => import('./errors/access-denied-page.tsx'))
          },
          {
            path: 'errors/remote/:error?/*',
            ...screen(() => import('./errors/remote-error-page.tsx'))
          }
        ]
      },
      {
        Component: RoleGate,
        children: [
          {
            element: <Frame />,
            children: [{ ErrorBoundary: ScreenFailed, Component: IntegratorGuard, children: mainArea }]
          }
        ]
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
