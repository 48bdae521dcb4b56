import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { PrefetchContext } from '../ui/prefetch-link.tsx'
import { prefetchScreen, routes } from './router.tsx'

const router = createBrowserRouter(routes)

export function App() {
  return (
    <PrefetchContext value={prefetchScreen}>
      {/* A list's state stands in the address: what follows a key or a click is drawn at once, not in slices. */}
      <RouterProvider router={router} useTransitions={false} />
    </PrefetchContext>
  )
}
