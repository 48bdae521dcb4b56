// Links within the portal are links of the router that fetch the code of their screen ahead.
import '../../support/client/dom.ts'
import '../../support/client/patience.ts'

import { cleanup, fireEvent, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import t from 'tap'
import { PrefetchContext, PrefetchLink } from '#client/ui/prefetch-link.tsx'

function Told() {
  return <p>told {String(useLocation().state)}</p>
}

function shown() {
  const fetched: string[] = []
  const link = (
    <PrefetchLink to="/reports?q=a" state="something">
      There
    </PrefetchLink>
  )
  const router = createMemoryRouter([
    { path: '/', element: link },
    { path: '/reports', element: <Told /> }
  ])
  const view = render(
    <PrefetchContext value={(address) => fetched.push(address)}>
      <RouterProvider router={router} useTransitions={false} />
    </PrefetchContext>
  )
  return { ...view, fetched }
}

t.afterEach(() => cleanup())

t.test('fetches nothing before the pointer or the focus arrives', async (t) => {
  t.strictSame(shown().fetched, [])
})

t.test('hovering or focusing the link fetches the code of its screen', async (t) => {
  for (const come of [fireEvent.pointerEnter, fireEvent.focus]) {
    const { getByRole, fetched } = shown()
    come(getByRole('link'))
    t.strictSame(fetched, ['/reports?q=a'])
    cleanup()
  }
})

t.test('a click navigates with its state', async (t) => {
  const { getByRole, findByText } = shown()
  t.equal(getByRole('link').getAttribute('href'), '/reports?q=a', 'has an address to copy')
  fireEvent.click(getByRole('link'))
  t.ok(await findByText('told something'))
})
