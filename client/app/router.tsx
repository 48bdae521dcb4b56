import { type ComponentType, Fragment, type PropsWithChildren } from 'react'
import { matchRoutes, type RouteObject } from 'react-router-dom'
import type { Action } from '#shared/permissions.ts'
import { CUSTOMER_PATHS, CUSTOMER_SCREENS, SCREENS, type Screen, type ScreenName } from '#shared/screens.ts'
import { paths } from '../lib/paths.ts'
import { loadBootstrap } from '../lib/session/api.ts'
import { NotFound } from '../ui/state/panel.tsx'
import { PortalFailed, ScreenFailed } from './errors/failed.tsx'
import { Frame } from './frame/frame.tsx'
import { FrameSkeleton } from './frame/frame-skeleton.tsx'
import {
  AlarmsGuard,
  AllAlarmsGuard,
  CustomerGuard,
  IntegratorGuard,
  OrganizationGuard,
  RegistrationGuard,
  ServiceAccountsGuard,
  UsersGuard
} from './guards.tsx'
import { Portal, RoleGate } from './session/portal.tsx'
import { StartPage } from './start-page.tsx'

interface PageModule {
  default: ComponentType
}

/** The pages, each of which the bundler gives a chunk of its own. */
const PAGES = import.meta.glob<PageModule>('../features/**/*-page.tsx')

/** Decide whether the person may see a screen before it loads. OrganizationGuard guards the screens with an action. */
const GUARDS: Partial<Record<ScreenName, ComponentType>> = {
  users: UsersGuard,
  addUser: UsersGuard,
  addUserAccess: UsersGuard,
  user: UsersGuard,
  userAccess: UsersGuard,
  registerDevice: RegistrationGuard,
  allAlarms: AllAlarmsGuard,
  alarms: AlarmsGuard,
  serviceAccounts: ServiceAccountsGuard,
  createServiceAccount: ServiceAccountsGuard,
  serviceAccount: ServiceAccountsGuard
}

/** @param Around shown instead of the page, with the page as its children */
const lazyPage = (
  path: string,
  load: () => Promise<PageModule>,
  Around: ComponentType<PropsWithChildren> = Fragment
): RouteObject => ({
  path,
  lazy: async () => {
    const { default: Page } = await load()
    return {
      element: (
        <Around>
          <Page />
        </Around>
      )
    }
  }
})

function screenRoute(name: ScreenName, screen: Screen & { action?: Action }): RouteObject {
  // Relative, because the screens of a customer are at two paths.
  const path = screen.path.replace(/^\//, '')
  const route = lazyPage(path, pageOf(screen), name === 'home' ? StartPage : Fragment)
  const { action } = screen
  if (action) return { element: <OrganizationGuard action={action} />, children: [route] }
  const Guard = GUARDS[name]
  return Guard ? { Component: Guard, children: [route] } : route
}

function pageOf({ module }: Screen): () => Promise<PageModule> {
  const load = PAGES[`../features/${module}`]
  if (!load) throw new Error(`There is no page client/features/${module}.`)
  return load
}

const screenRoutes = (screens: Readonly<Record<string, Screen>>): RouteObject[] =>
  Object.entries(screens).map(([name, screen]) => screenRoute(name as ScreenName, screen))

const Nothing = () => null

const mainArea: RouteObject[] = [
  ...screenRoutes(SCREENS),
  lazyPage(paths.unsubscribe, () => import('./unsubscribe.tsx')),
  ...CUSTOMER_PATHS.map((path) => ({
    path,
    Component: CustomerGuard,
    children: [...screenRoutes(CUSTOMER_SCREENS), { path: '*', Component: NotFound }]
  })),
  { path: '*', Component: NotFound }
]

/** Routes match by case, as on the server: an address has one spelling. */
const matchingCase = (routes: RouteObject[]): RouteObject[] =>
  routes.map((route) => {
    if (route.children === undefined) return { ...route, caseSensitive: true }
    return { ...route, caseSensitive: true, children: matchingCase(route.children) }
  })

export const routes: RouteObject[] = matchingCase([
  { ...lazyPage('/logout', () => import('./session/logout-page.tsx')), HydrateFallback: Nothing },
  { ...lazyPage('/signed-out', () => import('./errors/signed-out-page.tsx')), HydrateFallback: Nothing },
  {
    ...lazyPage('/signin-failed', () => import('./errors/signin-failed-page.tsx')),
    HydrateFallback: Nothing
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
          lazyPage('errors/authorization', () => import('./errors/access-denied-page.tsx')),
          lazyPage('errors/remote/:error?/*', () => import('./errors/remote-error-page.tsx'))
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
])

/** Fetches the code of the screen at an address. */
export function prefetchScreen(to: string): void {
  for (const { route } of matchRoutes(routes, to.split(/[?#]/)[0] ?? '') ?? []) {
    if (typeof route.lazy === 'function') route.lazy().catch(() => {})
  }
}
