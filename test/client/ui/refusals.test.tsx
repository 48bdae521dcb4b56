import '../../support/client/dom.ts'
import '../../support/client/patience.ts'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import t from 'tap'
import { ApiError, failureOf, refusalText } from '#client/lib/http/api-error.ts'
import { FormDialog } from '#client/ui/dialog/form-dialog.tsx'
import { UnsavedChangesGuard } from '#client/ui/dialog/unsaved-changes.tsx'
import { TextField } from '#client/ui/input/field.tsx'
import { reportFailure } from '#client/ui/state/report-failure.ts'
import { toasts } from '#client/ui/state/toasts.ts'

const REFUSAL = new ApiError(422, {
  title: 'Not accepted',
  detail: 'The name is reserved.',
  errors: [{ detail: 'The name is reserved', field: 'projectName' }]
})

t.afterEach(() => {
  cleanup()
  toasts.forget()
})

function NameDialog({ onSave }: { onSave: () => Promise<void> }) {
  const [name, setName] = useState('North')
  const [place, setPlace] = useState('Roof')
  return (
    <FormDialog title="New" saveLabel="Create" ready onSave={onSave} onClose={() => {}}>
      <TextField label="Name" bodyField="projectName" value={name} onChange={setName} />
      <TextField label="Location" bodyField="location" value={place} onChange={setPlace} />
    </FormDialog>
  )
}

t.test('a refused input shows the reason at its field until the input changes', async (t) => {
  const dialog = <NameDialog onSave={() => Promise.reject(REFUSAL)} />
  const router = createMemoryRouter([
    { path: '/', element: <UnsavedChangesGuard>{dialog}</UnsavedChangesGuard> }
  ])
  const view = render(<RouterProvider router={router} />)
  const [name, place] = [view.getByLabelText('Name'), view.getByLabelText('Location')]
  fireEvent.click(view.getByRole('button', { name: 'Create' }))
  t.equal((await view.findByRole('alert')).textContent, 'The name is reserved. Nothing was changed.')
  view.getByText('The name is reserved')
  t.equal(name.getAttribute('aria-invalid'), 'true')
  t.equal(place.getAttribute('aria-invalid'), null)
  fireEvent.change(name, { target: { value: 'South' } })
  t.equal(name.getAttribute('aria-invalid'), null)
  t.notOk(view.queryByText('The name is reserved'))
})

t.test('a dialog whose answer was lost says that the change may have been made, and reloads', async (t) => {
  const outcomes: [Error, RegExp, number][] = [
    [new ApiError(503, { requestId: 'request-1' }), / Nothing was changed\.$/, 0],
    [new ApiError(502, { type: 'urn:portal:problem:upstream_unauthorized' }), / Nothing was changed\.$/, 0],
    [new ApiError(504, { requestId: 'request-1' }), / The change may have been made anyway\.$/, 1]
  ]
  for (const [error, text, reloads] of outcomes) {
    let reloaded = 0
    const dialog = (
      <FormDialog
        title="New"
        saveLabel="Create"
        ready
        onSave={() => Promise.reject(error)}
        onClose={() => {}}
        reload={() => {
          reloaded += 1
        }}
      >
        A name
      </FormDialog>
    )
    const view = render(<RouterProvider router={createMemoryRouter([{ path: '/', element: dialog }])} />)
    fireEvent.click(view.getByRole('button', { name: 'Create' }))
    t.match((await view.findByRole('alert')).textContent, text)
    t.equal(reloaded, reloads)
    view.unmount()
  }
})

t.test('a refused input is explained by the service’s reason alone', async (t) => {
  t.equal(refusalText(REFUSAL), 'The name is reserved.')
  t.match(failureOf(REFUSAL), { title: 'Not accepted', text: 'The name is reserved.' })
})

t.test('a missing object is no conflict', async (t) => {
  t.equal(refusalText(new ApiError(404, { detail: 'There is no such role.' })), 'There is no such role.')
})

t.test('a message about a conflict keeps a link, and offers “Reload” instead of a repetition', async (t) => {
  const conflict = new ApiError(409)
  const onAct = () => t.fail('overwrites newer data')
  const reload = () => {}
  reportFailure('Failed to update device', conflict, reload, { label: 'Retry', onAct })
  reportFailure('Failed to create project', conflict, reload, { label: 'Retry', to: '/customers/9' })
  const [first, second] = toasts.read().shown
  const text = 'Data Conflict found. Unable to complete the request due to a conflict.'
  t.match(first, { text: `Failed to update device. ${text}`, action: { label: 'Reload', onAct: reload } })
  t.match(second, {
    text: `Failed to create project. ${text}`,
    action: { label: 'Retry', to: '/customers/9' }
  })
})

t.test('a message about a refused input offers a link to correct it, but no repetition', async (t) => {
  const onAct = () => t.fail('repeats the refused call')
  reportFailure('Failed to update device', REFUSAL, () => {}, { label: 'Retry', onAct })
  reportFailure('Failed to create project', REFUSAL, () => {}, { label: 'Retry', to: '/customers/9' })
  const [first, second] = toasts.read().shown
  t.match(first, { text: 'Failed to update device. The name is reserved.', action: undefined })
  t.match(second, { text: 'Failed to create project. The name is reserved.', action: { to: '/customers/9' } })
})
