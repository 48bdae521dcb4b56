import '../../../support/client/dom.ts'

import { act, cleanup, render } from '@testing-library/react'
import t from 'tap'
import { ProgressBar } from '#client/ui/state/loading.tsx'

t.afterEach(() => cleanup())

t.test('shows a reload only if the reload takes long', async (t) => {
  const timers = new Map<number, { work: () => void; ms: number }>()
  let timerId = 0
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms = 0) => {
      timerId += 1
      timers.set(timerId, { work, ms })
      return timerId
    }
  })
  t.intercept(globalThis, 'clearTimeout', { value: (id: number) => void timers.delete(id) })
  const delayTimers = () => [...timers.values()].filter(({ ms }) => ms === 150)
  const { container, rerender } = render(<ProgressBar busy />)
  const isShown = () => container.querySelector('[data-busy]') !== null
  t.notOk(isShown())
  t.equal(delayTimers().length, 1)
  rerender(<ProgressBar busy={false} />)
  t.equal(delayTimers().length, 0, 'shows nothing for a quick answer')
  rerender(<ProgressBar busy />)
  act(() => delayTimers()[0]?.work())
  t.ok(isShown(), 'shows a long reload')
  rerender(<ProgressBar busy={false} />)
  t.notOk(isShown(), 'hides the bar when the reload has finished')
})
