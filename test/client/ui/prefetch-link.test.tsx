// Links within the portal are router links, which prefetch the code of their screen.
import '../../support/client/dom.ts'
import '../../support/client/patience.ts'

import { cleanup, fireEvent, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import t from 'tap'
import { PrefetchContext, PrefetchLink } from '#client/ui/prefetch-link.tsx'

function StateText() {
  return <p>state {String(useLocation().state)}</p>
}

function openLink() {
  const addresses: string[] = []
  const link = (
    <PrefetchLink to="/reports?q=a" state="something">
      There
    </PrefetchLink>
  )
  const router = createMemoryRouter([
    { path: '/', element: link },
    { path: '/reports', element: <StateText /> }
  ])
  const view = render(
    <PrefetchContext value={(address) => addresses.push(address)}>
      <RouterProvider router={router} useTransitions={false} />
    </PrefetchContext>
  )
  return { ...view, addresses }
}

t.afterEach(() => cleanup())

t.test('fetches no code before the pointer or the focus reaches the link', async (t) => {
  t.strictSame(openLink().addresses, [])
})

t.test('hovering or focusing the link fetches the code of its screen', async (t) => {
  for (const trigger of [fireEvent.pointerEnter, fireEvent.focus]) {
    const { getByRole, addresses } = openLink()
    trigger(getByRole('link'))
    t.strictSame(addresses, ['/reports?q=a'])
    cleanup()
  }
})

t.test('a click navigates with the state of the link', async (t) => {
  const { getByRole, findByText } = openLink()
  t.equal(getByRole('link').getAttribute('href'), '/reports?q=a', 'the link has an address to copy')
  fireEvent.click(getByRole('link'))
  t.ok(await findByText('state something'))
})
