import './app/main.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { prefetchScreen, routes } from './app/router.tsx'
import { createRetries, RetriesContext } from './lib/http/retry.ts'
import { PrefetchContext } from './ui/prefetch-link.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PrefetchContext value={prefetchScreen}>
        {/* Lists keep their state in the address, so navigation must render at once and not as a transition. */}
        <RetriesContext value={createRetries()}>
          <RouterProvider router={createBrowserRouter(routes)} useTransitions={false} />
        </RetriesContext>
      </PrefetchContext>
    </StrictMode>
  )
}
