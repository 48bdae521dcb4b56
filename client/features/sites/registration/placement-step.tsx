import { useEffect, useEffectEvent, useState } from 'react'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { parseScope } from '#shared/scopes.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import * as rules from '../../../lib/validation.ts'
import { TextField } from '../../../ui/input/field.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { useCustomers, useProjects } from '../customers/api.ts'
import { CustomerChoice } from '../customers/customer-choice.tsx'
import { ProjectChoice } from '../customers/project-choice.tsx'
import { createProject, isDuplicate } from '../projects/api.ts'
import { PROJECT } from '../projects/messages.ts'
import { NewProject } from '../projects/new-project.tsx'
import type { Placement } from './link-panel.tsx'

interface PlacementStepProps {
  placement: Placement
  /** The name of the license's customer, who is preselected if found. */
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
          onChoose={(chosenCustomer) =>
            onChange({
              customerId: chosenCustomer?.id ?? '',
              customerName: chosenCustomer?.name ?? '',
              projectId: ''
            })
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
  const matches = useCustomers(suggestion ? organizationId : null, suggestion).data?.flatMap(
    ({ items }) => items
  )
  const suggestedCustomer = matches?.find(({ orgName }) => orgName === suggestion)
  const orgName = useProjects(placement.customerId || null).data?.customer.orgName
  const preselect = useEffectEvent(() => {
    if (suggestedCustomer && placement.customerId === '')
      onChange({ customerId: suggestedCustomer.id, customerName: suggestedCustomer.orgName })
    else if (orgName && placement.customerName === '') onChange({ customerName: orgName })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the customer or the name arrives
  useEffect(() => preselect(), [suggestedCustomer, orgName])
}

/** Chooses a project of the customer, or creates a new project. */
function ProjectField({ placement, onChange }: Omit<PlacementStepProps, 'suggestion'>) {
  const { customerId, projectId } = placement
  const { data, refetch } = useProjects(customerId || null)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <div>
      <ProjectChoice
        customerId={customerId}
        placeholder={customerId ? 'Choose a project' : 'Choose a customer first'}
        chosen={projectId}
        onChoose={(id) => onChange({ projectId: id })}
      />
      {customerId && (
        <button type="button" className="link-button" onClick={() => setIsAdding(true)}>
          Create project
        </button>
      )}
      {isAdding && data && (
        <NewProject
          onCreate={async (projectName) => {
            const integratorId = parseScope(data.customer.scope)?.organizationId ?? ''
            const { id } = await createProject(projectName, customerId, integratorId)
            toasts.ok(PROJECT.created(projectName))
            setIsAdding(false)
            refetch()
            onChange({ projectId: id })
          }}
          onClose={() => setIsAdding(false)}
          failureText={(error) => (isDuplicate(error) ? PROJECT.createDuplicate : PROJECT.createFailed)}
        />
      )}
    </div>
  )
}
