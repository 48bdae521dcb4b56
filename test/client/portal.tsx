// Opens the real routes of the client at an address, in front of a gateway of the test's making.
import './dom.ts'

import { cleanup, configure, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { SWRConfig } from 'swr'
import type { Test } from 'tap'
import { WaysContext } from '#client/components/prefetch-link.tsx'
import { browser } from '#client/lib/browser.ts'
import { setResponsive } from '#client/lib/layout.ts'
import { routes, waysOf } from '#client/router.tsx'
import { display, setDisplay } from './dom.ts'
import { type Answers, bootstrap, startGateway } from './gateway.ts'

// The whole document, as the library prints it, hides the message.
configure({ asyncUtilTimeout: 10_000, getElementError: (message) => new Error(message?.split('\n')[0]) })

const SWR = { provider: () => new Map(), shouldRetryOnError: false, loadingTimeout: 0, dedupingInterval: 0 }

export function openPortal(t: Test, address: string, answers: Answers = {}) {
  const gateway = startGateway({ '/api/portal/v1/bootstrap': bootstrap(), ...answers })
  const left: string[] = []
  browser.leaveTo = (url) => left.push(url)
  browser.reload = () => left.push('reload')
  browser.guarded = true
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const view = render(
    <SWRConfig value={SWR}>
      <WaysContext value={waysOf(router)}>
        <RouterProvider router={router} useTransitions={false} />
      </WaysContext>
    </SWRConfig>
  )
  t.teardown(() => {
    cleanup()
    router.dispose()
    gateway.stop()
    localStorage.clear()
    sessionStorage.clear()
    setResponsive(true)
    setDisplay({ wide: true, dark: false })
    display.watched.clear()
  })
  const place = () => router.state.location
  return {
    ...view,
    gateway,
    router,
    left,
    address: () => place().pathname + place().search,
    /** The calls so far to a path. */
    callsTo: (path: string) => gateway.calls.filter((call) => call.path === path)
  }
}
