import { textsOf } from '../../support/client/dom.ts'
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
import { TOAST_MS } from '#client/lib/limits.ts'
import { useListQuery } from '#client/lib/use-list-query.ts'
import { ConfirmDialog } from '#client/ui/dialog/confirm-dialog.tsx'
import { Modal } from '#client/ui/dialog/modal.tsx'
import { type DirtyForm, UnsavedChangesGuard, useUnsavedChanges } from '#client/ui/dialog/unsaved-changes.tsx'
import { UNSAVED_CHANGES } from '#client/ui/dialog/unsaved-changes-dialog.tsx'
import { ErrorPanel } from '#client/ui/state/error-panel.tsx'
import { StaleNotice } from '#client/ui/state/notice.tsx'
import { Toaster } from '#client/ui/state/toaster.tsx'
import { toasts } from '#client/ui/state/toasts.ts'
import { unbroken } from '#client/ui/unbroken.tsx'
import { withoutCode } from '../../support/client/missing-code.ts'
import { withRetries } from '../../support/client/with-retries.tsx'

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
  const wait = (ms: number) =>
    act(() => {
      nowMs += ms
      mock.timers.tick(ms)
    })
  return { ...view, wait, section: view.getByRole('region', { name: 'Messages' }) }
}

t.test('a message closes after five seconds', async (t) => {
  const { wait, queryByText } = openToaster(t)
  act(() => toasts.ok('Device Deleted'))
  wait(TOAST_MS - 1)
  t.ok(queryByText('Device Deleted'))
  wait(1)
  t.notOk(queryByText('Device Deleted'))
})

t.test('a message pauses under the pointer, with the focus and in a hidden tab', async (t) => {
  const { wait, section, queryByText } = openToaster(t)
  const hide = (hidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    // SWR passes the event to setTimeout as a delay.
    fireEvent(document, Object.assign(new window.Event('visibilitychange'), { valueOf: () => 0 }))
  }
  const pauses: [pause: () => void, resume: () => void][] = [
    [() => fireEvent.pointerOver(section), () => fireEvent.pointerOut(section)],
    [() => fireEvent.focusIn(section), () => fireEvent.focusOut(section)],
    [() => hide(true), () => hide(false)]
  ]
  act(() => toasts.failed('Failed to move device'))
  for (const [pause, resume] of pauses) {
    wait(1_000)
    act(pause)
    wait(60_000)
    t.ok(queryByText('Failed to move device'))
    act(resume)
  }
  wait(TOAST_MS - 3_000 - 1)
  t.ok(queryByText('Failed to move device'), 'keeps the remaining time')
  wait(1)
  t.notOk(queryByText('Failed to move device'))
})

