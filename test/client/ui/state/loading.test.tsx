import '../../../support/client/dom.ts'

import { act, cleanup, render } from '@testing-library/react'
import t from 'tap'
import { ProgressBar } from '#client/ui/state/loading.tsx'

t.afterEach(() => cleanup())

t.test('shows a reload only if it lasts', async (t) => {
  const waiting = new Map<number, { work: () => void; ms: number }>()
  let made = 0
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms = 0) => {
      made += 1
      waiting.set(made, { work, ms })
      return made
    }
  })
  t.intercept(globalThis, 'clearTimeout', { value: (id: number) => void waiting.delete(id) })
  const lasting = () => [...waiting.values()].filter(({ ms }) => ms === 150)
  const { container, rerender } = render(<ProgressBar busy />)
  const shows = () => container.querySelector('[data-busy]') !== null
  t.notOk(shows())
  t.equal(lasting().length, 1)
  rerender(<ProgressBar busy={false} />)
  t.equal(lasting().length, 0, 'shows nothing for a quick answer')
  rerender(<ProgressBar busy />)
  act(() => lasting()[0]?.work())
  t.ok(shows(), 'shows a reload that lasts')
  rerender(<ProgressBar busy={false} />)
  t.notOk(shows(), 'hides when the reload has finished')
})
