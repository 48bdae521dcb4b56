import { Combobox } from '../../../ui/input/combobox.tsx'
import { useProjects } from './api.ts'

interface ProjectChoiceProps {
  customerId: string
  placeholder?: string
  chosen: string
  onChoose: (projectId: string) => void
}

export function ProjectChoice(props: ProjectChoiceProps) {
  const { customerId, placeholder = 'All projects', chosen, onChoose } = props
  const { data } = useProjects(customerId)
  const options = (data?.projects ?? []).map(({ id, projectName }) => ({ id, name: projectName }))
  const unknownProject = { id: chosen, name: data ? 'No such project' : '…' }
  const waitText = customerId ? 'Loading projects…' : 'Choose a customer first.'
  return (
    <div className="remote-choice">
      <Combobox
        label="Project"
        placeholder={placeholder}
        options={options}
        chosen={chosen ? (options.find(({ id }) => id === chosen) ?? unknownProject) : null}
        emptyText={data ? 'No project has this name.' : waitText}
        onChoose={({ id }) => onChoose(id)}
        onClear={() => onChoose('')}
      />
    </div>
  )
}
