import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { projectName } from '#shared/validation.ts'
import { type ProjectEntry, useCustomer } from '../../deeds/customer.ts'
import { useProjectDeeds } from '../../deeds/use-project-deeds.ts'

interface RenameProjectProps {
  project: ProjectEntry
  /** Tells whether a key ended it: then the focus goes back to where it came from. */
  onDone: (byKey: boolean) => void
}

/** §4: Enter or leaving the field saves a changed name, Escape keeps the old one. What cannot be saved stays in the field. */
export default function RenameProject({ project, onDone }: RenameProjectProps) {
  const deeds = useProjectDeeds(useCustomer().id)
  const [name, setName] = useState(project.projectName)
  const input = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  const hint = useId()
  const empty = name.trim() === ''
  const problem = empty ? 'Enter a name.' : projectName(name)

  useEffect(() => input.current?.select(), [])

  function end(byKey: boolean, save: boolean) {
    if (ended.current) return
    ended.current = true
    onDone(byKey)
    if (save && name.trim() !== project.projectName) void deeds.renameProject(project, name.trim())
  }

  function operate(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      end(true, false)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (problem === null) end(true, true)
    }
  }

  return (
    <>
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed gives way to the field
        autoFocus
        type="text"
        aria-label={`New name of ${project.projectName}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={hint}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={operate}
        onBlur={() => (empty || problem === null) && end(false, problem === null)}
      />
      <span id={hint} role="status" className="tooltip" data-shown={problem ? true : undefined}>
        {problem}
      </span>
    </>
  )
}
