import type { ComponentType } from 'react'
import { matchRoutes, type RouteObject } from 'react-router-dom'
import { loadBootstrap } from '../features/people/session/api.ts'
import { CustomersPage } from '../features/sites/customers/customers-page.tsx'
import { NotFound } from '../ui/state/panel.tsx'
import { PortalFailed, ScreenFailed } from './errors/failed.tsx'
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

type LoadPage = () => Promise<{ default: ComponentType }>

const page = (path: string, load: LoadPage): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default })
})
const guarded = (Component: ComponentType, ...children: RouteObject[]): RouteObject => ({
  Component,
  children
})

const Nothing = () => null

const customerArea: RouteObject[] = [
  page('', () => import('../features/sites/projects/projects-page.tsx')),
  page('devicedetails', () => import('../features/data/device-details/device-page.tsx')),
  page('devicedetails/pointdetails', () => import('../features/data/device-details/point/point-page.tsx')),
  page('devicedetails/history', () => import('../features/data/history/history-page.tsx')),
  page('dataservice', () => import('../features/data/data-service/data-service-page.tsx')),
  page('savedbackups', () => import('../features/recover/backups/backups-page.tsx')),
  guarded(
    AlarmsGuard,
    page('alarms', () => import('../features/alarms/alarms/alarms-page.tsx'))
  ),
  guarded(
    ServiceAccountsGuard,
    page('serviceaccount', () => import('../features/people/service-accounts/service-accounts-page.tsx')),
    page('serviceaccount/create', () => import('../features/people/service-accounts/create-page.tsx')),
    page(
      'serviceaccount/:serviceAccountId',
      () => import('../features/people/service-accounts/account-page.tsx')
    )
  ),
  { path: '*', Component: NotFound }
]

const mainArea: RouteObject[] = [
  { index: true, Component: Landing },
  page('unsubscribe-email', () => import('./unsubscribe.tsx')),
  guarded(
    UsersGuard,
    page('users', () => import('../features/people/users/users-page.tsx')),
    page('users/adduser', () => import('../features/people/users/invitations/add-user-page.tsx')),
    page(
      'users/adduser/rolesaccess',
      () => import('../features/people/users/invitations/add-user-access-page.tsx')
    ),
    page('users/:userId', () => import('../features/people/users/person/user-page.tsx')),
    page(
      'users/:userId/customer/:customerId',
      () => import('../features/people/users/person/manage-access-page.tsx')
    )
  ),
  guarded(
    RegistrationGuard,
    page('registerdevice', () => import('../features/sites/registration/register-device-page.tsx'))
  ),
  guarded(
    OrganizationGuard,
    page('reports', () => import('../features/data/reports/reports-page.tsx')),
    page('auditlog', () => import('../features/people/audit-log/audit-log-page.tsx')),
    page('exports', () => import('../features/data/exports/exports-page.tsx'))
  ),
  {
    path: 'integrators/:organizationId',
    children: [
      { index: true, Component: CustomersPage },
      { path: 'customers/:customerId', Component: CustomerGuard, children: customerArea }
    ]
  },
  { path: 'customers/:customerId', Component: CustomerGuard, children: customerArea },
  { path: '*', Component: NotFound }
]

export const routes: RouteObject[] = [
  { ...page('/logout', () => import('./session/logout-page.tsx')), HydrateFallback: Nothing },
  { ...page('/signed-out', () => import('./errors/signed-out-page.tsx')), HydrateFallback: Nothing },
  { ...page('/signin-failed', () => import('./errors/signin-failed-page.tsx')), HydrateFallback: Nothing },
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
          page('errors/authorization', () => import('./errors/access-denied-page.tsx')),
          page('errors/remote/:error?/*', () => import('./errors/remote-error-page.tsx'))
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

/** Fetches the code of the screen at an address. */
export function prefetchScreen(to: string): void {
  for (const { route } of matchRoutes(routes, to.split(/[?#]/)[0] ?? '') ?? []) {
    if (typeof route.lazy === 'function') route.lazy().catch(() => {})
  }
}
