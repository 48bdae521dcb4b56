import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { WaysContext } from './components/prefetch-link.tsx'
import { routes, waysOf } from './router.tsx'

const router = createBrowserRouter(routes)
const ways = waysOf(router)

export function App() {
  return (
    <WaysContext value={ways}>
      {/* A list's state stands in the address: what follows a key or a click is drawn at once, not in slices. */}
      <RouterProvider router={router} useTransitions={false} />
    </WaysContext>
  )
}
