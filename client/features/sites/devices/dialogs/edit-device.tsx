import { useEffect, useRef, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { refusalText } from '../../../../lib/http/api-error.ts'
import { deviceName, location } from '../../../../lib/validation.ts'
import { ConfirmDialog } from '../../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../../ui/dialog/form-dialog.tsx'
import { Combobox } from '../../../../ui/input/combobox.tsx'
import { TextField } from '../../../../ui/input/field.tsx'
import { type ProjectEntry, useCustomer } from '../../customers/customer.tsx'
import type { DeviceChange } from '../api.ts'
import { failedText, useDeviceChanges } from '../device-changes.ts'
import { DeviceIdentity } from './device-identity.tsx'

interface EditDeviceProps {
  device: Device
  onClose: () => void
}

const PLAIN_TEXT = { required: true, autoComplete: 'off', spellCheck: false }

/**
 * “Save” requires a change and valid fields. A change of the project is confirmed in a second dialog. The dialog stays
 * open until the answer; after a failure it shows the reason, and “Save” becomes “Retry” until a field changes.
 */
export function EditDevice({ device, onClose }: EditDeviceProps) {
  const { can, list } = useCustomer()
  const projects = list?.projects ?? []
  const changes = useDeviceChanges()
  const [name, setName] = useState(device.deviceName)
  const [place, setPlace] = useState(device.location)
  const [projectId, setProjectId] = useState(device.projectId ?? '')
  const [confirmOpen, setConfirmOpen] = useState(false)
  const [failure, setFailure] = useState<{ change: DeviceChange; error: unknown } | null>(null)
  const isOpen = useIsMounted()
  const change = changeOf(device, { name, place, projectId }, projects)
  const changed = Object.keys(change).length > 0
  const isComplete = [name, place, projectId].every((text) => text.trim() !== '')
  const ready = changed && isComplete && deviceName(name) === null && location(place) === null
  const isRetry = failure !== null && JSON.stringify(failure.change) === JSON.stringify(change)
  const options = projects.map(({ id, projectName }) => ({ id, name: projectName || id }))
  const project = options.find(({ id }) => id === projectId) ?? null

  async function save() {
    setFailure(null)
    try {
      await changes.updateDevice(device, change)
      if (isOpen.current) onClose()
    } catch (error) {
      if (!isOpen.current) return changes.reportFailedUpdate(device, change, error)
      setConfirmOpen(false)
      setFailure({ change, error })
    }
  }

  if (confirmOpen && change.project) {
    return (
      <ConfirmDialog
        title="Change Project?"
        confirmLabel="Change Project"
        onConfirm={save}
        onCancel={onClose}
      >
        <p>
          The device <DeviceIdentity device={device} /> will be moved to the project{' '}
          <strong>{change.project.projectName}</strong>.
        </p>
      </ConfirmDialog>
    )
  }

  return (
    <FormDialog
      title="Edit Details"
      about={<DeviceIdentity device={device} />}
      saveLabel={isRetry ? 'Retry' : 'Save'}
      ready={ready}
      edited={changed}
      enter
      onSave={() => (change.project && !isRetry ? setConfirmOpen(true) : save())}
      onClose={onClose}
    >
      <TextField
        {...PLAIN_TEXT}
        label="Device name"
        value={name}
        onChange={setName}
        error={name.trim() === '' ? 'Enter a device name.' : deviceName(name)}
        limit={DEVICE_NAME_MAX_CHARACTERS}
        autoFocus
      />
      <TextField
        {...PLAIN_TEXT}
        label="Location"
        value={place}
        onChange={setPlace}
        error={place.trim() === '' ? 'Enter a location.' : location(place)}
        limit={LOCATION_MAX_CHARACTERS}
      />
      {can('devices:move') ? (
        <Combobox
          label="Project"
          placeholder="Choose a project"
          options={options}
          chosen={project}
          emptyText="No project has this name."
          error={projectId === '' ? 'Choose a project.' : null}
          onChoose={({ id }) => setProjectId(id)}
        />
      ) : (
        <TextField label="Project" value={project?.name ?? ''} onChange={() => {}} disabled />
      )}
      {failure && (
        <p className="field-error" role="alert">
          <strong>{failedText(failure.change)}</strong>. {refusalText(failure.error)}
        </p>
      )}
    </FormDialog>
  )
}

function useIsMounted() {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}

function changeOf(
  device: Device,
  { name, place, projectId }: { name: string; place: string; projectId: string },
  projects: readonly ProjectEntry[]
): DeviceChange {
  const project = projects.find(({ id }) => id === projectId && id !== device.projectId)
  return {
    ...(name.trim() === device.deviceName.trim() ? {} : { deviceName: name.trim() }),
    ...(place.trim() === device.location.trim() ? {} : { location: place.trim() }),
    ...(project ? { project: { id: project.id, projectName: project.projectName } } : {})
  }
}
