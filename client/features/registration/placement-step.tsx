import { useEffect, useEffectEvent, useState } from 'react'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { PROJECT } from '#shared/messages.ts'
import { parseScope } from '#shared/scopes.ts'
import * as rules from '#shared/validation.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Combobox } from '../../ui/input/combobox.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { useCustomers, useProjects } from '../customers/api.ts'
import { CustomerChoice } from '../customers/customer-choice.tsx'
import { createProject, isDuplicate } from '../projects/api.ts'
import { useOrganization } from '../session/integrator.ts'
import type { Placement } from './link-panel.tsx'

interface PlacementStepProps {
  placement: Placement
  /** The customer of the license, preselected if it exists. */
  suggestion: string
  onChange: (change: Partial<Placement>) => void
}

export function PlacementStep({ placement, suggestion, onChange }: PlacementStepProps) {
  const { id: organizationId } = useOrganization()
  const { customerId, customerName, deviceName, location } = placement
  usePreselection({ placement, suggestion, onChange }, organizationId)
  return (
    <section className="card stack" aria-labelledby="step-placement">
      <h2 id="step-placement" tabIndex={-1}>
        3. Placement
      </h2>
      <div className="form-row">
        <CustomerChoice
          organizationId={organizationId}
          placeholder="Choose a customer"
          chosen={customerId ? { id: customerId, name: customerName || customerId } : null}
          onChoose={(one) =>
            onChange({ customerId: one?.id ?? '', customerName: one?.name ?? '', projectId: '' })
          }
        />
        <ProjectField key={customerId} placement={placement} onChange={onChange} />
      </div>
      <div className="form-row">
        <TextField
          label="Device name"
          value={deviceName}
          onChange={(text) => onChange({ deviceName: text })}
          error={rules.deviceName(deviceName)}
          help={`1 to ${DEVICE_NAME_MAX_CHARACTERS} characters`}
        />
        <TextField
          label="Location"
          value={location}
          onChange={(text) => onChange({ location: text })}
          error={rules.location(location)}
          help={`1 to ${LOCATION_MAX_CHARACTERS} characters`}
        />
      </div>
    </section>
  )
}

/** Chooses the license's customer if none is chosen. Adds the name of a customer whose id is in the address. */
function usePreselection(props: PlacementStepProps, organizationId: string | null): void {
  const { placement, suggestion, onChange } = props
  const found = useCustomers(suggestion ? organizationId : null, suggestion).data?.flatMap(
    ({ items }) => items
  )
  const suggested = found?.find(({ orgName }) => orgName === suggestion)
  const orgName = useProjects(placement.customerId || null).data?.customer.orgName
  const preselect = useEffectEvent(() => {
    if (suggested && placement.customerId === '')
      onChange({ customerId: suggested.id, customerName: suggested.orgName })
    else if (orgName && placement.customerName === '') onChange({ customerName: orgName })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when one of them arrives
  useEffect(() => preselect(), [suggested, orgName])
}

/** A project of the customer, or a new one. */
function ProjectField({ placement, onChange }: Omit<PlacementStepProps, 'suggestion'>) {
  const { customerId, projectId } = placement
  const { data, reload } = useProjects(customerId || null)
  const [adding, setAdding] = useState(false)
  const options = (data?.projects ?? []).map(({ id, projectName }) => ({ id, name: projectName }))
  return (
    <div>
      <Combobox
        label="Project"
        placeholder={customerId ? 'Choose a project' : 'Choose a customer first'}
        options={options}
        chosen={options.find(({ id }) => id === projectId) ?? null}
        emptyText={customerId ? 'No project has this name.' : 'Choose a customer first.'}
        onChoose={({ id }) => onChange({ projectId: id })}
      />
      {customerId && (
        <button type="button" className="link-button" onClick={() => setAdding(true)}>
          Create project
        </button>
      )}
      {adding && data && (
        <NewProject
          customerId={customerId}
          partnerId={parseScope(data.customer.scope)?.organizationId ?? ''}
          onClose={() => setAdding(false)}
          onCreated={(id) => {
            setAdding(false)
            reload()
            onChange({ projectId: id })
          }}
        />
      )}
    </div>
  )
}

interface NewProjectProps {
  customerId: string
  partnerId: string
  onClose: () => void
  onCreated: (projectId: string) => void
}

function NewProject({ customerId, partnerId, onClose, onCreated }: NewProjectProps) {
  const [name, setName] = useState('')
  const projectName = name.trim()
  const problem = rules.projectName(name)
  return (
    <FormDialog
      title="New Project"
      saveLabel="Create"
      ready={projectName !== '' && !problem}
      edited={projectName !== ''}
      enter
      onSave={async () => {
        const { id } = await createProject(projectName, customerId, partnerId)
        toasts.ok(PROJECT.created(projectName))
        onCreated(id)
      }}
      onClose={onClose}
      failureText={(error) => (isDuplicate(error) ? PROJECT.createDuplicate : PROJECT.createFailed)}
    >
      <TextField label="Project name" value={name} onChange={setName} error={problem} autoFocus required />
    </FormDialog>
  )
}