t.test('dismissing a message under the pointer resumes the other messages', async (t) => {
  const { wait, section, getAllByRole, queryByText } = openToaster(t)
  act(() => {
    toasts.ok('one')
    toasts.ok('two')
  })
  fireEvent.pointerOver(section)
  fireEvent.click(getAllByRole('button', { name: 'Dismiss message' })[0] as HTMLElement)
  wait(TOAST_MS)
  t.notOk(queryByText('two'))
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

t.test('keeps closed messages with “Retry”, newest first', async (t) => {
  const { wait, unmount } = openToaster(t)
  const actions: string[] = []
  act(() => {
    toasts.ok('first')
    toasts.failed('second', { label: 'Retry', onAct: () => actions.push('again') })
  })
  wait(TOAST_MS)
  unmount()
  const { getByRole, getAllByRole } = render(
    <MemoryRouter>
      <RecentMessages onClose={() => actions.push('closed')} />
    </MemoryRouter>
  )
  t.match(
    getAllByRole('listitem').map((item) => item.textContent),
    [/second/, /first/]
  )
  fireEvent.click(getByRole('button', { name: 'Retry' }))
  t.same(actions, ['closed', 'again'])
})

function openModal(edited: boolean) {
  const closings: string[] = []
  const view = render(
    <Modal title="Edit" edited={edited} onClose={() => closings.push('closed')}>
      <input aria-label="Name" />
    </Modal>
  )
  const dialog = view.getByRole('dialog', { name: 'Edit' })
  const pressEscape = (element: HTMLElement) =>
    fireEvent(element, new window.Event('cancel', { cancelable: true }))
  return { ...view, closings, dialog, pressEscape }
}

t.test('Escape, ✕ and a click outside close an unedited dialog', async (t) => {
  const { closings, dialog, pressEscape, getByRole } = openModal(false)
  pressEscape(dialog)
  fireEvent.click(getByRole('button', { name: 'Close' }))
  fireEvent.click(dialog)
  t.equal(closings.length, 3)
})

t.test('Escape, ✕ and a click outside ask for confirmation before input is lost', async (t) => {
  const { closings, dialog, pressEscape, getByRole, queryByRole } = openModal(true)
  const exits = [
    () => pressEscape(dialog),
    () => fireEvent.click(within(dialog).getByRole('button', { name: 'Close' })),
    () => fireEvent.click(dialog)
  ]
  for (const leave of exits) {
    leave()
    t.ok(getByRole('alertdialog', { name: 'Discard your changes?' }))
    pressEscape(dialog)
    t.notOk(queryByRole('alertdialog'))
  }
  t.same(closings, [])
  pressEscape(dialog)
  fireEvent.click(getByRole('button', { name: 'Keep editing' }))
  t.same(closings, [])
  pressEscape(dialog)
  fireEvent.click(getByRole('button', { name: 'Discard' }))
  t.same(closings, ['closed'])
})

t.test('“Undo” disappears with its message', async (t) => {
  const { wait, getByRole, unmount } = openToaster(t)
  act(() => toasts.ok('renamed', { label: 'Undo', onAct: () => {}, brief: true }))
  t.ok(getByRole('button', { name: 'Undo' }))
  wait(TOAST_MS)
  unmount()
  const recent = render(<RecentMessages onClose={() => {}} />)
  t.ok(recent.getByText('renamed'))
  t.notOk(recent.queryByRole('button', { name: 'Undo' }))
})

function openConfirm(props: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) {
  const events: string[] = []
  const view = render(
    <ConfirmDialog
      title="Delete backup?"
      confirmLabel="Delete"
      onConfirm={() => void events.push('confirmed')}
      onCancel={() => events.push('cancelled')}
      {...props}
    >
      It cannot be taken back.
    </ConfirmDialog>
  )
  return { ...view, events, dialog: view.getByRole('alertdialog') }
}

t.test('rejects a confirm label that contains “Cancel”', async (t) => {
  const consoleError = console.error
  console.error = () => {}
  t.throws(() => openConfirm({ confirmLabel: 'Cancel order' }), /must not say cancel/)
  t.throws(() => openConfirm({ confirmLabel: 'CANCEL' }), /must not say cancel/)
  console.error = consoleError
})

t.test('Escape cancels and Enter confirms; Enter on “Cancel” does not confirm', async (t) => {
  const { dialog, events, getByRole } = openConfirm()
  fireEvent.keyDown(getByRole('button', { name: 'Cancel' }), { key: 'Enter' })
  t.same(events, [])
  fireEvent(dialog, new window.Event('cancel', { cancelable: true }))
  t.same(events, ['cancelled'])
  fireEvent.keyDown(getByRole('heading'), { key: 'Enter' })
  t.same(events, ['cancelled', 'confirmed'])
})

t.test('Enter and the button work only after the required text is typed', async (t) => {
  const { events, getByRole } = openConfirm({ typed: 'AHU-3' })
  const field = getByRole('textbox')
  for (const text of ['', 'ahu-3', 'AHU-33']) {
    fireEvent.change(field, { target: { value: text } })
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.click(getByRole('button', { name: 'Delete' }))
  }
  t.same(events, [])
  fireEvent.change(field, { target: { value: 'AHU-3' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  t.same(events, ['confirmed'])
})

t.test('the required text may be typed with one space and with composed letters', async (t) => {
  const { events, getByRole } = openConfirm({ typed: 'Cafe\u0301  AHU\u00a03' })
  fireEvent.change(getByRole('textbox'), { target: { value: 'Caf\u00e9 AHU 3' } })
  fireEvent.click(getByRole('button', { name: 'Delete' }))
  t.same(events, ['confirmed'])
})

t.test('a dialog does not close while its command runs, and shows a failure', async (t) => {
  let refuse = (_error: Error) => {}
  const work = () =>
    new Promise<void>((_done, reject) => {
      refuse = reject
    })
  const { dialog, events, getByRole, findByRole } = openConfirm({ onConfirm: work })
  fireEvent.click(getByRole('button', { name: 'Delete' }))
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  fireEvent(dialog, new window.Event('cancel', { cancelable: true }))
  t.same(events, [])
  refuse(new Error('no'))
  t.match((await findByRole('alert')).textContent, /^Something went wrong\..* Nothing was changed\.$/)
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  t.same(events, ['cancelled'])
})

t.test('a dialog closed by the browser reports a cancel, and reopens if it is still rendered', async (t) => {
  const { dialog, events } = openConfirm()
  ;(dialog as HTMLDialogElement).close()
  fireEvent(dialog, new window.Event('close'))
  t.same(events, ['cancelled'])
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

t.test('leaves without a confirmation dialog when nothing is lost', async (t) => {
  const { leave, findByRole, unload } = openForm(null)
  t.equal(unload(), false)
  leave()
  await findByRole('heading', { name: 'Elsewhere' })
})

t.test('leaving with unsaved changes asks for confirmation; “Cancel” stays', async (t) => {
  const { leave, findByRole, getByRole, queryByRole, address, unload } = openForm({ save: async () => {} })
  t.equal(unload(), true)
  fireEvent.click(getByRole('link', { name: 'Other tab' }))
  t.notOk(queryByRole('alertdialog'), 'does not ask if only the tab changes')
  leave()
  await findByRole('alertdialog')
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  await waitFor(() => assert.ok(queryByRole('alertdialog') === null))
  t.equal(address(), '/form')
})

t.test('the form stays while the question about its changes does not load', async (t) => {
  const { leave, findByRole, getByRole, address } = openForm({ save: async () => {} })
  const code = withoutCode(t, 'unsaved-changes-dialog.tsx')
  fireEvent.change(getByRole('textbox'), { target: { value: 'North' } })
  leave()
  await waitFor(() => assert.match(toasts.read().shown[0]?.text ?? '', /could not be loaded/))
  t.equal(address(), '/form')
  t.equal((getByRole('textbox') as HTMLInputElement).value, 'North')
  code.restore()
  leave()
  await findByRole('alertdialog')
})

const choices: [button: 'Save' | 'Discard', failureText: string][] = [
  ['Save', UNSAVED_CHANGES.saveFailed],
  ['Discard', UNSAVED_CHANGES.discardFailed]
]
for (const [button, failureText] of choices) {
  t.test(`“${button}” leaves on success and shows '${failureText}' on failure`, async (t) => {
    let succeeds = false
    const work = async () => {
      if (!succeeds) throw new Error('no')
    }
    const { leave, findByRole, findByText, getByRole, address } = openForm({ save: work, discard: work })
    leave()
    await findByRole('alertdialog')
    fireEvent.click(getByRole('button', { name: button }))
    await findByText(failureText)
    t.equal(address(), '/form')
    succeeds = true
    fireEvent.click(getByRole('button', { name: button }))
    await findByRole('heading', { name: 'Elsewhere' })
  })
}

t.test('a form that cannot be saved asks its own question, with “Stay” and “Leave” only', async (t) => {
  const question = 'Leave without sending the invitation?'
  const { leave, findByRole, getByRole, queryByRole, address } = openForm({ question })
  leave()
  const dialog = within(await findByRole('alertdialog', { name: question }))
  t.strictSame(
    dialog.getAllByRole('button').map((button) => button.textContent || button.ariaLabel),
    ['Close', 'Stay', 'Leave']
  )
  fireEvent.click(getByRole('button', { name: 'Stay' }))
  await waitFor(() => assert.ok(queryByRole('alertdialog') === null))
  t.equal(address(), '/form')
  leave()
  await findByRole('alertdialog')
  fireEvent.click(getByRole('button', { name: 'Leave' }))
  await findByRole('heading', { name: 'Elsewhere' })
})

t.test('does not ask for confirmation after the session ended', async (t) => {
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
  const parameters = () => Object.fromEntries(new URLSearchParams(router.state.location.search))
  const [firstChange] = changes
  await act(async () => {
    firstChange?.({ how: 'all' })
    firstChange?.({ q: 'a' })
  })
  t.strictSame(parameters(), { tab: 'two', how: 'all', q: 'a' }, 'a choice applies at once')
  await act(async () => firstChange?.({ q: 'ahu' }))
  t.strictSame(parameters(), { tab: 'two', how: 'all', q: 'ahu' }, 'a keyword applies after a pause')
  await act(() => router.navigate('/?how=some'))
  await act(async () => firstChange?.({ q: 'fan' }))
  t.strictSame(parameters(), { how: 'some', q: 'fan' }, 'keeps the parameters of a navigation in between')
})

t.test('reports a missing connection for every failure while offline', async (t) => {
  t.intercept(navigator, 'onLine', { value: false })
  t.equal(failureOf(new Error('no connection')).title, 'You are offline')
  const { container } = render(
    <>
      <ErrorPanel error={new Error('no connection')} refetch={() => {}} />
      <StaleNotice error={new Error('no connection')} what="The devices below" onRefresh={() => {}} />
    </>,
    withRetries
  )
  t.equal(container.textContent, 'Not loaded yetThis loads once you are connected again.')
  t.notOk(container.querySelector('[role="alert"]'))
})

const NAMES: [name: string, keptTogether: string[]][] = [
  ['Cardiology Wing', []],
  ['Make-up Air Unit 16', ['Make-up', 'Unit 16']],
  ['Operating Theatres, Building C 27', ['Building C 27']],
  ['AHU-17', ['AHU-17']],
  ['West-Northwestern-Annex', []]
]
for (const [name, keptTogether] of NAMES)
  t.test(`“${name}” breaks between words, but not before a short last word`, async (t) => {
    const { container } = render(unbroken(name))
    t.equal(container.textContent, name)
    t.same(textsOf(container.querySelectorAll('.unbroken')), keptTogether)
  })

t.test('a message shows in the topmost dialog, since the rest of the page cannot be used', async (t) => {
  const page = (isOpen: boolean) => (
    <MemoryRouter>
      <Toaster />
      {isOpen && (
        <Modal title="Projects" onClose={() => {}}>
          <p>Tower</p>
        </Modal>
      )}
    </MemoryRouter>
  )
  const view = render(page(true))
  act(() => void toasts.failed('Project already exists'))
  t.ok(view.getByText('Project already exists').closest('dialog'))
  const [ofPage] = view.getAllByRole('region', { name: 'Messages', hidden: true })
  view.rerender(page(false))
  t.ok(ofPage?.contains(view.getByText('Project already exists')), 'in the part that was there before')
})
