import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { ClippedText } from '../../ui/clipped-text.tsx'
import { showDialog } from '../../ui/dialog/dialogs.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../customers/customer.ts'
import { CreateProject, DeleteProject, RenameProject } from './project-dialogs.tsx'

interface EntryProps {
  to: string
  name: string
  devices: number
  chosen: boolean
  onChosen: (() => void) | undefined
}

/** A line of the project list: what it leads to and how many devices are there. */
export function Entry({ to, name, devices, chosen, onChosen }: EntryProps) {
  return (
    <PrefetchLink
      to={to}
      className="entry project-entry"
      aria-current={chosen ? 'true' : undefined}
      onClick={onChosen}
    >
      <span className="project-name" title={name}>
        <ClippedText text={name} />
      </span>
      <span className="project-count">
        {formatNumber(devices)}
        <span className="sr-only"> {devices === 1 ? 'device' : 'devices'}</span>
      </span>
    </PrefetchLink>
  )
}

/** A project, with what may be done to it. */
export function ProjectRow({
  project,
  ...entry
}: Omit<EntryProps, 'name' | 'devices'> & { project: ProjectEntry }) {
  const customer = useCustomer()
  const [renaming, setRenaming] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  const { projectName, deviceCount } = project
  const renameProject = customer.can('projects:edit')
  const deleteProject = customer.can('projects:delete')

  useEffect(() => {
    if (renaming || !returns.current) return
    returns.current = false
    edit.current?.focus()
  }, [renaming])

  if (renaming) {
    return (
      <li className="project-row project-rename field">
        <RenameProject
          project={project}
          refused={refused}
          onRefused={(name) => {
            setRefused(name)
            if (name !== null) setRenaming(true)
          }}
          onDone={(byKey) => {
            returns.current = byKey
            setRenaming(false)
          }}
        />
      </li>
    )
  }
  return (
    <li className="project-row">
      <Entry {...entry} name={projectName || project.id} devices={deviceCount} />
      {(renameProject || deleteProject) && (
        <span className="project-actions">
          {renameProject && (
            <button
              ref={edit}
              type="button"
              className="button quiet icon small"
              aria-label={`Rename ${projectName}`}
              title="Rename"
              onClick={() => setRenaming(true)}
            >
              <Pencil />
            </button>
          )}
          {deleteProject && <DeleteButton project={project} />}
        </span>
      )}
    </li>
  )
}

function DeleteButton({ project }: { project: ProjectEntry }) {
  const refusal = deletionRefusal(project)
  return (
    <Tooltip text={refusal ?? 'Delete'}>
      {(describedBy) => (
        <button
          type="button"
          className="button quiet icon small"
          aria-label={`Delete ${project.projectName}`}
          aria-disabled={refusal !== null}
          aria-describedby={describedBy}
          onClick={() => refusal === null && showDeleteProject(project)}
        >
          <Trash />
        </button>
      )}
    </Tooltip>
  )
}

export function showDeleteProject(project: ProjectEntry): void {
  showDialog((close) => <DeleteProject project={project} onClose={close} />)
}

export function showCreateProject(initialName?: string): void {
  showDialog((close) => (
    <CreateProject onClose={close} {...(initialName === undefined ? {} : { initialName })} />
  ))
}
