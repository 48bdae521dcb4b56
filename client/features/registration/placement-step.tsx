import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { CODES, PROJECT } from '#shared/messages.ts'
import { parseScope } from '#shared/scopes.ts'
import * as rules from '#shared/validation.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { Combobox } from '../../ui/input/combobox.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { RemoteChoice } from '../../ui/input/remote-choice.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { useCustomers, useProjects } from '../customers/api.ts'
import { useOrganization } from '../session/integrator.ts'
import { createProject } from './api.ts'
import type { Placement } from './link-panel.tsx'

interface PlacementStepProps {
  placement: Placement
  /** The customer of the license, preselected if it exists. */
  suggestion: string
  onChange: (change: Partial<Placement>) => void
}

export function PlacementStep({ placement, suggestion, onChange }: PlacementStepProps) {
  const organization = useOrganization()
  const [keyword, setKeyword] = useState('')
  const search = useCallback((text: string) => setKeyword(text), [])
  const customers = useCustomers(organization.id, keyword)
  const suggested = useCustomers(suggestion ? organization.id : null, suggestion)
  const projects = useProjects(placement.customerId || null)
  const [adding, setAdding] = useState(false)
  const cards = customers.data?.flatMap(({ items }) => items) ?? []
  const fitting = suggested.data?.flatMap(({ items }) => items).find(({ orgName }) => orgName === suggestion)

  const takeUp = useEffectEvent(() => {
    if (fitting && placement.customerId === '') {
      onChange({ customerId: fitting.id, customerName: fitting.orgName })
    }
  })
  useEffect(() => {
    if (fitting) takeUp()
  }, [fitting])

  const orgName = projects.data?.customer.orgName
  const name = useEffectEvent((customerName: string) => {
    if (placement.customerName === '') onChange({ customerName })
  })
  useEffect(() => {
    if (orgName) name(orgName)
  }, [orgName])

  const project = projects.data?.projects.find(({ id }) => id === placement.projectId)
  const scope = projects.data?.customer.scope
  return (
    <section className="card stack" aria-labelledby="step-placement">
      <h2 id="step-placement" tabIndex={-1}>
        3. Placement
      </h2>
      <div className="form-row">
        <RemoteChoice
          label="Customer"
          placeholder="Choose a customer"
          options={cards.map(({ id, orgName }) => ({ id, name: orgName }))}
          busy={customers.busy}
          chosen={
            placement.customerId
              ? {
                  id: placement.customerId,
                  name: placement.customerName || placement.customerId
                }
              : null
          }
          onSearch={search}
          onChoose={(option) =>
            onChange({ customerId: option?.id ?? '', customerName: option?.name ?? '', projectId: '' })
          }
        />
        <div>
          <Combobox
            label="Project"
            placeholder={placement.customerId ? 'Choose a project' : 'Choose a customer first'}
            options={(projects.data?.projects ?? []).map(({ id, projectName }) => ({
              id,
              name: projectName
            }))}
            chosen={project ? { id: project.id, name: project.projectName } : null}
            emptyText={placement.customerId ? 'No project has this name.' : 'Choose a customer first.'}
            onChoose={(option) => onChange({ projectId: option.id })}
          />
          {placement.customerId && !adding && (
            <button type="button" className="link-button" onClick={() => setAdding(true)}>
              Create project
            </button>
          )}
        </div>
      </div>
      {adding && scope && (
        <NewProject
          customerId={placement.customerId}
          partnerId={parseScope(scope)?.organizationId ?? ''}
          onClose={() => setAdding(false)}
          onCreated={(id) => {
            setAdding(false)
            projects.reload()
            onChange({ projectId: id })
          }}
        />
      )}
      <div className="form-row">
        <TextField
          label="Device name"
          value={placement.deviceName}
          onChange={(deviceName) => onChange({ deviceName })}
          error={rules.deviceName(placement.deviceName)}
          help={`1 to ${DEVICE_NAME_MAX_CHARACTERS} characters`}
        />
        <TextField
          label="Location"
          value={placement.location}
          onChange={(location) => onChange({ location })}
          error={rules.location(placement.location)}
          help={`1 to ${LOCATION_MAX_CHARACTERS} characters`}
        />
      </div>
    </section>
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
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const problem = rules.projectName(name)
  const ready = name.trim() !== '' && !problem && !busy

  async function create() {
    if (!ready) return
    setBusy(true)
    setFailure(null)
    try {
      const { id } = await createProject(name.trim(), customerId, partnerId)
      toasts.ok(PROJECT.created(name.trim()))
      onCreated(id)
    } catch (error) {
      const duplicate = error instanceof ApiError && error.code === CODES.duplicateProject
      setFailure(duplicate ? PROJECT.createDuplicate : PROJECT.createFailed)
      setBusy(false)
    }
  }

  return (
    <div className="form-row new-project">
      <TextField label="New project" value={name} onChange={setName} error={problem ?? failure} />
      <div className="row modal-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button"
          aria-disabled={!ready}
          aria-busy={busy}
          onClick={() => void create()}
        >
          Create project
        </button>
      </div>
    </div>
  )
}
