// Opens the client's routes at an address, with a fake gateway.
import './dom.ts'
import './patience.ts'

import { setImmediate } from 'node:timers/promises'
import { cleanup, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { SWRConfig } from 'swr'
import type { Test } from 'tap'
import { prefetchScreen, routes } from '#client/app/router.tsx'
import { browser } from '#client/lib/browser.ts'
import { noteBack } from '#client/lib/http/connection.ts'
import { createRetries, RetriesContext } from '#client/lib/http/retry.ts'
import { setResponsive } from '#client/lib/layout.ts'
import { TOAST_MS } from '#client/lib/limits.ts'
import { PrefetchContext } from '#client/ui/prefetch-link.tsx'
import { toasts } from '#client/ui/state/toasts.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { display, setDisplay } from './dom.ts'
import { type Answers, BOOTSTRAP, bootstrap, startGateway } from './gateway.ts'

const SWR = { provider: () => new Map(), loadingTimeout: 0, dedupingInterval: 0 }

/** Keeps messages on the screen, because a test on a busy machine may look for messages late. */
function keepMessages(t: Test): void {
  const { setTimeout: realSetTimeout } = globalThis
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms?: number, ...rest: unknown[]) =>
      ms === TOAST_MS ? undefined : realSetTimeout(work, ms, ...rest)
  })
}

export type Portal = ReturnType<typeof openPortal>

/**
 * @param rest fields of the bootstrap that differ from a partner admin's bootstrap
 * @param shouldRetry whether the portal repeats failed reads by itself
 */
export function openPortal(
  t: Test,
  address: string,
  answers: Answers = {},
  rest: Partial<Bootstrap> = {},
  shouldRetry = false
) {
  keepMessages(t)
  const gateway = startGateway({ [BOOTSTRAP]: bootstrap(rest), ...answers })
  const left: string[] = []
  browser.leaveTo = (url) => left.push(url)
  browser.reload = () => left.push('reload')
  browser.guarded = true
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const retries = createRetries()
  const view = render(
    <SWRConfig value={{ ...SWR, shouldRetryOnError: shouldRetry }}>
      <PrefetchContext value={prefetchScreen}>
        <RetriesContext value={retries}>
          <RouterProvider router={router} useTransitions={false} />
        </RetriesContext>
      </PrefetchContext>
    </SWRConfig>
  )
  t.teardown(async () => {
    // Runs effects that a busy machine has delayed. Their calls must not reach the gateway of the next test.
    cleanup()
    await setImmediate()
    router.dispose()
    gateway.stop()
    noteBack()
    toasts.forget()
    localStorage.clear()
    sessionStorage.clear()
    setResponsive(true)
    setDisplay({ wide: true, tablet: false, dark: false })
    display.watched.clear()
  })
  const location = () => router.state.location
  return {
    ...view,
    gateway,
    router,
    left,
    retries,
    address: () => location().pathname + location().search,
    callsTo: (path: string) => gateway.calls.filter((call) => call.path === path)
  }
}
