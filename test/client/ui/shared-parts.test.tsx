import '../../support/client/dom.ts'
import '../../support/client/patience.ts'
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { act, cleanup, fireEvent, render, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, Link, MemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import t from 'tap'
import { RecentMessages } from '#client/app/frame/recent-messages.tsx'
import { browser } from '#client/lib/browser.ts'
import { failureOf } from '#client/lib/http/api-error.ts'
import { useListQuery } from '#client/lib/use-list-query.ts'
import { ConfirmDialog } from '#client/ui/dialog/confirm-dialog.tsx'
import { Modal } from '#client/ui/dialog/modal.tsx'
import { type DirtyForm, UnsavedChangesGuard, useUnsavedChanges } from '#client/ui/dialog/unsaved-changes.tsx'
import { ErrorPanel } from '#client/ui/state/error-panel.tsx'
import { StaleNotice } from '#client/ui/state/notice.tsx'
import { Toaster } from '#client/ui/state/toaster.tsx'
import { toasts } from '#client/ui/state/toasts.ts'
import CutText from '#client/ui/text/cut-text.tsx'
import { TOAST_MS } from '#shared/limits.ts'
import { UNSAVED_CHANGES } from '#shared/messages.ts'

t.afterEach(() => {
  cleanup()
  toasts.forget()
  browser.guarded = true
})

function openToaster(t: { teardown: (work: () => void) => void }) {
  const realNow = performance.now
  let nowMs = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  performance.now = () => nowMs
  t.teardown(() => {
    performance.now = realNow
    mock.timers.reset()
  })
  const view = render(
    <MemoryRouter>
      <Toaster />
    </MemoryRouter>
  )
  const pass = (ms: number) =>
    act(() => {
      nowMs += ms
      mock.timers.tick(ms)
    })
  return { ...view, pass, section: view.getByRole('region', { name: 'Messages' }) }
}

t.test('a message closes after five seconds', async (t) => {
  const { pass, queryByText } = openToaster(t)
  act(() => toasts.ok('Device Deleted'))
  pass(TOAST_MS - 1)
  t.ok(queryByText('Device Deleted'))
  pass(1)
  t.equal(queryByText('Device Deleted'), null)
})

t.test('a message pauses under the pointer, with the focus and in a hidden tab', async (t) => {
  const { pass, section, queryByText } = openToaster(t)
  const hide = (hidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    fireEvent(document, new window.Event('visibilitychange'))
  }
  const holds: [hold: () => void, release: () => void][] = [
    [() => fireEvent.pointerOver(section), () => fireEvent.pointerOut(section)],
    [() => fireEvent.focusIn(section), () => fireEvent.focusOut(section)],
    [() => hide(true), () => hide(false)]
  ]
  act(() => toasts.failed('Failed to move device'))
  for (const [hold, release] of holds) {
    pass(1_000)
    act(hold)
    pass(60_000)
    t.ok(queryByText('Failed to move device'))
    act(release)
  }
  pass(TOAST_MS - 3_000 - 1)
  t.ok(queryByText('Failed to move device'), 'keeps the remaining time')
  pass(1)
  t.equal(queryByText('Failed to move device'), null)
})

t.test('dismissing a message under the pointer resumes the others', async (t) => {
  const { pass, section, getAllByRole, queryByText } = openToaster(t)
  act(() => {
    toasts.ok('one')
    toasts.ok('two')
  })
  fireEvent.pointerOver(section)
  fireEvent.click(getAllByRole('button', { name: 'Dismiss message' })[0] as HTMLElement)
  pass(TOAST_MS)
  t.equal(queryByText('two'), null)
})

t.test('announces failures assertively and successes politely', async (t) => {
  const { getByText } = openToaster(t)
  act(() => {
    toasts.ok('worked')
    toasts.failed('failed')
  })
  t.equal(getByText('worked').closest('[aria-live]')?.getAttribute('aria-live'), 'polite')
  t.equal(getByText('failed').closest('[aria-live]')?.getAttribute('aria-live'), 'assertive')
})

t.test('keeps closed messages with their Retry, the newest first', async (t) => {
  const { pass, unmount } = openToaster(t)
  const done: string[] = []
  act(() => {
    toasts.ok('first')
    toasts.failed('second', { label: 'Retry', onAct: () => done.push('again') })
  })
  pass(TOAST_MS)
  unmount()
  const { getByRole, getAllByRole } = render(
    <MemoryRouter>
      <RecentMessages onClose={() => done.push('closed')} />
    </MemoryRouter>
  )
  t.match(
    getAllByRole('listitem').map((item) => item.textContent),
    [/second/, /first/]
  )
  fireEvent.click(getByRole('button', { name: 'Retry' }))
  t.same(done, ['closed', 'again'])
})

function openEdited(edited: boolean) {
  const closed: string[] = []
  const view = render(
    <Modal title="Edit" edited={edited} onClose={() => closed.push('closed')}>
      <input aria-label="Name" />
    </Modal>
  )
  const dialog = view.getByRole('dialog', { name: 'Edit' })
  const pressEscape = (element: HTMLElement) =>
    fireEvent(element, new window.Event('cancel', { cancelable: true }))
  return { ...view, closed, dialog, pressEscape }
}

t.test('Escape, ✕ and a click outside close a clean dialog', async (t) => {
  const { closed, dialog, pressEscape, getByRole } = openEdited(false)
  pressEscape(dialog)
  fireEvent.click(getByRole('button', { name: 'Close' }))
  fireEvent.click(dialog)
  t.equal(closed.length, 3)
})

t.test('Escape, ✕ and a click outside ask before input is lost', async (t) => {
  const { closed, dialog, pressEscape, getByRole, queryByRole } = openEdited(true)
  const ways = [
    () => pressEscape(dialog),
    () => fireEvent.click(within(dialog).getByRole('button', { name: 'Close' })),
    () => fireEvent.click(dialog)
  ]
  for (const leave of ways) {
    leave()
    t.ok(getByRole('alertdialog', { name: 'Discard your changes?' }))
    pressEscape(dialog)
    t.equal(queryByRole('alertdialog'), null)
  }
  t.same(closed, [])
  pressEscape(dialog)
  fireEvent.click(getByRole('button', { name: 'Keep editing' }))
  t.same(closed, [])
  pressEscape(dialog)
  fireEvent.click(getByRole('button', { name: 'Discard' }))
  t.same(closed, ['closed'])
})

t.test('Undo closes with its message', async (t) => {
  const { pass, getByRole, unmount } = openToaster(t)
  act(() => toasts.ok('renamed', { label: 'Undo', onAct: () => {}, brief: true }))
  t.ok(getByRole('button', { name: 'Undo' }))
  pass(TOAST_MS)
  unmount()
  const recent = render(<RecentMessages onClose={() => {}} />)
  t.ok(recent.getByText('renamed'))
  t.equal(recent.queryByRole('button', { name: 'Undo' }), null)
})

function ask(props: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) {
  const said: string[] = []
  const view = render(
    <ConfirmDialog
      title="Delete backup?"
      confirmLabel="Delete"
      onConfirm={() => void said.push('confirmed')}
      onCancel={() => said.push('cancelled')}
      {...props}
    >
      It cannot be taken back.
    </ConfirmDialog>
  )
  return { ...view, said, dialog: view.getByRole('alertdialog') }
}

t.test('rejects a confirming button named Cancel', async (t) => {
  const print = console.error
  console.error = () => {}
  t.throws(() => ask({ confirmLabel: 'Cancel order' }), /must not say cancel/)
  t.throws(() => ask({ confirmLabel: 'CANCEL' }), /must not say cancel/)
  console.error = print
})

t.test('Escape cancels and Enter confirms; Enter on Cancel does not', async (t) => {
  const { dialog, said, getByRole } = ask()
  fireEvent.keyDown(getByRole('button', { name: 'Cancel' }), { key: 'Enter' })
  t.same(said, [])
  fireEvent(dialog, new window.Event('cancel', { cancelable: true }))
  t.same(said, ['cancelled'])
  fireEvent.keyDown(getByRole('heading'), { key: 'Enter' })
  t.same(said, ['cancelled', 'confirmed'])
})

t.test('Enter and the button wait for the typed text', async (t) => {
  const { said, getByRole } = ask({ typed: 'AHU-3' })
  const field = getByRole('textbox')
  for (const text of ['', 'ahu-3', 'AHU-33']) {
    fireEvent.change(field, { target: { value: text } })
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.click(getByRole('button', { name: 'Delete' }))
  }
  t.same(said, [])
  fireEvent.change(field, { target: { value: 'AHU-3' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  t.same(said, ['confirmed'])
})

t.test('a running dialog does not close and shows its failure', async (t) => {
  let refuse = (_error: Error) => {}
  const work = () =>
    new Promise<void>((_done, reject) => {
      refuse = reject
    })
  const { dialog, said, getByRole, findByRole } = ask({ onConfirm: work })
  fireEvent.click(getByRole('button', { name: 'Delete' }))
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  fireEvent(dialog, new window.Event('cancel', { cancelable: true }))
  t.same(said, [])
  refuse(new Error('no'))
  t.match((await findByRole('alert')).textContent, /did not work/)
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  t.same(said, ['cancelled'])
})

t.test('a dialog closed by the browser asks its owner or reopens', async (t) => {
  const { dialog, said } = ask()
  ;(dialog as HTMLDialogElement).close()
  fireEvent(dialog, new window.Event('close'))
  t.same(said, ['cancelled'])
  await waitFor(() => assert.ok((dialog as HTMLDialogElement).open))
})

function openForm(form: DirtyForm | null) {
  const Form = () => {
    useUnsavedChanges(form)
    const [text, setText] = useState('')
    return (
      <>
        <h1>Form</h1>
        <input aria-label="Name" value={text} onChange={(event) => setText(event.target.value)} />
        <Link to="/form?tab=other">Other tab</Link>
        <Link to="/elsewhere">Leave</Link>
      </>
    )
  }
  const router = createMemoryRouter(
    [
      {
        element: (
          <UnsavedChangesGuard>
            <Outlet />
          </UnsavedChangesGuard>
        ),
        children: [
          { path: '/form', element: <Form /> },
          { path: '/elsewhere', element: <h1>Elsewhere</h1> }
        ]
      }
    ],
    { initialEntries: ['/form'] }
  )
  const view = render(<RouterProvider router={router} />)
  const unload = () => {
    const event = new window.Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  return {
    ...view,
    unload,
    address: () => router.state.location.pathname,
    leave: () => fireEvent.click(view.getByRole('link', { name: 'Leave' }))
  }
}

t.test('leaves without a question when nothing is lost', async (t) => {
  const { leave, findByRole, unload } = openForm(null)
  t.equal(unload(), false)
  leave()
  await findByRole('heading', { name: 'Elsewhere' })
})

t.test('leaving with changes asks; Cancel stays', async (t) => {
  const { leave, findByRole, getByRole, queryByRole, address, unload } = openForm({ save: async () => {} })
  t.equal(unload(), true)
  fireEvent.click(getByRole('link', { name: 'Other tab' }))
  t.equal(queryByRole('alertdialog'), null, 'does not ask if only the tab changes')
  leave()
  await findByRole('alertdialog')
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  await waitFor(() => assert.ok(queryByRole('alertdialog') === null))
  t.equal(address(), '/form')
})

const choices: [button: 'Save' | 'Discard', failed: string][] = [
  ['Save', UNSAVED_CHANGES.saveFailed],
  ['Discard', UNSAVED_CHANGES.discardFailed]
]
for (const [button, failed] of choices) {
  t.test(`${button} leaves on success and shows '${failed}' on failure`, async (t) => {
    let works = false
    const work = async () => {
      if (!works) throw new Error('no')
    }
    const { leave, findByRole, findByText, getByRole, address } = openForm({ save: work, discard: work })
    leave()
    await findByRole('alertdialog')
    fireEvent.click(getByRole('button', { name: button }))
    await findByText(failed)
    t.equal(address(), '/form')
    works = true
    fireEvent.click(getByRole('button', { name: button }))
    await findByRole('heading', { name: 'Elsewhere' })
  })
}

t.test('a form that cannot be saved can be discarded', async (t) => {
  const { leave, findByRole, getByRole, address } = openForm({})
  leave()
  await findByRole('alertdialog')
  fireEvent.click(getByRole('button', { name: 'Save' }))
  t.equal(address(), '/form')
  fireEvent.click(getByRole('button', { name: 'Discard' }))
  await findByRole('heading', { name: 'Elsewhere' })
})

t.test('does not ask after the session ended', async (t) => {
  const { leave, findByRole, unload } = openForm({ save: async () => {} })
  browser.guarded = false
  t.equal(unload(), false)
  leave()
  await findByRole('heading', { name: 'Elsewhere' })
})

t.test('two filter changes before a render both apply', async (t) => {
  const changes: ReturnType<typeof useListQuery<{ q: string; how: string; page: string }>>['change'][] = []
  const List = () => {
    changes.push(useListQuery({ q: '', how: 'any', page: '1' }).change)
    return null
  }
  const router = createMemoryRouter([{ path: '/', Component: List }], {
    initialEntries: ['/?page=3&tab=two']
  })
  render(<RouterProvider router={router} />)
  const says = () => Object.fromEntries(new URLSearchParams(router.state.location.search))
  const [first] = changes
  await act(async () => {
    first?.({ how: 'all' })
    first?.({ q: 'a' })
  })
  t.strictSame(says(), { tab: 'two', how: 'all', q: 'a' }, 'a choice applies at once')
  await act(async () => first?.({ q: 'ahu' }))
  t.strictSame(says(), { tab: 'two', how: 'all', q: 'ahu' }, 'a keyword applies after a pause')
  await act(() => router.navigate('/?how=some'))
  await act(async () => first?.({ q: 'fan' }))
  t.strictSame(says(), { how: 'some', q: 'fan' }, 'keeps parameters of a navigation meanwhile')
})

t.test('reports a missing connection for every failure while offline', async (t) => {
  t.intercept(navigator, 'onLine', { value: false })
  t.equal(failureOf(new Error('no connection')).title, 'You are offline')
  const { container } = render(
    <>
      <ErrorPanel error={new Error('no connection')} reload={() => {}} />
      <StaleNotice error={new Error('no connection')} what="The devices below" onRefresh={() => {}} />
    </>
  )
  t.equal(container.textContent, 'Not loaded yetThis loads once you are connected again.')
  t.equal(container.querySelector('[role="alert"]'), null)
})

t.test('shows the full text of cut text on hover, focus and touch', async (t) => {
  const { container } = render(
    <>
      <CutText />
      <a href="/x">
        <span style={{ textOverflow: 'ellipsis' }}>Cardiology Wing, Annex</span>
      </a>
      <button type="button">Whole</button>
      <span title="Named by its title" style={{ textOverflow: 'ellipsis' }}>
        Named by
      </span>
    </>
  )
  const [name, titled] = container.querySelectorAll('span')
  for (const one of [name, titled]) {
    Object.defineProperty(one, 'scrollWidth', { value: 200 })
    Object.defineProperty(one, 'clientWidth', { value: 100 })
  }
  const shown = () => container.querySelector('.cut-text')?.textContent ?? null
  const act = async (event: () => unknown, expected: string | null, message: string) => {
    event()
    await waitFor(() => assert.equal(shown(), expected, message))
  }
  const point = (one: Element | undefined, pointerType: string) => () => {
    const event = new window.Event('pointerover', { bubbles: true })
    Object.assign(event, { pointerType })
    one?.dispatchEvent(event)
  }
  const [link, button] = [container.querySelector('a'), container.querySelector('button')]
  await act(point(name, 'mouse'), 'Cardiology Wing, Annex', 'hover')
  await act(point(button ?? undefined, 'mouse'), null, 'elsewhere')
  await act(() => fireEvent.focusIn(link as Element), 'Cardiology Wing, Annex', 'focus')
  await act(() => fireEvent.keyDown(link as Element, { key: 'Escape' }), null, 'Escape')
  await act(point(titled, 'touch'), 'Named by its title', 'touch')
  await act(point(titled, 'mouse'), null, 'the browser shows titles itself')
  t.pass()
})
