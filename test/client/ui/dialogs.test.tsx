// Dialogs whose code loads when they open.
import '../../support/client/dom.ts'
import '../../support/client/patience.ts'

import { act, cleanup, render } from '@testing-library/react'
import t, { type Test } from 'tap'
import { Dialogs, showDialog, showLazyDialog } from '#client/ui/dialog/dialogs.tsx'
import { toasts } from '#client/ui/state/toasts.ts'

type Code = { text: string }

/** A page with its dialogs, and a dialog whose code arrives, or does not, when the test says so. */
function openPage(t: Test) {
  const view = render(<Dialogs />)
  t.teardown(() => {
    cleanup()
    toasts.forget()
  })
  const loads: PromiseWithResolvers<Code>[] = []
  const load = () => {
    const pending = Promise.withResolvers<Code>()
    loads.push(pending)
    return pending.promise
  }
  const shown = () => view.container.textContent
  const ask = () => showLazyDialog(load, ({ text }) => <p>{text}</p>)
  return { ...view, loads, shown, ask }
}

t.test('a dialog whose code does not load says so, and Retry loads it again', async (t) => {
  const { loads, shown, ask } = openPage(t)
  await act(() => {
    const asked = ask()
    loads[0]?.reject(new TypeError('fetch failed'))
    return asked
  })
  t.equal(shown(), '')
  const { text, action } = toasts.read().shown[0] ?? {}
  t.equal(text, 'The dialog could not be loaded.')
  await act(async () => {
    action?.onAct?.()
    loads[1]?.resolve({ text: 'Edit Details' })
  })
  t.equal(shown(), 'Edit Details')
})

t.test('leaving the page removes the offer to load its dialog again', async (t) => {
  const { loads, ask, rerender } = openPage(t)
  await act(() => {
    const asked = ask()
    loads[0]?.reject(new TypeError('fetch failed'))
    return asked
  })
  t.equal(toasts.read().shown.length, 1)
  rerender(<Dialogs key="the next page" />)
  t.same(toasts.read().shown, [])
  t.equal(toasts.read().recent[0]?.action?.brief, true, 'the recent messages do not offer it either')
})

t.test('a dialog that arrives after the person has left the page does not show', async (t) => {
  const { loads, shown, ask, rerender } = openPage(t)
  await act(async () => void ask())
  rerender(<Dialogs key="the next page" />)
  await act(async () => loads[0]?.resolve({ text: 'Edit Details' }))
  t.equal(shown(), '')
})

t.test('a dialog that opened meanwhile stays, also if the code of the first does not load', async (t) => {
  for (const settle of ['resolve', 'reject'] as const) {
    const { loads, shown, ask } = openPage(t)
    await act(async () => void ask())
    act(() => showDialog(() => <p>Delete Device?</p>))
    await act(async () => loads[0]?.[settle]({ text: 'Edit Details' }))
    t.equal(shown(), 'Delete Device?')
    t.same(toasts.read().shown, [])
    cleanup()
  }
})

t.test('a dialog shows once its code has loaded, and closes itself', async (t) => {
  const { shown } = openPage(t)
  let closeDialog = () => {}
  await act(() =>
    showLazyDialog(
      async () => ({ text: 'Edit Details' }),
      ({ text }, close) => {
        closeDialog = close
        return <p>{text}</p>
      }
    )
  )
  t.equal(shown(), 'Edit Details')
  act(() => closeDialog())
  t.equal(shown(), '')
})
