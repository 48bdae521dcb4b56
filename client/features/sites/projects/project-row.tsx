import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { projectName as projectNameRule } from '../../../lib/validation.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../customers/customer.tsx'
import { useProjectChanges } from './api.ts'
import { showDeleteProject } from './project-dialogs.tsx'

interface EntryProps {
  to: string
  name: string
  devices: number
  chosen: boolean
  /** Whether Tab reaches this entry. The arrow keys reach the others. */
  tabStop: boolean
  onChosen: (() => void) | undefined
}

export function Entry({ to, name, devices, chosen, tabStop, onChosen }: EntryProps) {
  return (
    <PrefetchLink
      to={to}
      className="entry spread grow project-entry"
      aria-current={chosen ? 'true' : undefined}
      tabIndex={tabStop ? undefined : -1}
      onClick={onChosen}
    >
      <span>{name}</span>
      <span className={chosen ? undefined : 'muted'}>
        {formatNumber(devices)}
        <span className="sr-only"> {devices === 1 ? 'device' : 'devices'}</span>
      </span>
    </PrefetchLink>
  )
}

export function ProjectRow({
  project,
  ...entry
}: Omit<EntryProps, 'name' | 'devices'> & { project: ProjectEntry }) {
  const customer = useCustomer()
  const changes = useProjectChanges()
  const [renaming, setRenaming] = useState<{ refused: string | null } | null>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)
  const { projectName, deviceCount } = project
  const mayRename = customer.can('projects:edit')
  const mayDelete = customer.can('projects:delete')

  useEffect(() => {
    if (renaming || !returnsFocus.current) return
    returnsFocus.current = false
    editButton.current?.focus()
  }, [renaming])

  async function endRename(byKey: boolean, name: string) {
    returnsFocus.current = byKey
    setRenaming(null)
    if (name === projectName || (await changes.renameProject(project, name))) return
    setRenaming({ refused: name })
  }

  if (renaming) {
    return (
      <li className="project-rename field">
        <RenameProject project={project} refused={renaming.refused} onEnd={endRename} />
      </li>
    )
  }
  return (
    <li className="line anchor project-row" data-project={project.id}>
      <Entry {...entry} name={projectName || project.id} devices={deviceCount} />
      {(mayRename || mayDelete) && (
        <span className="project-actions">
          {mayRename && (
            <IconButton
              ref={editButton}
              name={`Rename ${projectName}`}
              Icon={Pencil}
              small
              title="Rename (F2)"
              aria-keyshortcuts="F2"
              tabIndex={-1}
              onPress={() => setRenaming({ refused: null })}
            />
          )}
          {mayDelete && <DeleteButton project={project} />}
        </span>
      )}
    </li>
  )
}

function DeleteButton({ project }: { project: ProjectEntry }) {
  const refusal = deletionRefusal(project)
  return (
    <Tooltip text={refusal ?? 'Delete (Del)'}>
      {(describedBy) => (
        <IconButton
          name={`Delete ${project.projectName}`}
          Icon={Trash}
          small
          title={undefined}
          off={refusal !== null}
          aria-keyshortcuts="Delete"
          tabIndex={-1}
          aria-describedby={describedBy}
          onPress={() => showDeleteProject(project)}
        />
      )}
    </Tooltip>
  )
}

interface RenameProjectProps {
  project: ProjectEntry
  /** A rejected name, for the person to correct. */
  refused: string | null
  /** Receives the name to save, or the old name. With `byKey`, the edit button gets the focus. */
  onEnd: (byKey: boolean, name: string) => void
}

/** Enter or blur saves a changed name, Escape restores the old name. An invalid name stays in the field. */
function RenameProject({ project, refused, onEnd }: RenameProjectProps) {
  const [name, setName] = useState(refused ?? project.projectName)
  const input = useRef<HTMLInputElement>(null)
  const hasEnded = useRef(false)
  const hint = useId()
  const isEmpty = name.trim() === ''
  const isRefused = refused !== null && name.trim() === refused
  const problem = isEmpty
    ? 'Enter a name.'
    : isRefused
      ? 'Not saved. Try again or change the name.'
      : projectNameRule(name)

  useLayoutEffect(() => input.current?.select(), [])

  function end(byKey: boolean, save: boolean) {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(byKey, save ? name.trim() : project.projectName)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      end(true, false)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (problem === null || isRefused) end(true, true)
    }
  }

  return (
    <>
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: the field replaces the button that was pressed
        autoFocus
        type="text"
        aria-label={`New name of ${project.projectName}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={hint}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => (isEmpty || isRefused || problem === null) && end(false, problem === null)}
      />
      <span id={hint} role="status" className="tooltip" data-shown={problem ? true : undefined}>
        {problem}
      </span>
    </>
  )
}
