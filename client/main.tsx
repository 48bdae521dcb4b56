import './app/pico.scss'
import './app/main.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { prefetchScreen, routes } from './app/router.tsx'
import { PrefetchContext } from './ui/prefetch-link.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PrefetchContext value={prefetchScreen}>
        {/* A list's state is in the address: what follows a key or a click is drawn at once, not in slices. */}
        <RouterProvider router={createBrowserRouter(routes)} useTransitions={false} />
      </PrefetchContext>
    </StrictMode>
  )
}
