import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { deviceName, location } from '#shared/validation.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { SelectField, TextField } from '../../../ui/input/field.tsx'
import { type ProjectEntry, useCustomer } from '../../customers/customer.ts'
import type { DeviceChange } from '../api.ts'
import { useDeviceChanges } from '../device-changes.ts'

interface EditDeviceProps {
  device: Device
  onClose: () => void
}

const PLAIN_TEXT = { required: true, autoComplete: 'off', spellCheck: false }

/** “Save” requires a change and valid fields. A change of the project is confirmed in a second dialog. */
export function EditDevice({ device, onClose }: EditDeviceProps) {
  const { can, list } = useCustomer()
  const projects = list?.projects ?? []
  const changes = useDeviceChanges()
  const [name, setName] = useState(device.deviceName)
  const [place, setPlace] = useState(device.location)
  const [projectId, setProjectId] = useState(device.projectId ?? '')
  const [confirmOpen, setConfirmOpen] = useState(false)
  const change = changeOf(device, { name, place, projectId }, projects)
  const changed = Object.keys(change).length > 0
  const isComplete = [name, place, projectId].every((text) => text.trim() !== '')
  const ready = changed && isComplete && deviceName(name) === null && location(place) === null

  function save() {
    onClose()
    void changes.updateDevice(device, change)
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
          The device <strong>{device.deviceName}</strong> will be moved to the project{' '}
          <strong>{change.project.projectName}</strong>.
        </p>
      </ConfirmDialog>
    )
  }

  return (
    <FormDialog
      title="Edit Details"
      saveLabel="Save"
      ready={ready}
      edited={changed}
      enter
      onSave={() => (change.project ? setConfirmOpen(true) : save())}
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
      <SelectField
        label="Project"
        value={projectId}
        onChange={setProjectId}
        required
        error={projectId === '' ? 'Choose a project.' : null}
        options={projects.map(({ id, projectName }) => ({ value: id, label: projectName || id }))}
        {...(device.projectId === null ? { placeholder: 'Choose a project' } : {})}
        disabled={!can('devices:move')}
      />
    </FormDialog>
  )
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
