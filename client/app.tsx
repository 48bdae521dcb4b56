import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { PrefetchContext } from './components/prefetch-link.tsx'
import { prefetchScreen, routes } from './router.tsx'

const router = createBrowserRouter(routes)

export function App() {
  return (
    <PrefetchContext value={prefetchScreen}>
      <RouterProvider router={router} />
    </PrefetchContext>
  )
}
